import { describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { fromEnvironment, thinkingConfig } from "#library/thinkingConfig"

type Flags = Parameters<typeof thinkingConfig>[0]

const none: Flags = {
  modelUrl: Option.none(),
  model: Option.none(),
  modelKey: Option.none(),
  unsupported: Option.none(),
  webSearch: Option.none()
}
const url = Option.some("https://models.test/v1")
const model = Option.some("small-1")
const modelKey = Option.some(Redacted.make("sk-secret"))

/** What the flags make of a service's settings, or what is told of them. */
const said = (flags: Partial<Flags>) =>
  Effect.map(Effect.result(thinkingConfig({ ...none, ...flags })), (result) =>
    result._tag === "Success" ? result.success : result.failure.message
  )

const ofEnvironment = (env: Readonly<Record<string, string>>) =>
  fromEnvironment.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))

describe("the model and the web search of a service", () => {
  it.effect("are what the flags say, and nothing where they say nothing", () =>
    Effect.gen(function* () {
      expect(yield* said({})).toEqual({})
      expect(yield* said({ modelUrl: url, model })).toEqual({
        model: { baseUrl: new URL("https://models.test/v1"), model: "small-1" }
      })
      expect(yield* said({ modelUrl: url, model, modelKey, webSearch: Option.some("http://127.0.0.1:8888") })).toEqual({
        model: { baseUrl: new URL("https://models.test/v1"), model: "small-1", key: Redacted.make("sk-secret") },
        webSearch: new URL("http://127.0.0.1:8888")
      })
    })
  )

  it.effect("keep what no page says only where a flag or the environment says so", () =>
    Effect.gen(function* () {
      const kept = { model: { baseUrl: new URL("https://models.test/v1"), model: "small-1", keepsUnsupported: true } }
      const env = { MILLRACE_MODEL_URL: "https://models.test/v1", MILLRACE_MODEL: "small-1" }

      expect(yield* said({ modelUrl: url, model, unsupported: Option.some("keep") })).toEqual(kept)
      expect(yield* ofEnvironment({ ...env, MILLRACE_UNSUPPORTED: "keep" })).toEqual(kept)
      expect(yield* Effect.flip(ofEnvironment({ ...env, MILLRACE_UNSUPPORTED: "yes" }))).toMatchObject({
        message: 'MILLRACE_UNSUPPORTED must be leave_out or keep, not "yes"'
      })
    })
  )

  it.effect("are told where half a model is given", () =>
    Effect.gen(function* () {
      expect(yield* said({ modelUrl: url })).toContain("--model-url and --model must be used together")
      expect(yield* said({ model })).toContain("--model-url and --model must be used together")
      expect(yield* said({ modelKey })).toContain("--model-key needs --model-url and --model")
    })
  )

  it.effect("are told where an address is none, or carries a password", () =>
    Effect.gen(function* () {
      for (const odd of ["models.test", "ftp://models.test", ""]) {
        expect(yield* said({ modelUrl: Option.some(odd), model })).toContain(
          "--model-url must be an http or https address"
        )
        expect(yield* said({ webSearch: Option.some(odd) })).toContain("--web-search must be an http or https address")
      }
      const told = yield* said({ modelUrl: Option.some("https://me:hidden@models.test/v1"), model })
      expect(told).toContain("--model-url must not contain a user or a password")
      expect(told).not.toContain("hidden")
    })
  )

  it.effect("come from the environment where no flags speak of them, what is empty being not there", () =>
    Effect.gen(function* () {
      expect(yield* ofEnvironment({})).toEqual({})
      expect(
        yield* ofEnvironment({
          MILLRACE_MODEL_URL: "https://models.test/v1",
          MILLRACE_MODEL: "small-1",
          MILLRACE_MODEL_KEY: "sk-secret",
          MILLRACE_WEB_SEARCH_URL: ""
        })
      ).toEqual({
        model: { baseUrl: new URL("https://models.test/v1"), model: "small-1", key: Redacted.make("sk-secret") }
      })
      expect(yield* ofEnvironment({ MILLRACE_MODEL_URL: "", MILLRACE_MODEL: " ", MILLRACE_MODEL_KEY: "" })).toEqual({})
      expect((yield* Effect.flip(ofEnvironment({ MILLRACE_MODEL: "small-1" }))).message).toContain(
        "must be used together"
      )
    })
  )
})
