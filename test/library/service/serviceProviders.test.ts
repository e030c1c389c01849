import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { providersOfEnvironment, serviceProviders } from "#library/serviceProviders"
import { digestOf } from "#service/Provider"
import { temporaryFolder } from "../../temporaryFolder.ts"

const first = {
  id: "gazetteer",
  name: "Example Gazetteer",
  capability: "countries/lookup",
  adds: "capitals of countries",
  endpoint: "https://data.example.com/lookup",
  helps: ["capital", "calling codes"],
  cost: 2,
  terms: { version: "1", text: "Be kind." }
}

/** The file as text, in a folder of its own. */
const written = (text: string): string => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, "legal"))
  writeFileSync(join(folder, "legal", "terms.txt"), "Be kind, and quote us.")
  writeFileSync(join(folder, "providers.yaml"), text)
  return join(folder, "providers.yaml")
}

const said = (change: object) =>
  Effect.map(
    Effect.flip(serviceProviders(written(JSON.stringify({ providers: [{ ...first, ...change }] })))),
    ({ message }) => message
  )

describe("a file of providers", () => {
  it.effect("gives them with their defaults, from JSON as from YAML", () =>
    Effect.gen(function* () {
      const [provider] = yield* serviceProviders(written(JSON.stringify({ providers: [first] })))

      expect(provider).toEqual({
        ...first,
        endpoint: new URL(first.endpoint),
        terms: { ...first.terms, digest: digestOf("Be kind.") },
        headers: {},
        timeoutMillis: 20_000,
        maxRecords: 1000,
        maxBytes: 1_000_000
      })
    })
  )

  it.effect("reads terms from a file beside it, and secrets from the environment", () =>
    Effect.gen(function* () {
      process.env["MILLRACE_SECRET_GAZETTEER"] = "s3cret"
      const [provider] = yield* serviceProviders(
        written(`providers:
  - id: local
    name: Local
    capability: lookup
    adds: facts
    endpoint: http://127.0.0.1:8080/
    helps: [facts]
    cost: 0
    terms: { version: "2", text_file: legal/terms.txt, url: "https://data.example.com/terms", digest: "${digestOf("Be kind, and quote us.")}" }
    headers: { authorization: "Bearer \${secrets.GAZETTEER}" }
    timeout: 5s
    max_records: 10
    max_bytes: 20 kB
`)
      )
      delete process.env["MILLRACE_SECRET_GAZETTEER"]

      expect(provider?.terms).toMatchObject({ text: "Be kind, and quote us.", url: "https://data.example.com/terms" })
      expect(provider?.headers["authorization"]).toEqual(Redacted.make("Bearer s3cret"))
      expect(provider).toMatchObject({ timeoutMillis: 5000, maxRecords: 10, maxBytes: 20_000 })
    })
  )

  it.effect("reports what is wrong with its place", () =>
    Effect.gen(function* () {
      const path = written("providers:\n  - id: Gazetteer\n    name: x\n    cots: 2\n")
      const { message } = yield* Effect.flip(serviceProviders(path))

      expect(message).toContain(`${path}:2:9`)
      expect(message).toContain("`providers[0].id` must be a name of a-z, 0-9, dots and hyphens")
      expect(message).toContain("unknown key `cots`")
      expect(message).toContain("did you mean `cost`?")
      expect(message).toContain("`endpoint` is missing")
    })
  )

  it.effect("takes no other endpoints than https, and http on this machine, and no key in an address", () =>
    Effect.gen(function* () {
      for (const endpoint of [
        "http://data.example.com/",
        "ftp://127.0.0.1/",
        "data",
        "http://127.0.0.1.example.com/"
      ]) {
        expect(yield* said({ endpoint })).toContain("`endpoint` must be an https address")
      }
      expect(yield* said({ endpoint: "https://me:secret@data.example.com/" })).toContain("must not hold a user")
      for (const endpoint of ["http://localhost:1/", "http://[::1]:1/", "http://127.1.2.3/"]) {
        expect(yield* serviceProviders(written(JSON.stringify({ providers: [{ ...first, endpoint }] })))).toHaveLength(
          1
        )
      }
    })
  )

  it.effect("takes terms with one text, which the digest is that of", () =>
    Effect.gen(function* () {
      expect(yield* said({ terms: { version: "1" } })).toContain("a text of terms is one of text, text_file")
      expect(yield* said({ terms: { version: "1", text: "x", text_file: "y" } })).toContain(
        "this one has text and text_f"
      )
      expect(yield* said({ terms: { version: "1", text: "x", digest: digestOf("y") } })).toContain(
        "`digest` is not that of the text"
      )
      expect(yield* said({ terms: { version: "1", text_file: "no.txt" } })).toContain("cannot be read")
      expect(yield* said({ terms: { version: "1", text: "  " } })).toContain("the text of the terms is empty")
    })
  )

  it.effect("takes no header that a call sends itself, no name of the catalog, no id twice, no time without end", () =>
    Effect.gen(function* () {
      const twice = written(JSON.stringify({ providers: [first, first] }))

      expect(yield* said({ headers: { Host: "x" } })).toContain("`Host` is not a header that can be set")
      expect(yield* said({ headers: { "x-key": "a\nb" } })).toContain("the value of `x-key` cannot stand in a header")
      expect(yield* said({ id: "firecrawl" })).toContain("`firecrawl` is the name of the catalog itself")
      expect(yield* said({ timeout: "2h" })).toContain("`timeout` must be from 1s to 60s")
      expect((yield* Effect.flip(serviceProviders(twice))).message).toContain("`gazetteer` is given twice")
    })
  )

  it.effect("is named by MILLRACE_PROVIDERS where no flag speaks of it", () =>
    Effect.gen(function* () {
      const of = (env: Record<string, string>) =>
        providersOfEnvironment.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))))
      const path = written(JSON.stringify({ providers: [first] }))

      expect((yield* of({ MILLRACE_PROVIDERS: path })).providers).toHaveLength(1)
      expect(yield* of({ MILLRACE_PROVIDERS: "" })).toEqual({})
      expect(yield* of({})).toEqual({})
    })
  )
})
