/** A monitor of a scripted site, whose pages a test changes between checks. */
import * as Effect from "effect/Effect"
import type { ServiceConfig } from "#service/ServiceConfig"
import type { Database } from "../databases.ts"
import { type Answer, page, scriptedSite } from "../scriptedSite.ts"
import { hosts, type Service } from "../served.ts"

export const origin = "http://site.test"

/** Pages that may be set and taken away; one that is not there is 404. */
export const changing = (pages: Record<string, Answer>) => pages

export interface Watched {
  readonly service: Service
  readonly pages: Record<string, Answer>
  readonly requests: ReadonlyArray<string>
}

export const watched = Effect.fnUntraced(function* (
  database: Database,
  pages: Record<string, Answer>,
  config: Partial<ServiceConfig> = {}
) {
  const site = yield* scriptedSite(pages)
  const service = yield* database.served({ allowPrivate: true, resolve: hosts(site.port), ...config })
  const watched: Watched = { service, pages, requests: site.requests }
  return watched
})

export const crawlTarget = { type: "crawl", url: `${origin}/`, crawlOptions: { sitemap: "skip" } }

export const create = (service: Service, request: object = {}) =>
  Effect.gen(function* () {
    const body = { name: "Site", schedule: { text: "daily at 9:00" }, targets: [crawlTarget], ...request }
    const { body: made, status } = yield* service.ask("POST", "/v2/monitor", { body })
    if (status !== 200) return yield* Effect.die(new Error(JSON.stringify(made)))
    return made.data
  })

/** A check by hand, waited for: the check with its pages, and statuses by path. */
export const check = Effect.fnUntraced(function* (service: Service, monitorId: string) {
  const { body } = yield* service.ask("POST", `/v2/monitor/${monitorId}/run`, { body: {} })
  if (body.success !== true) return yield* Effect.die(new Error(JSON.stringify(body)))
  return yield* ended(service, monitorId, body.id)
})

export const ended = Effect.fnUntraced(function* (service: Service, monitorId: string, checkId: string) {
  for (;;) {
    const { body } = yield* service.ask("GET", `/v2/monitor/${monitorId}/checks/${checkId}?limit=1000`)
    if (!["queued", "running"].includes(body.data.status)) return viewOf(body.data)
    yield* Effect.promise(() => new Promise((done) => setTimeout(done, 5)))
  }
})

const viewOf = (data: any) => ({
  ...data,
  statuses: Object.fromEntries(
    data.pages.map(({ status, url }: { status: string; url: string }) => [url.replace(origin, ""), status]).toSorted()
  ) as Record<string, string>,
  page: (path: string) => data.pages.find(({ url }: { url: string }) => url === `${origin}${path}`)
})

export const article = (title: string, ...texts: ReadonlyArray<string>) =>
  page(title).replace("</main>", `${texts.map((text) => `<p>${text}</p>`).join("")}</main>`)
