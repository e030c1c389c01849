import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { clusterOptions } from "#app/serve/serveService"

const postgres = Redacted.make("postgres://127.0.0.1/millrace")
const sqlite = Redacted.make("service.sqlite")

describe("--advertise", () => {
  it.effect("is a free port of this machine where nothing is said, and nothing for a SQLite file", () =>
    Effect.gen(function* () {
      expect(yield* clusterOptions(Option.none(), postgres)).toEqual({
        cluster: { advertise: { host: "127.0.0.1", port: 0 } }
      })
      expect(yield* clusterOptions(Option.none(), sqlite)).toEqual({})
    })
  )

  it.effect("is a host and a port; another machine's is listened for on all addresses", () =>
    Effect.gen(function* () {
      expect(yield* clusterOptions(Option.some("10.0.0.5:3100"), postgres)).toEqual({
        cluster: { advertise: { host: "10.0.0.5", port: 3100 }, listen: "0.0.0.0" }
      })
      expect(yield* clusterOptions(Option.some("[::1]:3100"), postgres)).toEqual({
        cluster: { advertise: { host: "::1", port: 3100 } }
      })
    })
  )

  it.effect("is refused in any other form, and without a database that can be shared", () =>
    Effect.gen(function* () {
      for (const text of ["10.0.0.5", "10.0.0.5:", ":3100", "a:b", "10.0.0.5:99999", "http://10.0.0.5:3100"]) {
        const { message } = yield* Effect.flip(clusterOptions(Option.some(text), postgres))
        expect(message).toContain("--advertise takes HOST:PORT")
      }
      const { message } = yield* Effect.flip(clusterOptions(Option.some("10.0.0.5:3100"), sqlite))
      expect(message).toContain("--database postgres://")
    })
  )
})
