import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe } from "vitest"
import { type Options, postgres } from "#connectors/postgres/index"
import * as Column from "#engine/Column"
import { folder } from "#testing/folder"
import { everything, pages, special } from "#testing/specimens"
import { databaseUrl, placeOf } from "./database.ts"
import { query } from "./readTable.ts"
import { visit } from "./visit.ts"

const url = await databaseUrl()

describe.skipIf(url === undefined)("questions to Postgres", () => {
  const loaded = Effect.gen(function* () {
    const place = placeOf(url ?? "", yield* folder)
    const rows = Array.from({ length: 2500 }, (_, version) => ({ url: `/${version}`, title: null, version }))
    yield* visit({ place, run: "run-1", write: "append", rows: [[pages, rows]] })
    yield* visit({ place, run: "run-2", write: "append", rows: [[everything, special]] })
    return place
  })
  const ask = (place: Options, sql: string) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { queries } = postgres.with(place)
        if (queries === undefined) return yield* Effect.die("it answers")
        const { columns, rows } = yield* (yield* queries("/", {})).ask(sql)
        return {
          columns: columns.map(({ name, type }) => `${name} ${Column.toSql(type)}`),
          rows: (yield* Stream.runCollect(rows)).flat()
        }
      })
    )

  it.effect("are answered with the types and the cells of the tables, some at a time", () =>
    Effect.gen(function* () {
      const place = yield* loaded

      const all = yield* ask(place, "FROM pages ORDER BY version;")
      expect(all.columns).toEqual(["url VARCHAR", "title VARCHAR", "version BIGINT"])
      expect(all.rows.map(({ version }) => version)).toEqual(Array.from({ length: 2500 }, (_, at) => BigInt(at)))
      const cells = yield* ask(
        place,
        'SELECT text, truth, whole, "real", exact, day, moment, "any" FROM everything ORDER BY id'
      )
      expect(cells.rows).toEqual(
        special.map(({ any, day, exact, moment, real, text, truth, whole }) => ({
          text,
          truth,
          whole,
          real,
          exact,
          day,
          moment,
          any
        }))
      )
      expect((yield* ask(place, "SHOW TABLES")).rows.map(({ name }) => name)).toEqual([
        "_millrace_checks",
        "_millrace_loads",
        "_millrace_profiles",
        "_millrace_runs",
        "_millrace_state",
        "_millrace_tables",
        "everything",
        "pages"
      ])
      expect((yield* ask(place, "DESCRIBE pages")).rows[0]).toMatchObject({ column_name: "url", column_type: "text" })
      const counted = yield* ask(
        place,
        "SELECT count(*) AS n, 1::int AS one, sum(version) AS sum, '{1,2}'::int[] AS odd FROM pages"
      )
      expect(counted.rows).toEqual([{ n: 2500n, one: 1n, sum: "3123750", odd: "{1,2}" }])
    })
  )

  it.effect("become a Parquet file", () =>
    Effect.gen(function* () {
      const place = yield* loaded
      const file = join(yield* folder, "answer.parquet")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { queries } = postgres.with(place)
          if (queries === undefined) return yield* Effect.die("it answers")
          yield* (yield* queries("/", { file })).toParquet("FROM pages")
        })
      )

      expect(readFileSync(file).subarray(0, 4).toString()).toBe("PAR1")
    })
  )

  it.effect(
    "reach the tables of the schema and functions that compute: no other table, file, setting, program or statement",
    () =>
      Effect.gen(function* () {
        const place = yield* loaded
        yield* Effect.promise(() =>
          query(
            place.url,
            `CREATE SCHEMA IF NOT EXISTS apart; CREATE TABLE IF NOT EXISTS apart.secrets (said text);
          CREATE OR REPLACE FUNCTION ${place.schema}.mine() RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 1';
          CREATE FUNCTION ${place.schema}.less(int, int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 1';
          CREATE OPERATOR ${place.schema}.<<|>> (LEFTARG = int, RIGHTARG = int, FUNCTION = ${place.schema}.less);
          CREATE VIEW ${place.schema}.fine AS SELECT url FROM ${place.schema}.pages;
          CREATE VIEW ${place.schema}.sly AS SELECT said FROM apart.secrets;
          CREATE DOMAIN ${place.schema}.even AS int CHECK (${place.schema}.mine() = 1);
          CREATE TABLE ${place.schema}.parent (said text);
          CREATE TABLE IF NOT EXISTS apart.heir_${place.schema} () INHERITS (${place.schema}.parent);
          CREATE VIEW ${place.schema}.slyer AS SELECT said FROM ${place.schema}.sly`
          )
        )
        const refusal = (sql: string) => Effect.map(Effect.flip(ask(place, sql)), ({ message }) => message)
        const reaching = [
          "SELECT pg_read_file('/etc/passwd')",
          "SELECT * FROM pg_ls_dir('/')",
          "SELECT lo_import('/etc/passwd')",
          "SELECT set_config('role', 'none', true)",
          "SELECT current_setting('data_directory')",
          "SELECT query_to_xml('SELECT 1', true, true, '')",
          "SELECT table_to_xml('pg_authid'::regclass, true, true, '')",
          "SELECT * FROM pages WHERE version IN (SELECT length(pg_read_file('/etc/passwd')))",
          "SELECT url FROM pages GROUP BY url HAVING max(length(pg_read_file('/etc/passwd'))) > 1",
          "SELECT pg_terminate_backend(1)",
          "SELECT txid_current()",
          "SELECT mine()",
          "SELECT 1 OPERATOR(<<|>>) 2",
          "SELECT 1::even",
          "SELECT * FROM parent",
          "SELECT * FROM pg_authid",
          "SELECT * FROM information_schema.tables",
          "SELECT * FROM apart.secrets",
          "WITH x AS (SELECT * FROM apart.secrets) SELECT * FROM x",
          "SELECT * FROM sly",
          "SELECT * FROM slyer"
        ]
        for (const sql of reaching) expect(`${sql}: ${yield* refusal(sql)}`).toMatch(/a query may not/)
        const writing = [
          "DELETE FROM pages",
          "COPY pages TO PROGRAM 'id'",
          "SELECT 1; DROP TABLE pages",
          "WITH x AS (DELETE FROM pages RETURNING url) SELECT * FROM x",
          "SELECT * INTO elsewhere FROM pages",
          "SELECT * FROM pages FOR UPDATE",
          "SELECT 1) AS x; SELECT (1",
          "SET ROLE none"
        ]
        for (const sql of writing) expect(`${sql}: ${yield* refusal(sql)}`).toContain("the query failed")
        expect((yield* ask(place, "SELECT count(*) AS n FROM pages")).rows).toEqual([{ n: 2500n }])
        expect((yield* ask(place, "SELECT count(*) AS n FROM fine")).rows).toEqual([{ n: 2500n }])
        expect((yield* ask(place, "SELECT random() < 2 AS r, upper(max(url)) AS u FROM pages")).rows).toEqual([
          { r: true, u: "/999" }
        ])
      })
  )

  it.effect("of the past are for a lake, or a history", () =>
    Effect.gen(function* () {
      const place = yield* loaded
      const { queries } = postgres.with(place)
      const asOf = { runId: "run-1", pipeline: "p", startedAt: 0n, committedAt: 0n, facts: {}, rows: {} }
      if (queries === undefined) return yield* Effect.die("it answers")
      const error = yield* Effect.flip(Effect.scoped(queries("/", { asOf })))

      expect(error.message).toContain("keeps its tables as they are now")
    })
  )
})
