import { expect, it } from "vitest"
import { toSql } from "#engine/Column"
import * as Rejects from "#engine/output/Rejects"
import { rejectedRow } from "#engine/output/Rejects"
import { rowValidator } from "#engine/validateRow"
import { everything, pages } from "#testing/specimens"

const table = Rejects.tableOf(pages)
const at = 1_795_231_385_250
const idsOf = (...rejects: ReadonlyArray<Rejects.Rejected>) =>
  Rejects.rowsOf(rejects, "source").map(({ reject_id }) => reject_id)

it("what does not fit has a table beside its own", () => {
  expect(table.name).toBe("pages__rejects")
  expect(table.key).toEqual(["reject_id"])
  expect(
    table.columns.map(({ name, type, nullable }) => `${name} ${toSql(type)}${nullable ? "" : " not null"}`)
  ).toEqual([
    "reject_id VARCHAR not null",
    "table_name VARCHAR not null",
    "rejected_by VARCHAR not null",
    "reason VARCHAR not null",
    "path VARCHAR",
    "raw JSON",
    "answer JSON",
    "rejected_at TIMESTAMP not null",
    "resolved_by VARCHAR"
  ])
  expect(table.columns.filter(({ description = "" }) => !/^[^A-Z].*[^.]$/.test(description))).toEqual([])
})

it("a reject keeps the value as it was, with the reason and the place", () => {
  const raw = { url: "/ä", version: "one", gone: undefined, list: [null] }
  const [row] = Rejects.rowsOf(
    [{ table: "pages", raw, reason: "a text is not a valid BIGINT", path: "version", at, ordinal: 3 }],
    "destination"
  )

  expect(row).toEqual({
    reject_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    table_name: "pages",
    rejected_by: "destination",
    reason: "a text is not a valid BIGINT",
    path: "version",
    raw: { url: "/ä", version: "one", list: [null] },
    answer: null,
    rejected_at: BigInt(at) * 1000n,
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
    raws.map((raw, ordinal) => ({ table: "pages", raw, ordinal, reason: "odd", at })),
    "source"
  )

  expect(rows.flatMap((row) => rowValidator(table)(row) ?? [])).toEqual([])
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
  const reject = { table: "pages", raw: { a: 1 }, reason: "x", ordinal: 0, at }

  expect(idsOf(reject)).toEqual(idsOf({ ...reject, reason: "said otherwise" }))
  const others = [{ ordinal: 1 }, { raw: { a: 2 } }, { table: "other" }].map((other) => ({ ...reject, ...other }))
  expect(new Set(idsOf(reject, ...others)).size).toBe(4)
})

it("a row comes back from its JSON, also what JSON has no number for", () => {
  const row = { id: 2n ** 60n, real: Number.NaN, moment: 1_700_000_000_000_000n, list: [{ at: 5n, n: 1n }], text: "1" }
  const [{ raw = null } = {}] = Rejects.rowsOf(
    [{ table: "everything", raw: row, reason: "x", ordinal: 0, at }],
    "source"
  )

  expect(rejectedRow(everything, JSON.parse(JSON.stringify(raw)))).toEqual(row)
})
