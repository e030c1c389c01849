import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import * as Stage from "#engine/Stage"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"

const pages = Table.make({
  name: "pages",
  description: "pages",
  key: ["url"],
  schema: Schema.Struct({
    url: Schema.String,
    title: Schema.NullOr(Schema.String),
    status_code: Schema.Int,
    words: Schema.NullOr(Schema.Array(Schema.String)),
    at: Schema.NullOr(Column.Timestamp)
  })
})
const links = Table.make({
  name: "links",
  description: "links",
  key: ["page", "n"],
  parent: { table: "pages", on: { page: "url" } },
  schema: Schema.Struct({ page: Schema.String, n: Schema.Int })
})

const page = (url: string, more: Table.Row = {}): Stage.Staged => ({
  row: { url, title: `T ${url}`, status_code: 200, words: ["a", url], at: 1_700_000_000_000_000n, ...more },
  presence: "seen"
})
const link = (page: string, n: number): Stage.Staged => ({ row: { page, n }, presence: "seen" })

const some = [page("/a"), page("/b", { title: null }), page("/c", { status_code: 500 }), page("/a", { title: "again" })]

const planOf = (folder: string, more: Partial<Stage.Plan> = {}): Stage.Plan => ({
  folder,
  tables: [pages, links],
  steps: [],
  checks: [],
  key: undefined,
  fingerprint: () => ["title"],
  fingerprints: undefined,
  reopen: false,
  ...more
})

const open = (plan: Stage.Plan) => Effect.flatMap(Stage.Stages, (stages) => stages.open(plan))
const rowsOf = (stage: Stage.Stage, table: string) =>
  Effect.map(Stream.runCollect(stage.rows(table)), (chunks) => chunks.flat().map(({ row }) => row))

/** Stages the pages and their links, takes the steps, and gives the rows that come out. */
const through = (steps: Stage.Plan["steps"], more: Partial<Stage.Plan> = {}) =>
  Effect.gen(function* () {
    const stage = yield* open(planOf(yield* folder, { steps, ...more }))
    yield* stage.write("pages", some)
    yield* stage.write("links", [link("/a", 1), link("/b", 1), link("/c", 1), link("/c", 2)])
    const counts = yield* stage.finish
    return { stage, counts, pages: yield* rowsOf(stage, "pages"), links: yield* rowsOf(stage, "links") }
  })

const urls = (rows: ReadonlyArray<Table.Row>) => rows.map(({ url }) => url)

const failing = (more: Partial<Stage.Plan>) =>
  Effect.flatMap(folder, (directory) => Effect.flip(open(planOf(directory, more))))

const law = <E>(sentence: string, run: Effect.Effect<void, E, Stage.Stages | import("effect/Scope").Scope>) =>
  it.effect(sentence, () => Effect.provide(Effect.scoped(run), Stages.layer))

describe("the stage", () => {
  law(
    "gives the rows back as they came, in their order, with what they say of their thing",
    Effect.gen(function* () {
      const stage = yield* open(planOf(yield* folder))
      const many = Array.from(
        { length: 5000 },
        (_, at): Stage.Staged => ({ ...page(`/${at}`), presence: at % 2 === 0 ? "gone" : "seen" })
      )
      for (let at = 0; at < many.length; at += 700) yield* stage.write("pages", many.slice(at, at + 700))

      expect(yield* stage.finish).toEqual({ pages: 5000, links: 0 })
      const back = (yield* Stream.runCollect(stage.rows("pages"))).flat()
      expect(back).toEqual(many.map((each) => ({ ...each, row: { ...each.row, status_code: 200n } })))
    })
  )

  law(
    "keeps rows for which an expression holds, and drops the children of the others",
    Effect.gen(function* () {
      const { counts, links, pages } = yield* through([{ where: "status_code = 200 -- only good ones" }])

      expect(urls(pages)).toEqual(["/a", "/b", "/a"])
      expect(links).toEqual([
        { page: "/a", n: 1n },
        { page: "/b", n: 1n }
      ])
      expect(counts).toEqual({ pages: 3, links: 2 })
    })
  )

  law(
    "derives columns, also in the place of old ones, and knows their types",
    Effect.gen(function* () {
      const { pages, stage } = yield* through([
        { derive: { length: "len(words)", title: "coalesce(title, url)", half: "status_code / 2" } },
        { derive: { twice: "length * 2" } }
      ])

      expect(pages[1]).toMatchObject({ title: "/b", length: 2n, half: 100, twice: 4n })
      const types = stage.tables[0]?.columns.map(({ name, type }) => `${name} ${Column.toSql(type)}`)
      expect(types).toEqual([
        "url VARCHAR",
        "title VARCHAR",
        "status_code BIGINT",
        "words VARCHAR[]",
        "at TIMESTAMP",
        "length BIGINT",
        "half DOUBLE",
        "twice BIGINT"
      ])
    })
  )

  law(
    "calls children after what its steps make of their parents, in their order",
    Effect.gen(function* () {
      for (const url of ["upper(url)", "md5(url)", "hash(url)"]) {
        const { links, pages, stage } = yield* through([
          { derive: { url } },
          { rename: { url: "address" } },
          { where: "status_code = 200" },
          { table: "links", rename: { page: "of" } }
        ])

        expect(links).toEqual([
          { of: pages[0]?.["address"], n: 1n },
          { of: pages[1]?.["address"], n: 1n }
        ])
        expect(stage.tables[1]?.parent).toEqual({ table: "pages", on: { of: "address" } })
      }
    })
  )

  law(
    "leaves children to the steps that call them anew themselves",
    Effect.gen(function* () {
      const { links } = yield* through([
        { derive: { url: "upper(url)" } },
        { table: "links", derive: { page: "upper(page)" } }
      ])

      expect(links.map(({ n, page }) => `${String(page)} ${String(n)}`)).toEqual(["/A 1", "/B 1", "/C 1", "/C 2"])
    })
  )

  law(
    "renames, selects and drops columns; the key follows, and the children's way to their parent",
    Effect.gen(function* () {
      const { links, pages, stage } = yield* through([
        { rename: { url: "address", status_code: "status" } },
        { drop: "words" },
        { select: ["status", "address"] },
        { where: "status = 200" },
        { table: "links", rename: { page: "from_page" } }
      ])

      expect(Object.keys(pages[0] ?? {})).toEqual(["status", "address"])
      expect(stage.tables[0]?.key).toEqual(["address"])
      expect(stage.tables[1]?.parent).toEqual({ table: "pages", on: { from_page: "address" } })
      expect(links.map(({ from_page }) => from_page)).toEqual(["/a", "/b"])
    })
  )

  law(
    "keeps the last of equal rows, and masks values",
    Effect.gen(function* () {
      const { pages } = yield* through([
        { dedupe: "url" },
        { mask: { title: "hash", status_code: "redact", words: "remove" }, salt: Redacted.make("salt") }
      ])

      expect(urls(pages)).toEqual(["/b", "/c", "/a"])
      expect(pages.map(({ title }) => title)).toEqual([
        null,
        expect.stringMatching(/^[0-9a-f]{64}$/),
        expect.stringMatching(/^[0-9a-f]{64}$/)
      ])
      expect(pages[0]).toMatchObject({ status_code: "***", words: null })
    })
  )

  law(
    "tells of a step that cannot be before any row, and where it stands",
    Effect.gen(function* () {
      const wrong = yield* failing({ steps: [{ where: "true" }, { derive: { x: "lenght(title)" } }] })
      expect(wrong).toMatchObject({ path: ["steps", 1, "derive", "x"], message: expect.stringContaining("lenght") })
      const lost = yield* failing({ steps: [{ drop: "url" }] })
      expect(lost.message).toContain("remove url")
      const none = yield* failing({ steps: [{ table: "lnks", where: "true" }] })
      expect(none.message).toContain("the source has no table lnks; it has pages, links")
    })
  )

  law(
    "lets no expression reach a file or change a setting",
    Effect.gen(function* () {
      const { message } = yield* failing({
        steps: [{ where: "url IN (SELECT content FROM read_text('/etc/hostname'))" }]
      })
      expect(message).toMatch(/disabled|Permission|external access/i)
    })
  )

  law(
    "stays for who comes later, and gives the same rows",
    Effect.gen(function* () {
      const directory = yield* folder
      const steps = [{ derive: { luck: "random()" } }, { where: "status_code = 200" }]
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const stage = yield* open(planOf(directory, { steps }))
          yield* stage.write("pages", some)
          yield* stage.finish
          return yield* rowsOf(stage, "pages")
        })
      )

      const again = yield* open(planOf(directory, { steps, reopen: true }))
      yield* again.finish

      expect(yield* rowsOf(again, "pages")).toEqual(first)
      expect(first).toHaveLength(3)
    })
  )
})

const now = 1_700_000_000_000_000n + 2n * 3_600_000_000n
const facts: Stage.Facts = { lastRows: undefined, failed: 0, now }

const checked = (checks: Stage.Plan["checks"], more: Partial<Stage.Facts> = {}) =>
  Effect.gen(function* () {
    const { stage } = yield* through([], { checks })
    return (yield* stage.check({ ...facts, ...more })).map(({ check, found, passed }) => [check, passed, found])
  })

describe("checks on the stage", () => {
  law(
    "say what they found, whether they pass or not",
    Effect.gen(function* () {
      const found = yield* checked([
        { rows: { min: 4, max: 4 } },
        { rows: { min: 5 } },
        { not_null: ["url", "title"] },
        { unique: "url" },
        { accepted: { status_code: [200, 404] } },
        { accepted: { url: [1, true] } },
        { freshness: { column: "at", max: "3h" } },
        { freshness: { column: "at", max: "30m" } },
        { ok_status: "75%" },
        { sql: "SELECT url FROM pages WHERE title IS NULL -- none" },
        { table: "links", unique: ["page", "n"] }
      ])

      expect(found).toEqual([
        ["rows: exactly 4", true, "4 rows"],
        ["rows: at least 5", false, "4 rows"],
        ["url: a value in every row", true, "0 of 4 rows have no url"],
        ["title: a value in every row", false, "1 of 4 rows have no title"],
        ["url: no two rows with the same value", false, "2 rows share their url with another"],
        ["status_code: only 200 or 404", false, '1 row has another status_code, such as "500"'],
        ["url: only 1 or true", false, '4 rows have another url, such as "/a"'],
        ["at: the newest at most 3 hours old", true, "the newest at is 2.0 hours old"],
        ["at: the newest at most 30 minutes old", false, "the newest at is 2.0 hours old"],
        [
          "pages: at least 75% with a status of 200 to 399",
          true,
          "3 of 4 pages answered with a status of 200 to 399 (75%)"
        ],
        ["no row of: SELECT url FROM pages WHERE title IS NULL -- none", false, 'it finds 1 row, such as {"url":"/b"}'],
        ["page, n: no two rows with the same values", true, "0 rows share their page, n with another"]
      ])
    })
  )

  law(
    "may need more memory than rows do on their way through: they have it, and say the same",
    Effect.gen(function* () {
      // A list cannot be spilled: it is of two million texts.
      const all = "SELECT list(url || '/a/longer/path/' || i) AS urls FROM pages, range(500000) AS t(i)"

      const found = yield* checked([{ sql: `SELECT len(urls) AS n FROM (${all})` }])
      expect(found.map(([, passed, found]) => [passed, found])).toEqual([
        [false, 'it finds 1 row, such as {"n":2000000}']
      ])
    })
  )

  law(
    "cannot change what DuckDB is set to: neither files nor the network are theirs",
    Effect.gen(function* () {
      for (const set of [
        "enable_external_access = true",
        "lock_configuration = false",
        "allowed_configs = ['threads']"
      ]) {
        const refused = yield* failing({ checks: [{ sql: `SELECT 1); SET ${set}; SELECT * FROM (SELECT 1` }] })
        expect(refused.message).toMatch(/locked|Cannot/)
      }
    })
  )

  law(
    "compare with the last good run",
    Effect.gen(function* () {
      const drop = [{ rows: { drop: "20%" } }]
      expect(yield* checked(drop)).toEqual([
        ["rows: at most 20% fewer than last time", true, "4 rows, and no successful run before"]
      ])
      expect(yield* checked(drop, { lastRows: { pages: 5 } })).toMatchObject(
        [[{}, true, "4 rows, 5 rows in the last successful run"]].map(([, a, b]) => [expect.anything(), a, b])
      )
      expect(yield* checked(drop, { lastRows: { pages: 6 } })).toMatchObject([
        [expect.anything(), false, expect.anything()]
      ])
    })
  )

  law(
    "count pages that failed among those that did not answer well",
    Effect.gen(function* () {
      expect(yield* checked([{ ok_status: "75%" }], { failed: 1 })).toEqual([
        [
          "pages: at least 75% with a status of 200 to 399",
          false,
          "3 of 5 pages answered with a status of 200 to 399 (60%)"
        ]
      ])
    })
  )

  law(
    "tell the share of changed rows from the fingerprints of the last good run",
    Effect.gen(function* () {
      const directory = yield* folder
      const run = (rows: ReadonlyArray<Stage.Staged>, max: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const fingerprints = join(directory, "fingerprints.duckdb")
            const stage = yield* open(planOf(yield* folder, { checks: [{ changed: { max } }], fingerprints }))
            yield* stage.write("pages", rows)
            yield* stage.finish
            const [record] = yield* stage.check(facts)
            yield* stage.saveFingerprints
            return [record?.passed, record?.found]
          })
        )

      expect(yield* run([page("/a"), page("/b"), page("/c")], "0%")).toEqual([
        true,
        "no successful run before to compare with"
      ])
      expect(yield* run([page("/a"), page("/b"), page("/d")], "0%")).toEqual([
        true,
        "0 of 2 rows known before changed (0%)"
      ])
      const changed = yield* run([page("/a", { title: null }), page("/b", { status_code: 1 }), page("/e")], "49%")
      expect(changed).toEqual([false, "1 of 2 rows known before changed (50%)"])
    })
  )

  law(
    "count no row as changed that a newer version has read, unless what it did not read differs",
    Effect.gen(function* () {
      const directory = yield* folder
      const readPages: Table.Table = {
        ...pages,
        columns: [...pages.columns, { name: "finder", type: { _tag: "BIGINT" }, nullable: true }],
        reading: { version: "finder", columns: { title: true } }
      }
      const run = (rows: ReadonlyArray<Stage.Staged>) =>
        Effect.scoped(
          Effect.gen(function* () {
            const stage = yield* open(
              planOf(yield* folder, {
                tables: [readPages, links],
                checks: [{ changed: { max: "0%" } }],
                fingerprint: () => ["title", "status_code"],
                fingerprints: join(directory, "fingerprints.duckdb")
              })
            )
            yield* stage.write("pages", rows)
            yield* stage.finish
            const [record] = yield* stage.check(facts)
            yield* stage.saveFingerprints
            return record?.found
          })
        )
      const read = (url: string, title: string, finder: bigint, status = 200) =>
        page(url, { title, finder, status_code: status })
      yield* run([read("/a", "old", 1n), read("/b", "old", 1n)])

      expect(yield* run([read("/a", "new", 2n), read("/b", "new", 2n, 500)])).toBe(
        "1 of 2 rows known before changed (50%)"
      )
      expect(yield* run([read("/a", "newer", 2n), read("/b", "new", 2n, 500)])).toBe(
        "1 of 2 rows known before changed (50%)"
      )
    })
  )

  law(
    "are looked at before any row: unknown columns and queries that cannot be",
    Effect.gen(function* () {
      const column = yield* failing({ checks: [{ not_null: "titel" }] })
      expect(column).toMatchObject({ path: ["checks", 0], message: expect.stringContaining("no column titel") })
      const query = yield* failing({ checks: [{ not_null: "title" }, { sql: "SELECT nothing FROM pages" }] })
      expect(query).toMatchObject({ path: ["checks", 1, "sql"], message: expect.stringContaining("nothing") })
    })
  )

  law(
    "are looked at before any row: accepted values that the type of the column does not have",
    Effect.gen(function* () {
      const text = yield* failing({ checks: [{ accepted: { status_code: [200, "ok"] } }] })
      expect(text).toMatchObject({
        path: ["checks", 0, "accepted", "status_code"],
        message: 'accepted: column status_code of pages is BIGINT, and cannot be "ok"'
      })
    })
  )

  law(
    "are looked at before any row: freshness of a column that has neither days nor moments",
    Effect.gen(function* () {
      const text = yield* failing({ checks: [{ freshness: { column: "title", max: "1d" } }] })
      expect(text).toMatchObject({
        path: ["checks", 0, "freshness", "column"],
        message: "freshness looks at a column of days or of moments, and title of pages is VARCHAR",
        hint: 'make one in a step: derive: { at: "try_cast(title AS TIMESTAMP)" }'
      })
      const number = yield* failing({ checks: [{ freshness: { column: "status_code", max: "1d" } }] })
      expect([number.message, number.hint]).toEqual([
        expect.stringContaining("status_code of pages is BIGINT"),
        undefined
      ])
      const derived = yield* open(
        planOf(yield* folder, {
          steps: [{ derive: { seen: "try_cast(title AS TIMESTAMP)" } }],
          checks: [{ freshness: { column: "seen", max: "1d" } }]
        })
      )
      expect(derived.tables[0]?.columns.at(-1)).toMatchObject({ name: "seen", type: { _tag: "TIMESTAMP" } })
    })
  )
})
