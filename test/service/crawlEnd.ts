/** The status of a crawl once it has ended, with all its pages. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Embedded from "#service/Embedded"

export const crawlEnd = Effect.fnUntraced(function* (id: string) {
  const client = yield* HttpClient.HttpClient
  for (let skip = 0; ; ) {
    // A request at the end of a crawl that runs is held until there is news.
    const held: any = yield* Effect.flatMap(
      client.get(`${Embedded.baseUrl}/v2/crawl/${id}?skip=${skip}`),
      (it) => it.json
    )
    skip += held.data.length
    if (held.status === "scraping") continue
    const whole: any = yield* Effect.flatMap(client.get(`${Embedded.baseUrl}/v2/crawl/${id}`), (it) => it.json)
    return whole
  }
})
