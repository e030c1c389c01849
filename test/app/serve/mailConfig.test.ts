import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { mailConfig } from "#app/serve/serveService"

const said = (smtp: string | undefined, from: string | undefined) =>
  Effect.map(
    Effect.result(
      mailConfig({
        smtp: Option.map(Option.fromUndefinedOr(smtp), (url) => Redacted.make(url)),
        mailFrom: Option.fromUndefinedOr(from)
      })
    ),
    (result) => (result._tag === "Success" ? result.success : `${result.failure.exitCode} ${result.failure.message}`)
  )

it.effect("the mail server of a service is what the flags say, and none where they say nothing", () =>
  Effect.gen(function* () {
    const server = "smtps://mill:s3cret@mail.example.test"

    expect(yield* said(undefined, undefined)).toEqual({})
    expect(yield* said("", "")).toEqual({})
    expect(yield* said(server, "m@example.test")).toMatchObject({ mail: { from: "m@example.test" } })
  })
)

it.effect("half of it, and an address that is none, is told without the password", () =>
  Effect.gen(function* () {
    expect(yield* said("smtp://mail.example.test", undefined)).toContain(
      "2 --smtp and --mail-from must be used together"
    )
    expect(yield* said(undefined, "m@example.test")).toContain("2 --smtp and --mail-from must be used together")
    const wrong = yield* said("http://mill:s3cret@mail.example.test", "m@example.test")
    expect(wrong).toContain("2 --smtp must be an address such as smtp://")
    expect(wrong).not.toContain("s3cret")
  })
)
