/** A page that ends whoever reads it, among the pages of a cluster of three real processes. */
import { mkdtempSync, rmSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { isEveryCase } from "../../thoroughness.ts"
import { onPostgres } from "../databases.ts"
import { deadly, endingsIn, loading } from "../deadlyPages.ts"
import { page, scriptedSite } from "../scriptedSite.ts"
import { crawl, process, readToEnd, urlOf } from "./serveProcess.ts"

const names = Array.from({ length: 9 }, (_, index) => `p${index}.test`)
const poisoned = "p4.test"
const paths = Array.from({ length: 14 }, (_, index) => `/${index}`)

onPostgres("a page that ends who reads it, in a cluster of three", (database) => {
  // In a sample `e2e/killingPage.test.ts` shows it, with one process.
  it.live.runIf(isEveryCase)(
    "ends one process of the service, and then fails; every other page is read, and asked for once more at most",
    () =>
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-poison-"))),
          (path) => Effect.sync(() => rmSync(path, { recursive: true }))
        )
        const endings = join(folder, "endings")
        const asked = new Map<string, number>()
        const counted = (text: (host: string) => string) => (request: IncomingMessage, response: ServerResponse) => {
          const host = (request.headers.host ?? "").split(":")[0] ?? ""
          const key = `${host}${request.url}`
          asked.set(key, (asked.get(key) ?? 0) + 1)
          response.writeHead(200, { "content-type": "text/html" }).end(text(host))
        }
        const begun = Promise.withResolvers<void>()
        const poison = counted((host) => `${host === poisoned ? deadly : ""}${page("poison")}`)
        const site = yield* scriptedSite({
          "/": counted(() => page("home", ...paths.slice(0, 7), "/poison", ...paths.slice(7))),
          ...Object.fromEntries(paths.map((path) => [path, counted(() => page(path))])),
          // Not before the crawl is known: who would be told of it may end.
          "/poison": (...exchange) => void begun.promise.then(() => poison(...exchange))
        })
        const url = urlOf(yield* database.fresh)
        const serve = process(url, site.port, names, [], { inside: loading(endings) })
        const processes = yield* Effect.all([serve, serve, serve], { concurrency: 3 })
        const ids = yield* Effect.forEach(names, (name, at) =>
          crawl(processes[at % 3]?.url ?? "", name, { maxConcurrency: 3 })
        )
        begun.resolve()
        const ended = yield* Effect.raceAll(processes.map((one) => Effect.as(one.ended, one.pid)))
        const reader = processes.find(({ pid }) => pid !== ended)?.url ?? ""
        const read = yield* Effect.all(
          ids.map((id) => readToEnd(reader, id)),
          { concurrency: "unbounded" }
        )

        const [service, quarantine, ...more] = endingsIn(endings)
        expect(service?.pid).toBe(ended)
        expect(processes.filter(({ pid }) => pid !== ended).map(({ pid }) => pid)).toContain(quarantine?.parent)
        expect(more).toEqual([])
        for (const [at, { error, errors, ledger, status, titles }] of read.entries()) {
          const failed = names[at] === poisoned ? 1 : 0
          expect({ at, status, error }).toEqual({ at, status: "completed", error: undefined })
          expect(ledger).toMatchObject({ discovered: paths.length + 2, failed, scraped: paths.length + 2 - failed })
          expect(titles.length).toBe(ledger.scraped)
          expect(new Set(titles).size).toBe(titles.length)
          expect(errors.map(({ code }) => code)).toEqual(failed === 1 ? ["SCRAPE_PAGE_ENDED_PROCESS"] : [])
        }
        for (const [key, times] of asked) expect({ key, times: Math.max(times, 2) }).toEqual({ key, times: 2 })
      }),
    180_000
  )
})
