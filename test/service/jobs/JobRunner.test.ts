import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { startPulse } from "#service/jobs/JobRunner"
import { lampSchema, origin, shop } from "../agent/shop.ts"
import { behindPort } from "../databases.ts"
import { stores } from "../serviceParts.ts"

behindPort("a job that runs", (database) => {
  it.live("fails where its store does, without what the database says of itself", () =>
    Effect.gen(function* () {
      const place = yield* database.fresh
      const { ended, held, service, start } = yield* shop({ database: place })
      const extract = yield* service.ask("POST", "/v2/extract", {
        body: { urls: [`${origin}/held`], schema: lampSchema }
      })
      yield* held.reached
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`ALTER TABLE crawl_page RENAME TO crawl_page_gone`
      }).pipe(Effect.provide(stores(place)))
      yield* held.open
      const extracted = yield* ended(`/v2/extract/${extract.body.id}`)
      const run = yield* ended(`/v2/agent/${yield* start({ prompt: "the lamp", urls: [`${origin}/lamps/ash`] })}`)

      for (const { error, status } of [extracted, run]) {
        expect([status, error]).toEqual(["failed", "the service could not read or write its store"])
      }
    })
  )
})

describe("the pulse of a job", () => {
  it.effect("wakes who listens at each beat and at the end of the run, and says when that run is over", () =>
    Effect.gen(function* () {
      const pulse = startPulse()
      yield* pulse.start("job")
      const { isOfRun, next } = yield* pulse.listen("job")
      yield* pulse.beat("job")
      yield* next
      const during = isOfRun()
      yield* pulse.stop("job")
      yield* next

      expect([during, isOfRun()]).toEqual([true, false])
    })
  )

  it.effect("of a run that began after somebody listened is not the one that is listened to", () =>
    Effect.gen(function* () {
      const pulse = startPulse()
      const elsewhere = yield* pulse.listen("job")
      yield* pulse.start("job")
      const first = yield* pulse.listen("job")
      yield* pulse.stop("job")
      yield* pulse.start("job")
      const second = yield* pulse.listen("job")

      expect([elsewhere, first, second].map(({ isOfRun }) => isOfRun())).toEqual([false, false, true])
    })
  )
})
