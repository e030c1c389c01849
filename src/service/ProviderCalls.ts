/**
 * One HTTP exchange with a data provider: POST {capability, query, options}, answered with {records: [...]}.
 *
 * The address guard checks every connection, as it does for pages. One exception: the operator may configure an endpoint on
 * this machine (localhost, 127.0.0.1, [::1]). Redirects are not followed. Time, bytes, nesting and records are limited; an
 * answer over a limit is a failure. The message of a failure names the provider, never its URL or its headers.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { isDeeperThan } from "#base/jsonDepth"
import type { JsonSchema } from "#contract/JsonSchema"
import * as AddressGuard from "#web/AddressGuard"
import * as GuardedPost from "#web/GuardedPost"
import type { Provider } from "./Provider.ts"

interface ProviderRequest {
  readonly query: string
  readonly options: JsonSchema
}

export type Records = ReadonlyArray<JsonSchema>

export type Call = (provider: Provider, request: ProviderRequest) => Effect.Effect<Records, ProviderFailed>

/** A provider returned no records. Such a call is free. */
class ProviderFailed extends Schema.TaggedError<ProviderFailed>()("ProviderFailed", {
  provider: Schema.String,
  /** Whether the provider did not answer in time. */
  isLate: Schema.Boolean,
  /** The message for the caller. */
  message: Schema.String
}) {}

const ProviderAnswer = Schema.Struct({ records: Schema.Array(Schema.Record(Schema.String, Schema.Json)) })

export const open = Effect.fnUntraced(function* (guard: AddressGuard.Options) {
  const limits = { connections: maxForOne, rejectUnauthorized: true }
  const guarded = yield* GuardedPost.open(guard, limits)
  const local = yield* GuardedPost.open({ allowPrivate: true, resolve: new Map() }, limits)

  const call: Call = (provider, { options, query }) => {
    const { capability, endpoint, headers, maxBytes, timeoutMillis } = provider
    const isMapped = guard.resolve.has(endpoint.hostname)
    const post = !isMapped && AddressGuard.isLoopback(endpoint.hostname) ? local : guarded
    const message = {
      headers: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)])),
        "content-type": "application/json",
        accept: "application/json",
        "accept-encoding": "identity"
      },
      body: JSON.stringify({ capability, query, options }),
      maxBytes
    }
    return post(endpoint, message).pipe(
      Effect.catchTag("FetchError", (error) =>
        failed(
          provider,
          error.code === "SCRAPE_PAGE_TOO_LARGE" ? `its answer is larger than ${maxBytes} bytes` : error.message
        )
      ),
      Effect.flatMap((answer) => textOf(provider, answer)),
      Effect.flatMap((text) => recordsOf(provider, text)),
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () => failed(provider, `no complete answer within ${timeoutMillis / 1000} s`, true)
      })
    )
  }
  return call
})

/** The maximum number of connections to one provider. */
const maxForOne = 8

/** The text of an answer with a 2xx status. */
const textOf = (provider: Provider, { status, text }: GuardedPost.Answered) => {
  if (status >= 200 && status < 300) return Effect.succeed(text)
  const redirects = status >= 300 && status < 400 ? ", and redirects are not followed" : ""
  return failed(provider, `it answered with status ${status}${redirects}`)
}

const recordsOf = Effect.fnUntraced(function* (provider: Provider, text: string) {
  if (isDeeperThan(text, maxNesting)) {
    return yield* failed(provider, `its answer is nested deeper than ${maxNesting} levels`)
  }
  const answer = Option.getOrUndefined(decode(text))
  if (answer === undefined) {
    return yield* failed(provider, "its answer is not JSON of the shape { records: [{ name: value, ... }, ...] }")
  }
  const { records } = answer
  if (records.length <= provider.maxRecords) return records
  return yield* failed(provider, `it gave ${records.length} records, and ${provider.maxRecords} are allowed`)
})

const decode = Schema.decodeOption(Schema.fromJsonString(ProviderAnswer))

/** The same as for requests to this service. */
const maxNesting = 100

const failed = ({ id, name }: Provider, why: string, isLate = false) =>
  new ProviderFailed({
    provider: id,
    isLate,
    message: `the data provider ${name} (${id}) gave no records: ${why}; nothing was charged`
  })
