import { expect, it } from "vitest"
import * as Interpolation from "#engine/Interpolation"

const values: Interpolation.Values = {
  env: { HOME: "/root", EMPTY: "" },
  vars: new Map([["topic", "pumps"]]),
  secrets: (name) => (name === "KEY" ? "k" : { message: `the secret ${name} is not set` }),
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

it("fills in the interval of a backfill; without one there is a default, or an error that says what to do", () => {
  const interval = { values: { start: "2026-01-01T00:00:00Z", end_date: "2026-01-02" }, standsIn: false }
  const within = (written: string, more: Partial<Interpolation.Values> = { interval }) =>
    Interpolation.resolve(written, { ...values, ...more })

  expect(within("from ${interval.start} to ${interval.end_date:-x}")?.text).toBe(
    "from 2026-01-01T00:00:00Z to 2026-01-02"
  )
  expect(within("${interval.start:-now}", {})?.text).toBe("now")
  expect(within("${interval.start:-now} ${interval.start}", { interval: { ...interval, standsIn: true } })?.text).toBe(
    "now 2026-01-01T00:00:00Z"
  )
  expect(within("${interval.start}", {})?.failures).toMatchObject([
    {
      message: "only a backfill has an interval",
      hint: "run it with millrace backfill, or give a default: ${interval.start:-...}"
    }
  ])
  expect(within("${interval.middle}")?.failures).toMatchObject([
    { hint: "an interval has start, end, start_date, end_date" }
  ])
})
