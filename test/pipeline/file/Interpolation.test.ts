import * as Option from "effect/Option"
import { expect, it } from "vitest"
import * as Interpolation from "../../../src/pipeline/file/Interpolation.ts"

const values: Interpolation.Values = {
  env: { HOME: "/root", EMPTY: "" },
  vars: new Map([["topic", "pumps"]]),
  secrets: (name) => (name === "KEY" ? Option.some("k") : Option.none()),
  run: { date: "2026-11-21", id: "r" }
}

const text = (written: string) => Interpolation.resolve(written, values)?.text

it("leaves text alone that has nothing to fill in", () => {
  expect(["", "$", "$HOME", "{env.HOME}", "a$", "^x$"].map(text)).toEqual(Array(6).fill(undefined))
})

it("takes an empty variable as it is, unless there is a default", () => {
  expect([text("[${env.EMPTY}]"), text("[${env.EMPTY:-x}]"), text("[${env.NO:-}]")]).toEqual(["[]", "[x]", "[]"])
})

it("reads two dollars and a brace as the text", () => {
  expect(text("$${env.HOME} ${env.HOME} $$${vars.topic}")).toBe("${env.HOME} /root $${vars.topic}")
})

it("says whether the whole was one expression, and whether a secret is in it", () => {
  const of = (written: string) => {
    const { secret, whole } = Interpolation.resolve(written, values) ?? { secret: undefined, whole: undefined }
    return [whole, secret]
  }
  expect([of("${vars.topic}"), of("${vars.topic}${run.id}"), of("${secrets.KEY}"), of("x${secrets.KEY}")]).toEqual([
    [true, false],
    [false, false],
    [true, true],
    [false, true]
  ])
})

it("does not find what every object has in the environment", () => {
  expect(Interpolation.resolve("${env.constructor}", values)?.failures).toMatchObject([
    { piece: "${env.constructor}", index: 0, message: "the environment variable constructor is not set" }
  ])
})
