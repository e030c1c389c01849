/**
 * A web search by a server that speaks SearXNG's JSON: GET {url}/search?q=...&format=json.
 *
 * The operator chooses the server, which may be on this machine, so it is not called through the address guard; the URLs in
 * its answers are. If it cannot be reached, the message for callers omits user name and password of its URL.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpUrl from "#contract/HttpUrl"
import type { WebHit } from "../SearchHit.ts"

export interface Options {
  readonly kind?: "general" | "news" | "images"
  readonly range?: "day" | "week" | "month" | "year" | undefined
}

export class WebSearchFailed extends Schema.TaggedError<WebSearchFailed>()("WebSearchFailed", {
  message: Schema.String
}) {}

const optionalText = Schema.optional(Schema.NullOr(Schema.String))
const Answer = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      url: Schema.String,
      title: optionalText,
      content: optionalText,
      publishedDate: optionalText,
      img_src: optionalText,
      resolution: optionalText
    })
  )
})
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Answer))

export const searxng = Effect.fn("searxng")(function* (
  base: URL,
  words: string,
  limit: number,
  { kind = "general", range }: Options = {}
): Effect.fn.Return<ReadonlyArray<WebHit>, WebSearchFailed> {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, "")}/search`
  url.searchParams.set("q", words.slice(0, maxWords))
  url.searchParams.set("format", "json")
  if (kind !== "general") url.searchParams.set("categories", kind)
  if (range !== undefined) url.searchParams.set("time_range", range)
  const failed = (what: string) => new WebSearchFailed({ message: `the web search at ${base.origin} ${what}` })
  const headers = { accept: "application/json", ...credentialsOf(url) }
  const text = yield* Effect.tryPromise({
    try: async (signal) => {
      const answer = await fetch(url, { signal, headers, redirect: "error" })
      if (!answer.ok) throw new Error(`answers ${answer.status}`)
      return textOf(answer)
    },
    catch: (cause) => failed(`cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`)
  }).pipe(Effect.timeoutOrElse({ duration: "15 seconds", orElse: () => failed("does not answer within 15 s") }))
  const { results } = yield* Effect.mapError(decode(text), () =>
    failed("did not answer with a list of results; enable its json format")
  )
  return results
    .filter((result) => HttpUrl.isHttpUrl(result.url))
    .slice(0, limit)
    .map(({ content, img_src: image, publishedDate, resolution, title, url }) => ({
      url: url.trim(),
      title: (title ?? "").slice(0, maxTitle),
      description: (content ?? "").slice(0, maxDescription),
      ...publishedOf(publishedDate ?? ""),
      ...(image != null && HttpUrl.isHttpUrl(image)
        ? { image: { url: image.trim(), ...sizeOf(resolution ?? "") } }
        : {})
    }))
})

const publishedOf = (date: string): Pick<WebHit, "publishedAt"> => {
  const publishedAt = Date.parse(date)
  return Number.isNaN(publishedAt) ? {} : { publishedAt }
}

/** Parses "1024 x 768". */
const sizeOf = (resolution: string) => {
  const [, width, height] = /^(\d{1,6})\s*[x×]\s*(\d{1,6})/.exec(resolution) ?? []
  return width === undefined || height === undefined ? {} : { width: Number(width), height: Number(height) }
}

/** Removes user name and password from the URL, and returns them as a header. */
const credentialsOf = (url: URL): Readonly<Record<string, string>> => {
  const { password, username } = url
  if (username === "" && password === "") return {}
  url.username = ""
  url.password = ""
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }
}

const textOf = async ({ body }: Response): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`its answer is longer than ${maxBytes / 1024 / 1024} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const maxBytes = 4 * 1024 * 1024
/** The maximum characters of the title and description of a result, and of the query. */
const maxTitle = 300
const maxDescription = 1000
const maxWords = 500
