import { expect, it } from "vitest"
import { toSql } from "../../src/pipeline/Column.ts"
import { misfitOf } from "../../src/pipeline/misfit.ts"
import * as Rejects from "../../src/pipeline/Rejects.ts"
import { pages } from "../../src/testing/specimens.ts"

const table = Rejects.tableOf(pages)
const now = 1_795_231_385_250_000n
const idsOf = (...rejects: ReadonlyArray<Rejects.Reject>) =>
  Rejects.rowsOf(pages, rejects, now).map(({ reject_id }) => reject_id)

it("what does not fit has a table beside its own", () => {
  expect(table.name).toBe("pages__rejects")
  expect(table.key).toEqual(["reject_id"])
  expect(
    table.columns.map(({ name, type, nullable }) => `${name} ${toSql(type)}${nullable ? "" : " not null"}`)
  ).toEqual([
    "reject_id VARCHAR not null",
    "source VARCHAR",
    "reason VARCHAR not null",
    "path VARCHAR",
    "raw JSON",
    "rejected_at TIMESTAMP not null",
    "resolved_by VARCHAR"
  ])
})

it("a reject keeps the value as it was, with the reason and the place", () => {
  const raw = { url: "/ä", version: "one", gone: undefined, list: [null] }
  const [row] = Rejects.rowsOf(
    pages,
    [{ raw, reason: "a text is no BIGINT", path: "version", source: "http://x/", ordinal: 3 }],
    now
  )

  expect(row).toEqual({
    reject_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    source: "http://x/",
    reason: "a text is no BIGINT",
    path: "version",
    raw: { url: "/ä", version: "one", list: [null] },
    rejected_at: now,
    resolved_by: null
  })
})

it("every value that JavaScript has can be a reject", () => {
  const itself: Record<string, unknown> = {}
  itself["again"] = itself
  const raws = [
    null,
    undefined,
    Number.NaN,
    2n ** 70n,
    new Date(0),
    new Date(Number.NaN),
    new Map([["a", 1n]]),
    new Uint8Array([1, 2]),
    Symbol("s"),
    () => 1,
    itself,
    "\ud800",
    [undefined]
  ]
  const rows = Rejects.rowsOf(
    pages,
    raws.map((raw, ordinal) => ({ raw, ordinal, reason: "odd" })),
    now
  )

  expect(rows.flatMap((row) => misfitOf(table)(row) ?? [])).toEqual([])
  expect(rows.slice(0, 8).map(({ raw }) => raw)).toEqual([
    null,
    null,
    "NaN",
    "1180591620717411303424",
    "1970-01-01T00:00:00.000Z",
    "Invalid Date",
    [["a", 1]],
    "AQI="
  ])
})

it("the id is the same in a run that is replayed, and another for each value that was read", () => {
  const reject = { raw: { a: 1 }, reason: "x", ordinal: 0 }

  expect(idsOf(reject)).toEqual(idsOf({ ...reject, reason: "said otherwise" }))
  expect(new Set(idsOf(reject, { ...reject, ordinal: 1 }, { ...reject, raw: { a: 2 } })).size).toBe(3)
  expect(idsOf(reject)).not.toEqual(
    Rejects.rowsOf({ ...pages, name: "other" }, [reject], now).map(({ reject_id }) => reject_id)
  )
})

it("a reject that a later run loads names that run", () => {
  const rows = Rejects.rowsOf(pages, [{ raw: 1, reason: "x", ordinal: 0 }], now)

  expect(Rejects.resolved(rows, "run-2")).toEqual(rows.map((row) => ({ ...row, resolved_by: "run-2" })))
})
