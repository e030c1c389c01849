import { describe, expect, it } from "vitest"
import * as RowChunk from "#engine/run/RowChunk"
import type * as Table from "#engine/Table"

const plain: Table.Table = { name: "pages", description: "", key: [], columns: [] }
const presences: Readonly<Record<string, Table.Presence>> = { ok: "seen", "404": "gone", "500": "failed" }
const speaking: Table.Table = { ...plain, presence: ({ status }) => presences[String(status)] ?? "seen" }
const ok = { status: "ok" }
const gone = { status: "404" }
const failed = { status: "500" }

describe("a chunk of rows", () => {
  it("is the list that came, where no row can be anything but seen", () => {
    const rows = [ok, gone]

    expect(RowChunk.withPresence(plain, rows)).toEqual({ rows, presences: undefined })
    expect(RowChunk.withPresence(plain, rows).rows).toBe(rows)
    expect(RowChunk.written(RowChunk.seen(rows))).toBe(rows)
  })

  it("has what each row says as soon as one of them is not seen", () => {
    expect(RowChunk.withPresence(speaking, [ok, ok]).presences).toBeUndefined()
    expect(RowChunk.withPresence(speaking, [ok, gone, failed]).presences).toEqual(["seen", "gone", "failed"])
  })

  it("counts its rows by what they say, and leaves the failed ones out of what is written", () => {
    const chunk = RowChunk.withPresence(speaking, [failed, ok, gone, failed])

    expect(RowChunk.count(chunk)).toEqual({ seen: 1, gone: 1, failed: 2, unread: 0 })
    expect(RowChunk.count(RowChunk.seen([ok, gone]))).toEqual({ seen: 2, gone: 0, failed: 0, unread: 0 })
    expect(RowChunk.written(chunk)).toEqual([ok, gone])
  })

  it("comes back from a stage as it went in", () => {
    for (const chunk of [
      RowChunk.withPresence(speaking, [ok, gone, failed]),
      RowChunk.seen([ok, ok]),
      RowChunk.seen([])
    ]) {
      expect(RowChunk.fromStaged(RowChunk.toStaged(chunk))).toEqual(chunk)
    }
    expect(RowChunk.toStaged(RowChunk.seen([ok]))).toEqual([{ row: ok, presence: "seen" }])
  })
})
