import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { parquet } from "#connectors/file/format/parquet"
import type * as Column from "#engine/Column"

const folder = mkdtempSync(join(tmpdir(), "millrace-parquet-"))
afterAll(() => rmSync(folder, { recursive: true }))

const columns: ReadonlyArray<Column.Column> = [{ name: "text", type: { _tag: "VARCHAR" }, nullable: false }]

/** How many rows each group of a file has. */
const groupsOf = async (name: string, count: number, text: (row: number) => string) => {
  const path = join(folder, name)
  const file = parquet.create(path, columns)
  await file.add(Array.from({ length: count }, (_, row) => ({ text: text(row) })))
  await file.finish()
  const groups: Array<number> = []
  for await (const rows of parquet.read(path, columns)) groups.push(rows.length)
  return groups
}

describe("the row groups of a Parquet file", () => {
  it("end at 20,480 rows where rows are small", async () => {
    expect(await groupsOf("small.parquet", 50_000, String)).toEqual([20_480, 20_480, 9040])
  })

  it("end at 8 MB where rows are large", async () => {
    const groups = await groupsOf("large.parquet", 1000, (row) => `${row} ${"x".repeat(20_000)}`)

    expect(groups).toEqual([416, 416, 168])
  })

  it("are one without rows in a table without rows", async () => {
    expect(await groupsOf("empty.parquet", 0, String)).toEqual([])
  })
})
