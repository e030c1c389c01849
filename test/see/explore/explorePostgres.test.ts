import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Profile from "#see/explore/profileSql"
import { write } from "../../app/millrace.ts"
import { postgres } from "../../services/postgres.ts"
import { loadDemo } from "./explored.ts"

if (postgres === undefined) console.error("SKIPPED: no Postgres on this machine, so explore was not asked of one")

describe.skipIf(postgres === undefined)("explore of a Postgres", () => {
  let demo: Awaited<ReturnType<typeof loadDemo>>
  beforeAll(async () => {
    demo = await loadDemo()
  })
  afterAll(() => demo.close())

  it("shows tables, answers SQL in its own words, and has runs", async () => {
    const fresh = postgres?.fresh ?? Effect.die("there is a Postgres")
    await Effect.runPromise(Effect.scoped(Effect.flatMap(fresh, (url) => Effect.promise(() => explored(url)))))
  })

  const explored = async (url: string): Promise<void> => {
    write(
      demo.folder,
      "pg.yaml",
      'source: { type: crawl, url: "http://northmere.example/", limit: 5 }',
      "table: { name: pages, key: url }",
      `sinks: { db: { type: postgres, url: "${url}", schema: docs, write: merge } }`
    )
    await demo.run("pg.yaml")
    const pg = await demo.explore("pg.yaml")
    const { answer: tables } = await pg.ask("/api/tables")

    expect(tables).toMatchObject({ pipeline: "pg", sink: "db", dialect: "Postgres" })
    expect(tables.tables[0]).toMatchObject({ name: "pages", rows: 5, isOwn: true })
    expect(tables.tables[0].columns).toContainEqual({
      name: "title",
      type: "text",
      description: "the title of the page"
    })
    expect(tables.questions.length).toBeGreaterThan(0)
    for (const { sql } of tables.questions) {
      const found = await pg.ask("/api/sql", { sql })
      expect([sql, found.status, found.answer.error]).toEqual([sql, 200, undefined])
    }
    const { first } = (await pg.ask("/api/question")).answer
    const begun = await pg.ask("/api/sql", { sql: first.sql })
    const wrong = await pg.ask("/api/sql", { sql: "SELECT ttle FROM pages" })
    expect([first.sql, begun.status, begun.answer.error]).toEqual([first.sql, 200, undefined])
    expect(wrong.answer.place).toEqual({ from: 7, to: 11 })
    const all = await pg.ask("/api/rows?table=pages&limit=2&offset=3&order=-url&count=true")
    const found = await pg.ask("/api/rows?table=pages&find=NORTHMERE.EXAMPLE/%27&count=true")
    const words = await pg.ask("/api/rows?table=pages&find=%22NORTHMERE.EXAMPLE/%22%20N%C3%96RTHMERE&count=true")
    const one = await pg.ask("/api/rows?table=pages&find=zzzz&count=true")
    const whole = await pg.ask("/api/rows?table=pages&limit=1&whole=true")
    expect(all.answer).toMatchObject({ total: 5, rows: { length: 2 } })
    expect(found.answer).toMatchObject({ total: 0, rows: [] })
    expect(words.answer.total).toBeGreaterThan(0)
    expect(words.answer.rows).toHaveLength(words.answer.total)
    expect(one.answer).toMatchObject({ total: 0, rows: [] })
    expect(whole.answer.rows[0]).toHaveLength(tables.tables[0].columns.length)
    const filters = [
      { column: "status_code", kind: "range", from: 200, to: 300, isClosed: false },
      { column: "_fetched_at", kind: "range", from: "2020-01-01", to: "2999-01-01T00:00:00Z", isClosed: true },
      { column: "status_code", kind: "is", value: 200 },
      { column: "title", kind: "filled" },
      { column: "html", kind: "is", value: null }
    ]
    const filtered = await pg.ask(
      `/api/rows?table=pages&count=true&where=${encodeURIComponent(JSON.stringify(filters))}`
    )
    const profile = await pg.ask(
      "/api/profile?table=pages&columns=status_code&columns=_run_id&columns=elapsed_ms&columns=title&columns=_fetched_at"
    )
    expect(filtered.answer).toMatchObject({ total: 5, empty: expect.arrayContaining(["raw_html"]) })
    const byName = Object.fromEntries(profile.answer.columns.map((one: { name: string }) => [one.name, one]))
    expect(profile.answer.basis).toMatch(/^From the profile of run /)
    expect(byName["status_code"]).toMatchObject({ rows: 5, filled: 5, distinct: 1, top: [{ value: "200", count: 5 }] })
    expect(byName["_run_id"]).toMatchObject({ rows: 5, filled: 5, distinct: 1, top: [{ count: 5 }] })
    // A large table is looked at in a part: its SQL is right where the table is small, too.
    const large = { table: "pages", only: "", rows: 300_000, dialect: "Postgres" as const }
    const columns = tables.tables[0].columns.filter(({ name }: { name: string }) =>
      ["wire_bytes", "_fetched_at", "fetched_date", "title", "markdown", "metadata", "links"].includes(name)
    )
    const figures = await pg.ask("/api/sql", { sql: Profile.figuresSql(large, columns) })
    expect([figures.status, figures.answer.error]).toEqual([200, undefined])
    const row = Object.fromEntries(
      figures.answer.columns.map(({ name }: { name: string }, at: number) => [name, figures.answer.rows[0][at]])
    )
    const known = Profile.figuresIn(large, columns, row).map((one) => ({ ...one, distinct: 100_000 }))
    const counts = await pg.ask("/api/sql", { sql: Profile.countsSql(large, known) })
    expect([counts.status, counts.answer.error]).toEqual([200, undefined])
    const bytes = counts.answer.rows.filter(([at]: [number]) => columns[at].name === "wire_bytes")
    expect(bytes.reduce((sum: number, [, , n]: [number, string, number]) => sum + n, 0)).toBe(5)
    expect(await pg.ask("/api/sql", { sql: "SELECT pg_read_file('/etc/passwd')" })).toMatchObject({ status: 422 })
    expect((await pg.ask("/api/runs")).answer.runs).toHaveLength(1)
  }
})
