import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { expect } from "vitest"
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
