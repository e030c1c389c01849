import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { govQueries, type QueryOptions } from "#connectors/webdata/gov/govQueries"
import { folder } from "#testing/folder"
import { runSql } from "../../duckdb/runSql.ts"

/** The queries that options name, in a folder with these files; or why there are none. */
const queriesOf = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string>>,
  options: (at: (name: string) => string) => QueryOptions
) {
  const directory = yield* folder
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const found = yield* Effect.result(
    govQueries(
      options((name) => name),
      directory
    )
  )
  return found._tag === "Success" ? found.success : found.failure.message.replaceAll(directory, "")
}, Effect.scoped)

describe("the queries of a search", () => {
  it.live("are a list, each once, without blanks around", () =>
    Effect.gen(function* () {
      expect(yield* queriesOf({}, () => ({ queries: [" 17 U.S.C. § 101", "rent", "17 U.S.C. § 101 ", "\t"] }))).toEqual(
        ["17 U.S.C. § 101", "rent"]
      )
    })
  )

  it.live("are the lines of a file", () =>
    Effect.gen(function* () {
      const files = { "queries.txt": '\uFEFFrent, "raised"\r\n\r\n  17 U.S.C. § 101\nrent\nquiet hours' }

      expect(yield* queriesOf(files, (at) => ({ file: at("queries.txt") }))).toEqual([
        'rent, "raised"',
        "17 U.S.C. § 101",
        "rent",
        "quiet hours"
      ])
    })
  )

  it.live("are a column of a table, the first unless told", () =>
    Effect.gen(function* () {
      const files = {
        "a.csv": 'id,question\n1,"rent, raised"\n2,\n3,00123\n',
        "b.tsv": "question\tid\nrent, raised\t1\n",
        "c.jsonl": '{"id":1,"question":"rent"}\n{"id":2,"question":null}\n{"id":3,"question":"quiet \\"hours\\""}\n',
        "d.json": '["rent", "quiet hours"]',
        "e.csv": "question\nrent\nquiet hours\n"
      }
      const column = "question"

      expect(yield* queriesOf(files, (at) => ({ file: at("a.csv"), column }))).toEqual(["rent, raised", "00123"])
      expect(yield* queriesOf(files, (at) => ({ file: at("a.csv") }))).toEqual(["1", "2", "3"])
      expect(yield* queriesOf(files, (at) => ({ file: at("b.tsv") }))).toEqual(["rent, raised"])
      expect(yield* queriesOf(files, (at) => ({ file: at("c.jsonl"), column }))).toEqual(["rent", 'quiet "hours"'])
      expect(yield* queriesOf(files, (at) => ({ file: at("d.json") }))).toEqual(["rent", "quiet hours"])
      expect(yield* queriesOf(files, (at) => ({ file: at("e.csv") }))).toEqual(["rent", "quiet hours"])
    })
  )

  it.live("are rows of SQL over files, and over a database that stays as it is", () =>
    Effect.gen(function* () {
      const found = yield* Effect.scoped(
        Effect.gen(function* () {
          const directory = yield* folder
          const database = join(directory, "w.duckdb")
          yield* runSql(database, ["CREATE TABLE asked AS SELECT unnest(['b', 'a', NULL, 'b']) AS q"])
          writeFileSync(join(directory, "a.csv"), "q\nrent\nhours\n")
          return {
            file: yield* govQueries({ sql: "SELECT upper(q) FROM 'a.csv' ORDER BY 1 -- by name" }, directory),
            stored: yield* govQueries({ sql: "SELECT q || '?' AS q, 1 FROM asked", database }, directory),
            written: yield* Effect.flip(govQueries({ sql: "DROP TABLE asked", database }, directory)),
            again: yield* govQueries({ sql: "SELECT 1, q FROM asked", database, column: "q" }, directory)
          }
        })
      )

      expect(found).toMatchObject({ file: ["HOURS", "RENT"], stored: ["b?", "a?"], again: ["b", "a"] })
      expect(found.written.message).toContain("cannot read the queries of `sql`")
    })
  )

  it.live("that cannot be read are an error that names the file, and what is there", () =>
    Effect.gen(function* () {
      const files = { "a.csv": "id,question\n1,rent\n", "b.txt": "rent" }

      expect(yield* queriesOf(files, (at) => ({ file: at("a.csv"), column: "querry" }))).toBe(
        "cannot read the queries of a.csv: there is no column querry; columns: id, question"
      )
      expect(yield* queriesOf(files, (at) => ({ file: at("b.txt"), column: "question" }))).toMatch(
        /^cannot read the queries of b.txt: lines of text have no column question/
      )
      expect(yield* queriesOf({}, (at) => ({ file: at("none.txt") }))).toMatch(
        /^cannot read the queries of none.txt: .+/
      )
      expect(yield* queriesOf({}, () => ({ sql: "SELEC 1" }))).toMatch(
        /^cannot read the queries of `sql`: Parser Error: /
      )
    })
  )
})
