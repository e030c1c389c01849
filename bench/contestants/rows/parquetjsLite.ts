/** parquetjs-lite as its README has it, row by row; it has no zstd, snappy is its best: `node parquetjsLite.ts <rows> <folder>`. */
import { peer } from "../peer.ts"
import { makeRows } from "./pages.ts"
import { begin, tell } from "./work.ts"

const { default: parquet } = await peer("parquetjs-lite")
const [count = "0", folder = "."] = process.argv.slice(2)
const rows = Number(count)
const make = makeRows()
const text = { type: "UTF8", compression: "SNAPPY" }
const int = { type: "INT32", compression: "SNAPPY" }
const schema = new parquet.ParquetSchema({
  url: text,
  title: text,
  markdown: text,
  fetched_at: { type: "TIMESTAMP_MICROS", compression: "SNAPPY" },
  status: int,
  metadata: { fields: { description: { ...text, optional: true }, language: text, statusCode: int } },
  links: { ...text, repeated: true }
})

begin()
const writer = await parquet.ParquetWriter.openFile(schema, `${folder}/pages.parquet`)
writer.setRowGroupSize(20_480)
for (let at = 0; at < rows; at += 500) {
  for (const row of make(at, Math.min(500, rows - at)) as ReadonlyArray<any>) {
    const { description, ...metadata } = row.metadata
    await writer.appendRow({
      ...row,
      fetched_at: Number(row.fetched_at),
      metadata: description === null ? metadata : row.metadata
    })
  }
}
await writer.close()
tell(rows)
