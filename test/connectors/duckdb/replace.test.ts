import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { links, pages } from "#testing/specimens"
import { askSql } from "./askSql.ts"
import { visit, withRun } from "./visit.ts"

const [parents, children] = [withRun(pages), withRun(links)]
const page = (url: string, version: number) => ({ url, title: null, version })
const link = (page_url: string, at: number) => ({ page_url, at, href: "#" })
const first = { run: "run-1", write: "replace" } as const

it.effect("where nothing stays, the table is the run's, columns included; where rows stay, so do theirs", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const wide = Table.extend(parents, [{ name: "color", type: { _tag: "BIGINT" }, nullable: true }])
    const text = Table.extend(parents, [{ name: "color", type: { _tag: "VARCHAR" }, nullable: true }])
    const shape = () =>
      askSql(
        join(directory, "w.duckdb"),
        "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'pages'"
      )
    const rows = () =>
      askSql(join(directory, "w.duckdb"), "SELECT COLUMNS('url|version|color') FROM pages ORDER BY url")
    const load = (table: Table.Table, run: string, some: ReadonlyArray<Table.Row>, more: object = {}) =>
      visit({ directory, ...first, run, rows: [[table, some]], ...more })
    yield* load(
      wide,
      "run-1",
      ["/a", "/b", "/c"].map((url, at) => ({ ...page(url, 1), color: at }))
    )

    const keeping = yield* load(parents, "run-2", [page("/a", 2)], { kept: ["pages", [{ url: "/b" }]] })
    expect(yield* rows()).toEqual(["/a 2 null", "/b 1 1"])
    expect(yield* shape()).toEqual([
      "url VARCHAR",
      "title VARCHAR",
      "version BIGINT",
      "_run_id VARCHAR",
      "color BIGINT"
    ])
    expect(keeping.tables?.["pages"]).toEqual({ received: 1, written: 1, unchanged: 0, superseded: 0, kept: 1 })

    yield* load(text, "run-3", [{ ...page("/a", 3), color: "red" }], { complete: false })
    expect(yield* rows()).toEqual(["/a 3 red", "/b 1 1"])

    yield* load(parents, "run-4", [page("/a", 4)])
    expect(yield* rows()).toEqual(["/a 4"])
    expect(yield* shape()).toEqual(["url VARCHAR", "title VARCHAR", "version BIGINT", "_run_id VARCHAR"])
  })
)

it.effect(
  "an incomplete run leaves what it did not write, of many rows or few, with their children and grandchildren",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const words = withRun(
        Table.make({
          name: "words",
          description: "words of links",
          schema: Schema.Struct({ page_url: Schema.String, at: Schema.Int, word: Schema.String }),
          parent: { table: "links", on: { page_url: "page_url", at: "at" } }
        })
      )
      const word = ({ at, page_url }: ReturnType<typeof link>) => ({ page_url, at, word: `w${at}` })
      const load = (run: string, urls: ReadonlyArray<string>, at: number, more: object = {}) => {
        const some = urls.map((url) => link(url, at))
        return visit({
          directory,
          ...first,
          run,
          rows: [
            [parents, urls.map((url) => page(url, at))],
            [children, some],
            [words, some.map(word)]
          ],
          ...more
        })
      }
      const names = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`)
      const seen = () =>
        askSql(
          join(directory, "w.duckdb"),
          `SELECT p.version, count(DISTINCT url), count(DISTINCT (l.page_url, l.at)), count(DISTINCT (w.page_url, w.at)),
          (SELECT count(*) FROM links), (SELECT count(*) FROM words)
          FROM pages AS p LEFT JOIN links AS l ON l.page_url = url AND l.at = version
          LEFT JOIN words AS w ON w.page_url = url AND w.at = version GROUP BY ALL ORDER BY ALL`
        )
      yield* load("run-1", names(5000), 1)

      const few = yield* load("run-2", names(10), 2, { complete: false })
      expect(yield* seen()).toEqual(["1 4990 4990 4990 5000 5000", "2 10 10 10 5000 5000"])
      expect(Object.values(few.tables ?? {}).map(({ kept }) => kept)).toEqual([4990, 4990, 4990])

      const many = yield* load("run-3", names(4000), 3, { complete: false })
      expect(yield* seen()).toEqual(["1 1000 1000 1000 5000 5000", "3 4000 4000 4000 5000 5000"])
      expect(Object.values(many.tables ?? {}).map(({ kept }) => kept)).toEqual([1000, 1000, 1000])

      yield* load("run-4", names(1), 4, { kept: ["pages", [{ url: "/4999" }, { url: "/0" }, { url: "/none" }]] })
      expect(yield* seen()).toEqual(["1 1 1 1 2 2", "4 1 1 1 2 2"])
    })
)

it.effect("of rows without a key, an incomplete run takes the place of those that say the same", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const notes = withRun(
      Table.make({
        name: "notes",
        description: "notes",
        schema: Schema.Struct({ text: Schema.NullOr(Schema.String), tags: Schema.NullOr(Schema.Array(Schema.String)) })
      })
    )
    const load = (run: string, texts: ReadonlyArray<string | null>, complete: boolean) =>
      visit({ directory, ...first, run, rows: [[notes, texts.map((text) => ({ text, tags: [] }))]], complete })
    const seen = () => askSql(join(directory, "w.duckdb"), "SELECT text, _run_id FROM notes ORDER BY ALL")
    yield* load("run-1", ["a", "b", null], true)

    yield* load("run-2", ["a", null], false)
    expect(yield* seen()).toEqual(["a run-2", "b run-1", "null run-2"])

    yield* load("run-3", ["c"], true)
    expect(yield* seen()).toEqual(["c run-3"])
  })
)

it.effect("of rows without a key, an incomplete run replaces them whatever their columns are called", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const name of ["m", "n", "o", "print"]) {
      const notes = withRun({
        name: `notes_${name}`,
        description: "notes",
        key: [],
        columns: ["id", name].map((column) => ({ name: column, type: { _tag: "VARCHAR" as const }, nullable: true }))
      })
      const load = (run: string, cells: Readonly<Record<string, string>>, complete: boolean) => {
        const rows = Object.entries(cells).map(([id, cell]) => ({ id, [name]: cell }))
        return visit({ directory, ...first, run: `${run}-${name}`, pipeline: name, rows: [[notes, rows]], complete })
      }
      yield* load("run-1", { a: "1", b: "1" }, true)

      yield* load("run-2", { a: "1", b: "2" }, false)

      expect(
        yield* askSql(join(directory, "w.duckdb"), `SELECT id, "${name}" FROM notes_${name} ORDER BY ALL`)
      ).toEqual(["a 1", "b 1", "b 2"])
    }
  })
)

it.effect("a history that is replaced is none any more, and an incomplete run leaves it as it is", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const file = join(directory, "w.duckdb")
    const rows = [[parents, [page("/a", 1)]]] as const
    yield* visit({ directory, run: "run-1", write: "scd2", fingerprint: ["version"], rows })
    expect(yield* askSql(file, "SELECT url FROM pages_current")).toEqual(["/a"])

    const load = (complete: boolean) =>
      visit({ directory, ...first, run: "run-2", rows: [[parents, [page("/b", 2)]]], complete })
    expect((yield* Effect.flip(load(false))).message).toContain("table pages of the database is a history")
    expect(yield* askSql(file, "SELECT url FROM pages_current")).toEqual(["/a"])

    yield* load(true)
    expect(yield* askSql(file, "SELECT url FROM pages")).toEqual(["/b"])
    expect(yield* askSql(file, "SELECT view_name FROM duckdb_views() WHERE NOT internal")).toEqual([])
  })
)
