/**
 * `ScrapeStore` over SQL.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Struct from "effect/Struct"
import * as SqlClient from "effect/sql/SqlClient"
import { withoutNul } from "#base/withoutNul"
import * as Limits from "#contract/Limits"
import { ScrapeStore } from "#web/ScrapeStore"
import { ProcessLease } from "./ProcessLease.ts"
import * as StorePort from "./StorePort.ts"

const dayMillis = 24 * 60 * 60 * 1000

const limits = {
  scrape_copy: { bytes: 256 * 1024 * 1024, millis: 7 * dayMillis },
  scrape_snapshot: { bytes: 1024 * 1024 * 1024, millis: 400 * dayMillis },
  scrape_result: { bytes: 256 * 1024 * 1024, millis: Limits.retentionMillis },
  rendered_site: { bytes: 16 * 1024 * 1024, millis: 400 * dayMillis }
} as const

/** `forAll`: runs work that one process does for all. */
const make = Effect.fnUntraced(function* ({ forAll }: Pick<ProcessLease["Service"], "forAll">) {
  const sql = yield* SqlClient.SqlClient
  const { account, sweep } = sizeLimits(sql)

  const sweepAll = Effect.forEach(Struct.keys(limits), sweep).pipe(
    Effect.asVoid,
    forAll,
    // A message of the database may quote rows, perhaps of a team with zero data retention: so only the kind of error is logged.
    Effect.catch((error) => {
      const reason = error._tag === "SqlError" ? error.reason._tag : error._tag
      return Effect.logError(`old pages cannot be removed now: ${reason}`)
    })
  )
  yield* Effect.forkScoped(Effect.repeat(sweepAll, Schedule.spaced("1 hour")))

  return StorePort.fromSql<ScrapeStore["Service"]>({
    copy: (key) =>
      Effect.map(
        sql<{ text: string; kept_at: number }>`SELECT text, kept_at FROM scrape_copy WHERE id = ${key}`,
        (rows) =>
          Option.map(Option.fromUndefinedOr(rows[0]), ({ text, kept_at }) => ({ text, cachedAt: Number(kept_at) }))
      ),
    keep: Effect.fnUntraced(function* (key, text) {
      const now = yield* Clock.currentTimeMillis
      const bytes = Buffer.byteLength(text)
      yield* sql`INSERT INTO scrape_copy (id, text, bytes, kept_at) VALUES (${key}, ${text}, ${bytes}, ${now})
        ON CONFLICT (id) DO UPDATE SET text = excluded.text, bytes = excluded.bytes, kept_at = excluded.kept_at`
      yield* account("scrape_copy", bytes)
    }),
    snapshot: ({ teamId, tag, pageKey }) =>
      Effect.map(
        sql<{
          markdown: string
          json: string | null
          content_version: number | null
          kept_at: number
        }>`SELECT markdown, json, content_version, kept_at FROM scrape_snapshot
          WHERE team_id = ${teamId} AND tag = ${withoutNul(tag)} AND page_key = ${pageKey}`,
        (rows) =>
          Option.map(Option.fromUndefinedOr(rows[0]), ({ content_version, markdown, json, kept_at }) => ({
            markdown,
            json,
            contentVersion: content_version === null ? null : Number(content_version),
            scrapedAt: Number(kept_at)
          }))
      ),
    remember: Effect.fnUntraced(function* ({ teamId, tag, pageKey }, { contentVersion, markdown, json }) {
      const now = yield* Clock.currentTimeMillis
      const bytes = Buffer.byteLength(markdown) + Buffer.byteLength(json ?? "")
      yield* sql`INSERT INTO scrape_snapshot (team_id, tag, page_key, markdown, json, content_version, bytes, kept_at)
        VALUES (${teamId}, ${withoutNul(tag)}, ${pageKey}, ${withoutNul(markdown)}, ${json}, ${contentVersion},
          ${bytes}, ${now})
        ON CONFLICT (team_id, tag, page_key) DO UPDATE SET markdown = excluded.markdown, json = excluded.json,
          content_version = excluded.content_version, bytes = excluded.bytes, kept_at = excluded.kept_at`
      yield* account("scrape_snapshot", bytes)
    }),
    result: Effect.fnUntraced(function* (teamId, id) {
      const since = (yield* Clock.currentTimeMillis) - limits.scrape_result.millis
      const [row] = yield* sql<{ document: string }>`SELECT document FROM scrape_result
        WHERE id = ${id} AND team_id = ${teamId} AND kept_at > ${since}`
      return Option.map(Option.fromUndefinedOr(row), ({ document }) => document)
    }),
    keepResult: Effect.fnUntraced(function* (teamId, id, document) {
      const now = yield* Clock.currentTimeMillis
      const bytes = Buffer.byteLength(document)
      yield* sql`INSERT INTO scrape_result (id, team_id, document, bytes, kept_at)
        VALUES (${id}, ${teamId}, ${document}, ${bytes}, ${now})`
      yield* account("scrape_result", bytes)
    }),
    isRendered: (origin) =>
      Effect.map(sql`SELECT id FROM rendered_site WHERE id = ${origin}`, (rows) => rows.length > 0),
    noteRendered: Effect.fnUntraced(function* (origin) {
      const now = yield* Clock.currentTimeMillis
      const bytes = Buffer.byteLength(origin)
      yield* sql`INSERT INTO rendered_site (id, bytes, kept_at) VALUES (${origin}, ${bytes}, ${now})
        ON CONFLICT (id) DO UPDATE SET kept_at = excluded.kept_at`
      yield* account("rendered_site", bytes)
    })
  })
})

/** Keeps the tables within their limits. */
const sizeLimits = (sql: SqlClient.SqlClient) => {
  const sizeOf = (table: keyof typeof limits) =>
    Effect.map(sql<{ bytes: number | null }>`SELECT sum(bytes) AS bytes FROM ${sql(table)}`, (rows) =>
      Number(rows[0]?.bytes ?? 0)
    )

  /** Deletes rows that are too old, then the oldest tenth at a time until the rest fits. */
  const sweep = Effect.fnUntraced(function* (table: keyof typeof limits) {
    const { bytes, millis } = limits[table]
    const before = (yield* Clock.currentTimeMillis) - millis
    yield* sql`DELETE FROM ${sql(table)} WHERE kept_at < ${before}`
    while ((yield* sizeOf(table)) > bytes) {
      const rows = yield* sql<{ n: number }>`SELECT count(*) AS n FROM ${sql(table)}`
      const some = Math.max(1, Math.floor(Number(rows[0]?.n ?? 0) / 10))
      yield* sql`DELETE FROM ${sql(table)} WHERE kept_at <= (
        SELECT max(kept_at) FROM (SELECT kept_at FROM ${sql(table)} ORDER BY kept_at LIMIT ${some}) AS oldest)`
    }
    written[table] = 0
  })

  /** Bytes written since the last sweep. After a tenth of the limit the next sweep runs, so that not each page needs one. */
  const written = { scrape_copy: 0, scrape_snapshot: 0, scrape_result: 0, rendered_site: 0 }
  const account = (table: keyof typeof limits, bytes: number) =>
    Effect.suspend(() => {
      written[table] += bytes
      return written[table] > limits[table].bytes / 10 ? sweep(table) : Effect.void
    })

  return { account, sweep }
}

export const layer = Layer.effect(ScrapeStore, Effect.flatMap(ProcessLease, make))

/** For a process without the other stores. */
export const layerAlone = Layer.effect(ScrapeStore, make({ forAll: (work) => work }))
