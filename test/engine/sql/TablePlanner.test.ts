import { describe, expect, it } from "vitest"
import * as Sink from "#engine/Sink"
import { remainingSteps } from "#engine/sql/replaceSteps"
import * as Spelling from "#engine/sql/Spelling"
import type { StagedTable } from "#engine/sql/StagedTable"
import type { Step } from "#engine/sql/Step"
import * as TablePlanner from "#engine/sql/TablePlanner"
import { runLinks, runPages } from "#testing/visits"
import { plainDialect } from "./plainDialect.ts"

const spelling = Spelling.of(plainDialect)

const staged = (write: Sink.WriteDisposition, table = runPages): StagedTable => ({
  table,
  write,
  fingerprint: ["version"],
  spelling,
  number: table === runPages ? 0 : 1,
  target: spelling.table(table.name),
  columns: table.columns.map(({ name, type }) => ({
    name,
    ours: name,
    from: type,
    to: type,
    sql: plainDialect.type(type)
  })),
  stored: [],
  foreign: [],
  lacking: [],
  cleared: [],
  rowId: "rowid"
})

const situation: TablePlanner.Situation = {
  received: 3,
  isEmpty: false,
  isIdle: false,
  parent: undefined,
  again: undefined,
  visit: { at: 0n, removed: "keep", pipeline: undefined }
}

/** The first words of each statement, and what is counted by it. */
const said = (steps: ReadonlyArray<Step>): ReadonlyArray<string> =>
  steps.map((step) => {
    const [, words = ""] = /^((?:\S+ ){1,3}\S+)/.exec(step.sql) ?? []
    return step._tag === "Count" || step._tag === "Run" ? [words, step.as].filter(Boolean).join(" -> ") : step._tag
  })

describe("the planner", () => {
  it("says an append as one statement, and none where nothing came", () => {
    const { counts, steps } = TablePlanner.plan(staged("append"), situation)

    expect(steps.map(({ sql }) => sql.replace(/\s+/g, " "))).toEqual([
      'INSERT INTO "pages" ("url", "title", "version", "_run_id") SELECT s."url", s."title", s."version", s."_run_id" FROM temp."_millrace_staged_0" AS s ORDER BY s._millrace_number'
    ])
    expect(counts({ inserted: 3 })).toEqual({ written: 3, unchanged: 0, superseded: 0 })
    expect(TablePlanner.plan(staged("append"), { ...situation, received: 0 }).steps).toEqual([])
  })

  it("says a merge as duplicates, pairs, changes and insertions, and what their counts mean", () => {
    const { counts, steps } = TablePlanner.plan(staged("merge"), situation)

    expect(said(steps)).toEqual([
      "DROP TABLE IF EXISTS",
      'CREATE TEMPORARY TABLE temp."_millrace_duplicates_0"',
      "If",
      "DROP TABLE IF EXISTS",
      'CREATE TEMPORARY TABLE temp."_millrace_pairs_0"',
      "If",
      'SELECT count(*) FROM temp."_millrace_pairs_0" -> same',
      'SELECT count(*) FROM temp."_millrace_pairs_0" -> reread',
      'UPDATE "pages" AS t -> updated',
      'INSERT INTO "pages" ("url", -> inserted'
    ])
    expect(counts({ inserted: 1, updated: 2, reread: 1, same: 4, superseded: 5 })).toEqual({
      written: 2,
      unchanged: 5,
      superseded: 5
    })
  })

  it("says nothing of a family of tables without rows, and inserts into an empty table without comparing", () => {
    expect(TablePlanner.plan(staged("merge"), { ...situation, isIdle: true }).steps).toEqual([])

    const first = TablePlanner.plan(staged("merge"), { ...situation, isEmpty: true })
    expect(said(first.steps).at(-1)).toBe('INSERT INTO "pages" ("url", -> inserted')
    expect(first.steps.some(({ sql }) => sql.includes("_millrace_pairs"))).toBe(false)
  })

  it("finds children by the staged rows of their parent", () => {
    const parent = staged("merge")
    const { steps } = TablePlanner.plan(staged("merge", runLinks), { ...situation, parent })

    expect(steps.map(({ sql }) => sql).join("\n")).toContain(
      'WHERE t."page_url" IN (SELECT among."url" FROM temp."_millrace_staged_0" AS among)'
    )
  })

  it("closes in a history only what the visit may close", () => {
    const closing = (removed: "keep" | "watch" | "close") =>
      TablePlanner.plan(staged("scd2"), { ...situation, visit: { at: 0n, removed, pipeline: "mine" } })
        .steps.map(({ sql }) => sql)
        .filter((sql) => /_millrace_(retained|unseen)_0/.test(sql))

    expect(closing("keep")).toEqual([])
    expect(closing("watch")).toHaveLength(1)
    expect(closing("close").at(-2)).toMatch(
      /_millrace_unseen_0" AS SELECT .* AND t._pipeline = 'mine' AND r."url" IS NULL$/s
    )
    expect(closing("close").at(-1)).toMatch(/WHERE rowid IN \(SELECT old FROM temp\."_millrace_unseen_0"\)$/)
  })

  it("removes the rows of a run that is written again, before anything else", () => {
    const { steps } = TablePlanner.plan(staged("append"), { ...situation, again: "run-1" })

    expect(steps[0]?.sql).toBe("DELETE FROM \"pages\" WHERE _run_id = 'run-1'")
  })

  it("sorts nothing where the database keeps no order, counts temporary rows for its plans, and compares children by a digest", () => {
    const other = Spelling.of({
      ...plainDialect,
      isUnordered: true,
      analyze: (table) => `ANALYZE ${table}`,
      digest: (values) => `digest(${values.join(", ")})`
    })
    const [pages, links] = [staged("merge"), staged("merge", runLinks)].map((table) => ({ ...table, spelling: other }))
    if (pages === undefined || links === undefined) throw new Error("there are two")

    const append = TablePlanner.plan({ ...pages, write: "append" }, situation).steps.map(({ sql }) => sql)
    const children = TablePlanner.plan(links, { ...situation, parent: pages }).steps.map(({ sql }) => sql)

    expect(append.join("\n")).not.toContain("ORDER BY")
    expect(children[0]).toBe('ANALYZE temp."_millrace_staged_1"')
    expect(children.join("\n")).toMatch(/digest\(t\."page_url", .*\) AS c0/)
    expect(children.join("\n")).not.toContain("AS c1")
  })

  it("joins keys and digests where tables are stored by columns, and inserts changed rows again", () => {
    const columnar = Spelling.of({
      ...plainDialect,
      isUnordered: true,
      isColumnar: true,
      digest: (values) => `digest(${values.join(", ")})`
    })
    const note = { name: "note", sql: "TEXT", type: undefined, nullable: true, hasDefault: false }
    const of = (write: Sink.WriteDisposition, more: Partial<StagedTable> = {}) => ({
      ...staged(write, more.table),
      spelling: columnar,
      ...more
    })
    const plan = (table: StagedTable, parent?: StagedTable) => TablePlanner.plan(table, { ...situation, parent })
    const sqlOf = (table: StagedTable) => plan(table).steps.map(({ sql }) => sql.replace(/\s+/g, " "))
    const [merge, history] = [sqlOf(of("merge", { foreign: [note] })), sqlOf(of("scd2", { foreign: [note] }))]
    const children = plan(of("merge", { table: runLinks }), of("merge")).steps.map(({ sql }) => sql)

    expect(merge.filter((sql) => sql.startsWith("UPDATE"))).toEqual([])
    expect(merge.find((sql) => sql.includes('"_millrace_keys_0" AS SELECT'))).toMatch(
      /SELECT s._millrace_number AS new, t.rowid AS old, 3 AS state FROM .* ON s."url" = t."url"$/
    )
    expect(merge.find((sql) => sql.includes('"_millrace_narrowed_0" AS SELECT'))).toContain(
      's.print <> digest(t."version") THEN 0 ELSE p.state END'
    )
    expect(merge.find((sql) => sql.includes('"_millrace_pairs_0" AS SELECT'))).toMatch(
      /"_millrace_narrowed_0" WHERE state = 0 UNION ALL .* WHEN s.print = digest\(t."title", t."version"\) THEN 1 .* p.state <> 0$/
    )
    expect(merge.at(-1)).toContain('"_run_id", "note") SELECT s."url", s."title", s."version", s."_run_id", f."note"')
    expect(history.find((sql) => sql.startsWith('DELETE FROM "pages"'))).toContain("WHERE p.in_place = 1")
    expect(history.at(-1)).toContain("CASE WHEN p.in_place = 1 THEN p.since ELSE")
    expect(children.join("\n")).toContain("sum(CAST(digest(")
  })

  it("finds no old row by a column that old rows lack, but by the pipeline that they are of", () => {
    const name = Sink.pipelineColumn.name
    const column = { sql: "TEXT", type: { _tag: "VARCHAR" }, nullable: true, hasDefault: false } as const
    const written = { from: column.type, to: column.type, sql: "TEXT" }
    const shared: StagedTable = {
      ...staged("replace", { ...runPages, key: [name, "url"] }),
      columns: [name, "url"].map((name) => ({ name, ours: name, ...written })),
      stored: [{ name: "URL", ...column }]
    }
    const plan = { pipeline: "p", runId: "r", directory: "/", evolve: true, tables: [] }
    const found = (table: StagedTable, owner: string | undefined) =>
      remainingSteps(table, { plan, complete: false, goesOn: false, owner, hasRetained: false, parent: undefined })
        ?.map(({ sql }) => sql)
        .join("\n")

    expect(found(shared, "p")).toContain(
      `NOT coalesce(('p', o."URL") IN (SELECT n."${name}", n."url" FROM temp."_millrace_staged_1" AS n), FALSE)`
    )
    expect(found(shared, undefined)).toContain("NOT FALSE")
    expect(found({ ...shared, stored: [] }, "p")).toContain("NOT FALSE")
  })
})
