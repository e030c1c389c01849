/**
 * The file behind `millrace serve --providers FILE`: the data providers that agents and searches may use.
 *
 * ```yaml
 * providers:
 *   - id: gazetteer
 *     name: Example Gazetteer
 *     capability: countries/lookup
 *     adds: capital, currency and ISO code of countries
 *     endpoint: https://data.example.com/lookup
 *     helps: [currency, calling codes, each country]
 *     cost: 2
 *     terms: { version: "1", url: "https://data.example.com/terms", text_file: gazetteer-terms.txt }
 *     headers: { authorization: "Bearer ${secrets.GAZETTEER_KEY}" }
 * ```
 *
 * It is YAML or JSON, and as strict as a pipeline file; every problem is reported with its line and column.
 */
import { dirname, resolve } from "node:path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { isHttpUrl } from "#contract/HttpUrl"
import * as FileReading from "#engine/FileReading"
import { bytesOf, duration, exactlyOne, millisOf, size } from "#engine/KeySchemas"
import { ownNames } from "#service/Catalog"
import { digestOf, type Provider } from "#service/Provider"
import type { ServiceConfig } from "#service/ServiceConfig"
import { isLoopback } from "#web/AddressGuard"
import { readServiceFile, textOf } from "./readServiceFile.ts"
import { wrong } from "./StartError.ts"

const short = Schema.NonEmptyString.check(Schema.isMaxLength(200))
const whole = (from: number, to: number) => Schema.Int.check(Schema.isBetween({ minimum: from, maximum: to }))

const TermsKeys = Schema.Struct({
  version: Schema.String.check(
    Schema.isPattern(/^\S{1,100}$/, { expected: 'text without blanks, in quotes, such as "1"' })
  ),
  url: Schema.optionalKey(Schema.String),
  text: Schema.optionalKey(Schema.NonEmptyString),
  text_file: Schema.optionalKey(Schema.NonEmptyString),
  digest: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^sha256:[\da-f]{64}$/, { expected: "sha256: and 64 hexadecimal digits" }))
  )
}).check(exactlyOne("text of terms", ["text", "text_file"]))

const ProviderKeys = Schema.Struct({
  id: Schema.String.check(
    Schema.isPattern(/^[a-z0-9][a-z0-9._-]{0,99}$/, { expected: "a name of a-z, 0-9, dots and hyphens" })
  ),
  name: short,
  capability: short,
  adds: Schema.NonEmptyString.check(Schema.isMaxLength(1000)),
  endpoint: Schema.String,
  helps: Schema.NonEmptyArray(short),
  cost: whole(0, 100_000),
  terms: TermsKeys,
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.RedactedFromValue(Schema.String))),
  timeout: Schema.optionalKey(duration),
  max_records: Schema.optionalKey(whole(1, 10_000)),
  max_bytes: Schema.optionalKey(size)
})

const ProvidersFile = Schema.Struct({ providers: Schema.Array(ProviderKeys) })
type Keys = typeof ProviderKeys.Type

const defaults = { timeoutMillis: 20_000, maxRecords: 1000, maxBytes: 1_000_000 }
const largest = { timeoutMillis: 60_000, bytes: 16_000_000, text: 200_000 }

/** The providers that a file names; fails with all that is wrong with it. */
export const serviceProviders = Effect.fn("serviceProviders")(function* (path: string) {
  const reading = yield* readServiceFile(path)
  const file = yield* FileReading.read(reading, {
    path: [],
    node: reading.tree.root,
    schema: ProvidersFile,
    decode: Schema.decodeUnknownEffect(ProvidersFile, { onExcessProperty: "error", errors: "all" })
  })
  const { providers } = Option.getOrElse(file, () => ({ providers: [] }))
  const made: Array<Provider> = []
  for (const [index, keys] of providers.entries()) {
    const add = (key: ReadonlyArray<string>, message: string, hint?: string) =>
      FileReading.add(reading, {
        path: ["providers", index, ...key],
        at: "value",
        message,
        ...(hint === undefined ? {} : { hint })
      })
    check(keys, add)
    if (providers.findIndex(({ id }) => id === keys.id) < index) add(["id"], `\`${keys.id}\` is given twice`)
    made.push(yield* toProvider(keys, dirname(path), add))
  }
  if (reading.problems.length > 0) return yield* wrong(FileReading.toError(reading).render())
  return made
})

/** Those of `MILLRACE_PROVIDERS`, for services that no flags speak of. */
export const providersOfEnvironment = Effect.gen(function* () {
  const path = yield* Config.option(Config.String("MILLRACE_PROVIDERS")).pipe(Effect.orDie) // an option of text cannot fail
  const config: Pick<ServiceConfig, "providers"> =
    Option.isSome(path) && path.value.trim() !== "" ? { providers: yield* serviceProviders(path.value) } : {}
  return config
})

type Add = (key: ReadonlyArray<string>, message: string, hint?: string) => void

const check = ({ endpoint, headers = {}, id, max_bytes: bytes, terms, timeout }: Keys, add: Add): void => {
  if (ownNames.has(id)) add(["id"], `\`${id}\` is the name of the catalog itself`, "use another name")
  const url = URL.parse(endpoint)
  if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)))) {
    add(["endpoint"], "`endpoint` must be an https address", "http is for this machine alone: localhost or 127.0.0.1")
  } else if (url.username !== "" || url.password !== "") {
    add(["endpoint"], "`endpoint` must not hold a user or a password", "send a key in `headers`")
  }
  if (terms.url !== undefined && !isHttpUrl(terms.url)) add(["terms", "url"], "`url` must be an http or https address")
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || ownHeaders.has(name.toLowerCase())) {
      add(["headers", name], `\`${name}\` is not a header that can be set`)
    } else if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(Redacted.value(value))) {
      add(
        ["headers", name],
        `the value of \`${name}\` cannot stand in a header`,
        "it has a line break, or other letters"
      )
    }
  }
  const millis = timeout === undefined ? defaults.timeoutMillis : millisOf(timeout)
  if (millis < 1000 || millis > largest.timeoutMillis) add(["timeout"], "`timeout` must be from 1s to 60s")
  if (bytes !== undefined && bytesOf(bytes) > largest.bytes) add(["max_bytes"], "`max_bytes` must be at most 16 MB")
}

/** What the call itself says. */
const ownHeaders = new Set(
  "host content-length content-type transfer-encoding connection upgrade expect accept-encoding keep-alive te trailer".split(
    " "
  )
)

const toProvider = Effect.fnUntraced(function* (keys: Keys, folder: string, add: Add) {
  const { digest, text, text_file: file, url, version } = keys.terms
  const read = file === undefined ? Effect.succeed(text ?? "") : textOf(resolve(folder, file))
  const terms = yield* Effect.catchTag(read, "StartError", ({ message }) => {
    add(["terms", "text_file"], message)
    return Effect.succeed(undefined)
  })
  if (terms?.trim() === "") add(["terms"], "the text of the terms is empty")
  if ((terms?.length ?? 0) > largest.text)
    add(["terms"], `the text of the terms is longer than ${largest.text} characters`)
  const computed = digestOf(terms ?? "")
  if (terms !== undefined && digest !== undefined && digest !== computed) {
    add(["terms", "digest"], "`digest` is not that of the text", `the text has ${computed}`)
  }
  const provider: Provider = {
    id: keys.id,
    name: keys.name,
    capability: keys.capability,
    adds: keys.adds,
    // `check` has reported an invalid address: then this is not made.
    endpoint: URL.parse(keys.endpoint) ?? new URL("https://invalid.invalid"),
    helps: keys.helps,
    cost: keys.cost,
    terms: { version, digest: computed, text: terms ?? "", ...(url === undefined ? {} : { url }) },
    headers: Object.fromEntries(
      Object.entries(keys.headers ?? {}).map(([name, value]) => [name, Redacted.make(Redacted.value(value))])
    ),
    timeoutMillis: keys.timeout === undefined ? defaults.timeoutMillis : millisOf(keys.timeout),
    maxRecords: keys.max_records ?? defaults.maxRecords,
    maxBytes: keys.max_bytes === undefined ? defaults.maxBytes : bytesOf(keys.max_bytes)
  }
  return provider
})
