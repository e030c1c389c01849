/**
 * A web search by a server that speaks SearXNG's JSON: GET {url}/search?q=...&format=json.
 *
 * The law: the server is the operator's own choice and may stand on this machine, so it is not asked through the guard
 * of addresses; the addresses that it answers are, when they are read.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Hit } from "./Search.ts"

export class WebSearchFailed extends Schema.TaggedError<WebSearchFailed>()("WebSearchFailed", {
  message: Schema.String
}) {}

const Answer = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      url: Schema.String,
      title: Schema.optional(Schema.NullOr(Schema.String)),
      content: Schema.optional(Schema.NullOr(Schema.String))
    })
  )
})
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Answer))

export const searxng = Effect.fn("searxng")(function* (
  base: URL,
  words: string,
  limit: number
): Effect.fn.Return<ReadonlyArray<Hit>, WebSearchFailed> {
  const url = new URL("search", base.href.endsWith("/") ? base.href : `${base.href}/`)
  url.searchParams.set("q", words.slice(0, mostWords))
  url.searchParams.set("format", "json")
  const failed = (what: string) => new WebSearchFailed({ message: `the web search at ${base.origin} ${what}` })
  const text = yield* Effect.tryPromise({
    try: async (signal) => {
      const answer = await fetch(url, { signal, headers: { accept: "application/json" }, redirect: "error" })
      return answer.ok ? await answer.text() : Promise.reject(new Error(`answers ${answer.status}`))
    },
    catch: (cause) => failed(`cannot be asked: ${cause instanceof Error ? cause.message : String(cause)}`)
  }).pipe(Effect.timeoutOrElse({ duration: "15 seconds", orElse: () => failed("does not answer within 15 s") }))
  const { results } = yield* Effect.mapError(decode(text), () =>
    failed("answers something that is no list of results; its format json must be switched on")
  )
  return results
    .filter((result) => URL.canParse(result.url))
    .slice(0, limit)
    .map((result) => ({ url: result.url, title: result.title ?? "", description: result.content ?? "" }))
})

const mostWords = 500
