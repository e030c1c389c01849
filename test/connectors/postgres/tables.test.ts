import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe } from "vitest"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { everything, pages } from "#testing/specimens"
import { databaseUrl, placeOf } from "./database.ts"
import { query } from "./readTable.ts"
import { visit } from "./visit.ts"

const url = await databaseUrl()

describe.skipIf(url === undefined)("a table of Postgres", () => {
  const fresh = Effect.map(folder, (directory) => placeOf(url ?? "", directory))
  const ask = (place: { readonly schema: string }, sql: string) =>
    Effect.promise(() => query(placeOf(url ?? "", "").url, `SET search_path = ${place.schema}; ${sql}`))
  const page = (path: string, version: number) => ({ url: path, title: `Page ${path}`, version })

  it.effect("has types of Postgres, NOT NULL, the description and the types of what is JSON as comments", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      yield* visit({ place, run: "run-1", write: "append", rows: [[everything, []]] })

      const columns = yield* Effect.promise(() =>
        query(
          place.url,
          `SELECT a.attname || ' ' || format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
            || coalesce(' -- ' || col_description(attrelid, attnum), '') AS said
            FROM pg_attribute AS a WHERE attrelid = '${place.schema}.everything'::regclass AND attnum > 0 ORDER BY attnum`
        )
      )
      expect(columns.map(({ said }) => said)).toEqual([
        "id bigint NOT NULL",
        "text text",
        "truth boolean",
        "whole bigint",
        "real double precision",
        "exact numeric(18,2)",
        "day date",
        "moment timestamp with time zone",
        "any json",
        'nested json -- STRUCT("name" VARCHAR, "tags" VARCHAR[])',
        'list json -- STRUCT("at" TIMESTAMP, "n" BIGINT)[]'
      ])
      const [table] = yield* Effect.promise(() =>
        query(place.url, `SELECT obj_description('${place.schema}.everything'::regclass) AS said`)
      )
      expect(table?.["said"]).toBe("one column of each type")
    })
  )

  it.effect("says what its columns hold, and leaves what people have said", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      const described = (one: string, two: string): Table.Table => ({
        ...everything,
        columns: everything.columns.map((column) =>
          column.name === "text"
            ? { ...column, description: one }
            : column.name === "nested"
              ? { ...column, description: two }
              : column
        )
      })
      const said = Effect.map(
        Effect.promise(() =>
          query(
            place.url,
            `SELECT col_description(attrelid, attnum) AS said FROM pg_attribute
              WHERE attrelid = '${place.schema}.everything'::regclass AND attname IN ('text', 'nested') ORDER BY attnum`
          )
        ),
        (rows) => rows.map((row) => row["said"])
      )
      const type = 'STRUCT("name" VARCHAR, "tags" VARCHAR[])'
      const load = (run: string, table: Table.Table, write: "append" | "replace" = "append") =>
        visit({ place, run, write, rows: [[table, []]] })

      yield* load("run-1", everything)
      expect(yield* said).toEqual([null, type])
      yield* load("run-2", described("it is text", "it has\nparts"))
      expect(yield* said).toEqual(["it is text", `${type}\nit has\nparts`])
      yield* ask(place, "COMMENT ON COLUMN everything.text IS 'ours'")
      yield* load("run-3", described("another", "others"))
      expect(yield* said).toEqual(["ours", `${type}\nit has\nparts`])
      // The column is a struct still, and not any JSON.
      yield* load("run-4", described("another", "others"), "replace")
      expect(yield* said).toEqual(["ours", `${type}\nit has\nparts`])
    })
  )

  it.effect(
    "has a unique index of its key where it is merged, none for keys that no index holds, and none afterwards",
    () =>
      Effect.gen(function* () {
        const place = yield* fresh
        const indexes = Effect.map(
          Effect.promise(() =>
            query(
              place.url,
              `SELECT indexdef FROM pg_indexes WHERE schemaname = '${place.schema}' AND tablename = 'pages'`
            )
          ),
          (rows) => rows.map(({ indexdef }) => String(indexdef).replace(`${place.schema}.`, ""))
        )
        yield* visit({ place, run: "run-1", write: "merge", rows: [[pages, [page("/a", 1)]]] })
        expect(yield* indexes).toEqual(["CREATE UNIQUE INDEX pages_millrace_key ON pages USING btree (url)"])

        // A text that compresses well would fit even so; this one does not.
        const long = `/${Array.from({ length: 1500 }, (_, at) => (at * 7919).toString(36)).join("")}`
        yield* visit({ place, run: "run-2", write: "merge", rows: [[pages, [page(long, 1), page("/a", 2)]]] })
        yield* visit({ place, run: "run-3", write: "merge", rows: [[pages, [page(long, 2)]]] })

        expect(yield* indexes).toEqual([])
        const rows = yield* Effect.promise(() =>
          query(place.url, `SELECT version FROM ${place.schema}.pages ORDER BY url DESC`)
        )
        expect(rows.map(({ version }) => version).toSorted()).toEqual(["2", "2"])
      })
  )

  it.effect("takes rows that are appended where it was merged, also of one key", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      yield* visit({ place, run: "run-1", write: "merge", rows: [[pages, [page("/a", 1)]]] })
      const { rows } = yield* visit({ place, run: "run-2", write: "append", rows: [[pages, [page("/a", 2)]]] })

      expect(rows).toEqual({ pages: 1 })
    })
  )

  it.effect("keeps jsonb where somebody chose it, and refuses there what jsonb cannot hold", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      const row = (id: number, any: unknown) => ({ id, any })
      yield* visit({ place, run: "run-1", write: "append", rows: [[everything, [row(1, { b: 1, a: "\u0000" })]]] })
      yield* ask(
        place,
        `UPDATE everything SET "any" = '{"b": 1, "a": 2}'; ALTER TABLE everything ALTER COLUMN "any" TYPE jsonb`
      )
      yield* visit({ place, run: "run-2", write: "append", rows: [[everything, [row(2, { b: 2, a: [null] })]]] })
      const refused = yield* Effect.flip(
        visit({ place, run: "run-3", write: "append", rows: [[everything, [row(3, { a: "\u0000" })]]] })
      )

      expect(refused.message).toContain(
        "column any: a text has U+0000 or half a surrogate pair, which jsonb cannot hold"
      )
      const rows = yield* Effect.promise(() =>
        query(
          place.url,
          `SELECT "any"::text AS said, pg_typeof("any")::text AS type FROM ${place.schema}.everything ORDER BY id`
        )
      )
      expect(rows).toEqual([
        { said: '{"a": 2, "b": 1}', type: "jsonb" },
        { said: '{"a": [null], "b": 2}', type: "jsonb" }
      ])
    })
  )

  it.effect(
    "of a history has a view of what is in force, also after its columns change, and leaves a name that is taken",
    () =>
      Effect.gen(function* () {
        const place = yield* fresh
        const wide = Table.extend(
          {
            ...pages,
            columns: pages.columns.map((column) =>
              column.name === "version" ? { ...column, type: { _tag: "VARCHAR" } as const } : column
            )
          },
          [{ name: "color", type: { _tag: "VARCHAR" }, nullable: true }]
        )
        const load = (run: string, table: Table.Table, rows: ReadonlyArray<Table.Row>) =>
          visit({ place, run, write: "scd2", fingerprint: ["version"], rows: [[table, rows]] })
        yield* load("run-1", pages, [page("/a", 1), page("/b", 1)])
        yield* load("run-2", pages, [page("/a", 2)])
        yield* load("run-3", wide, [{ url: "/a", title: "Page /a", version: "3", color: "red" }])

        const rows = yield* Effect.promise(() =>
          query(place.url, `SELECT url, version, color FROM ${place.schema}.pages_current ORDER BY url`)
        )
        expect(rows).toEqual([
          { url: "/a", version: "3", color: "red" },
          { url: "/b", version: "1", color: null }
        ])
        const taken = yield* fresh
        yield* Effect.promise(() =>
          query(place.url, `CREATE SCHEMA ${taken.schema}; CREATE TABLE ${taken.schema}.pages_current (mine int)`)
        )
        yield* visit({
          place: taken,
          run: "run-1",
          write: "scd2",
          fingerprint: ["version"],
          rows: [[pages, [page("/a", 1)]]]
        })
        expect(yield* Effect.promise(() => query(place.url, `SELECT * FROM ${taken.schema}.pages_current`))).toEqual([])
      })
  )

  it.effect("that is replaced stays the table that it was, with grants, and gets the columns of the run", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      yield* visit({ place, run: "run-1", write: "replace", rows: [[pages, [page("/a", 1)]]] })
      const identity = Effect.promise(() =>
        query(
          place.url,
          `SELECT oid, relacl::text AS grants FROM pg_class WHERE oid = '${place.schema}.pages'::regclass`
        )
      )
      yield* ask(place, `GRANT SELECT ON pages TO PUBLIC; ALTER TABLE pages ADD COLUMN extra int`)
      const before = yield* identity
      yield* visit({ place, run: "run-2", write: "replace", rows: [[pages, [page("/b", 2)]]] })

      expect(yield* identity).toEqual(before)
      expect(yield* Effect.promise(() => query(place.url, `SELECT * FROM ${place.schema}.pages`))).toEqual([
        { url: "/b", title: "Page /b", version: "2" }
      ])
    })
  )

  it.effect("is refused where names would be cut, where its name is a view, and where a type is not ours", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      const refusal = (table: Table.Table, write: "append" | "merge" = "append") =>
        Effect.map(Effect.flip(visit({ place, run: "run-9", write, rows: [[table, []]] })), ({ message }) => message)
      const of = (name: string, columns: Record<string, Schema.Top>) =>
        Table.make({ name, description: "", schema: Schema.Struct(columns) })
      yield* Effect.promise(() =>
        query(
          place.url,
          `CREATE SCHEMA ${place.schema}; CREATE VIEW ${place.schema}.pages AS SELECT 1 AS one;
          CREATE TABLE ${place.schema}.things (id integer)`
        )
      )

      expect(yield* refusal(of("a".repeat(64), { id: Schema.Int }))).toContain("more than 63 bytes")
      expect(yield* refusal(of("t", { [`${"ü".repeat(31)}ab`]: Schema.Int }))).toContain("more than 63 bytes")
      expect(yield* refusal(of("t", { ctid: Schema.Int }))).toContain("every table of Postgres has a column ctid")
      expect(yield* refusal(pages)).toContain("the database has a view of this name")
      expect(yield* refusal(of("things", { id: Schema.Int }))).toContain(
        "column id of table things is integer in the database"
      )
      const nested = { ...of("t", { id: Schema.Struct({ a: Schema.Int }) }), key: ["id"] }
      expect(yield* refusal(nested, "merge")).toContain("its key id is JSON in Postgres")
    })
  )

  it.effect("keeps every digit when a column is widened, and a struct reads as its new type", () =>
    Effect.gen(function* () {
      const place = yield* fresh
      const of = (type: Column.ColumnType): Table.Table => ({
        name: "t",
        description: "",
        key: [],
        columns: [{ name: "v", type, nullable: true }]
      })
      yield* visit({ place, run: "run-1", write: "append", rows: [[of({ _tag: "BIGINT" }), [{ v: 2n ** 53n + 1n }]]] })
      yield* visit({ place, run: "run-2", write: "append", rows: [[of({ _tag: "BOOLEAN" }), [{ v: true }]]] })

      const rows = yield* Effect.promise(() => query(place.url, `SELECT v::text AS v FROM ${place.schema}.t`))
      expect(rows.map(({ v }) => v)).toEqual(['"9007199254740993"', "true"])
    })
  )
})
