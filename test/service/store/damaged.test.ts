/** A database of the service that was damaged: it costs jobs, and not the service. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { stores } from "#service/store/stores"
import { CrawlStore } from "#web/CrawlStore"
import type { Job } from "#web/Job"
import { JobStore } from "#web/JobStore"

const job = (id: string): Job => ({
  id,
  kind: "crawl",
  teamId: "team",
  url: "http://site.test/",
  request: '{"scrapeOptions":{"headers":{"cookie":"secret"}}}',
  status: "scraping",
  createdAt: 1,
  completedAt: null,
  error: null,
  warning: null
})

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-test-damaged-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const using = <A, E>(
  file: string,
  use: (jobs: JobStore["Service"], pages: CrawlStore["Service"]) => Effect.Effect<A, E>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const context = yield* Layer.build(stores(file))
      return yield* use(Context.get(context, JobStore), Context.get(context, CrawlStore))
    })
  )

it.effect("a changed value of a page fails its job while it runs, and warns of it after it ended; others stay", () =>
  Effect.gen(function* () {
    const file = join(yield* folder, "service.sqlite")
    yield* using(
      file,
      Effect.fnUntraced(function* (jobs, pages) {
        for (const id of ["one", "two", "three"]) {
          yield* jobs.create(job(id))
          const url = `http://site.test/of-${id}`
          yield* pages.discover(id, [{ seq: 0, key: url, url, depth: 0, kind: "start", state: "queued" }])
        }
        yield* jobs.finish("two", { status: "completed" }, "owner")
      })
    )
    const bytes = readFileSync(file)
    for (const name of ["of-one", "of-two"]) bytes[bytes.indexOf(`/${name}http`) + 1] = "a".charCodeAt(0)
    writeFileSync(file, bytes)

    for (let start = 0; start < 2; start++) {
      const [one, two, three] = yield* using(file, (jobs) =>
        Effect.forEach(["one", "two", "three"], (id) => Effect.map(jobs.get(id), Option.getOrThrow))
      )
      const lost = "the database of the service was damaged, and something of this job is lost: start it again"
      expect([one?.status, one?.error]).toEqual(["failed", lost])
      expect([two?.status, two?.warning]).toEqual(["completed", lost])
      expect([three?.status, three?.error, three?.warning]).toEqual(["scraping", null, null])
    }
  })
)

it.effect(
  "another seal-key is refused with the command that mends it, and a new one is made in place of a lost one",
  () =>
    Effect.gen(function* () {
      const place = yield* folder
      const [file, key] = [join(place, "service.sqlite"), join(place, "seal-key")]
      yield* using(file, (jobs) => jobs.create(job("one")))
      appendFileSync(key, "0")
      const refused = yield* Effect.exit(using(file, () => Effect.void))
      expect(Exit.isFailure(refused) ? String(refused.cause) : "").toMatch(
        /seal-key is not the key that the database beside it was sealed with: .*put it back from a backup, or `rm .*seal-key`/
      )
      rmSync(key)
      expect(Option.isSome(yield* using(file, (jobs) => jobs.get("one")))).toBe(true)
      yield* using(file, () => Effect.void)
    })
)
