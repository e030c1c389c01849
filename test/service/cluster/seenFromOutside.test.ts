import * as PgClient from "@effect/sql-pg/PgClient"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import { onPostgres } from "../databases.ts"
import { served } from "../served.ts"
import { urlOf } from "./serveProcess.ts"

const cluster = { advertise: { host: "127.0.0.1", port: 0 } }
const operatorKey = Redacted.make("operator")
const elsewhere = { "x-forwarded-for": "192.0.2.7" }

describe("the cluster, where one process has the database for itself", () => {
  it.live("is empty, and for the operator alone", () =>
    Effect.gen(function* () {
      const service = yield* served({ operatorKey })
      const others = yield* service.ask("GET", "/cluster", { headers: elsewhere })

      expect((yield* service.ask("GET", "/cluster")).body).toEqual({ success: true, processes: [] })
      expect(others.status).toBe(403)
      expect(others.body.error).toBe(
        "Forbidden: the cluster is for callers on this machine, and for callers that send the operator's key"
      )
    })
  )
})

onPostgres("the cluster, seen from outside", (databases) => {
  it.live("is all processes that are there, the same through each, and for the operator alone", () =>
    Effect.gen(function* () {
      const database = yield* databases.fresh
      const one = yield* served({ database, cluster, operatorKey })
      const other = yield* served({ database, cluster, operatorKey })
      const seen = yield* other.ask("GET", "/cluster", {
        headers: { ...elsewhere, authorization: "Bearer operator" }
      })
      const addresses = ({ processes }: { readonly processes: ReadonlyArray<{ readonly address: string }> }) =>
        processes.map(({ address }) => address)

      expect(seen.body).toMatchObject({ success: true, hosts: 0, waiting: 0, moves: 0, silent: [] })
      expect(seen.body.processes).toHaveLength(2)
      expect(seen.body.processes.map(({ state }: { state: string }) => state)).toEqual(["serving", "serving"])
      expect(addresses((yield* one.ask("GET", "/cluster")).body)).toEqual(addresses(seen.body))
      expect((yield* one.ask("GET", "/cluster", { headers: elsewhere })).status).toBe(403)
    })
  )

  it.live("refuses a process whose messages the others do not understand", () =>
    Effect.gen(function* () {
      const database = yield* databases.fresh
      yield* served({ database, cluster })
      yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`INSERT INTO cluster_process (owner, address, version, report, reported_at)
          VALUES ('another', '10.0.0.9:3100', 99, '{}', (extract(epoch FROM clock_timestamp()) * 1000)::bigint)`
      ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(urlOf(database)), maxConnections: 1 })))
      const exit = yield* Effect.exit(served({ database, cluster }))

      expect(Exit.isFailure(exit)).toBe(true)
      expect(String(exit)).toContain("served by 10.0.0.9:3100 with version 99")
    })
  )
})
