/** Posts to the embedded service and reads its answer as it is on the wire. */
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as Limits from "#contract/Limits"
import * as Embedded from "#service/Embedded"
import * as ServiceConfig from "#service/ServiceConfig"
import { type Answer, scriptedSite } from "./scriptedSite.ts"

export const origin = "http://site.test"

export interface Answered {
  readonly status: number
  readonly body: any
}

/** A service that finds site.test and other.test at this port, and how to post to it. */
export const service = (port: number, config: Partial<ServiceConfig.ServiceConfig> = {}) =>
  Embedded.layer({
    ...ServiceConfig.defaults,
    resolve: new Map(["site.test", "other.test"].map((host) => [host, { address: "127.0.0.1", port }])),
    ...config
  })

export const post = (path: string, body: HttpBody.HttpBody) =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const response = yield* client.post(`${Embedded.baseUrl}${path}`, { body })
    const answered: Answered = { status: response.status, body: yield* response.json }
    return answered
  })

export const postJson = (path: string, body: unknown) => post(path, HttpBody.jsonUnsafe(body))

/** What a page may take where a test is about something else: what hangs is for the test's own limit. */
export const patient = { timeout: Limits.maxScrapeTimeoutMillis }

/** What scraping "/" of these pages answers. */
export const scrapePage = (
  routes: Readonly<Record<string, Answer>>,
  options: object = {},
  config: Partial<ServiceConfig.ServiceConfig> = {}
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const site = yield* scriptedSite(routes)
      return yield* postJson("/v2/scrape", { url: `${origin}/`, ...patient, ...options }).pipe(
        Effect.provide(service(site.port, config))
      )
    })
  )
