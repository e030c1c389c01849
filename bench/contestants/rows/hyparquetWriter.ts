/** hyparquet-writer, group by group of lazy rows, zstd 1 by node:zlib: `node hyparquetWriter.ts <rows> <folder>`. */
import { constants, zstdCompressSync } from "node:zlib"
import { peer } from "../peer.ts"
import { makeRows } from "./pages.ts"
import { begin, tell } from "./work.ts"

const [{ fileWriter }, { parquetWriteRows }] = await Promise.all([
  peer("hyparquet-writer/src/node.js"),
  peer("hyparquet-writer")
])
const [count = "0", folder = "."] = process.argv.slice(2)
const rows = Number(count)
const make = makeRows()

function* all() {
  for (let at = 0; at < rows; at += 500) {
    for (const row of make(at, Math.min(500, rows - at)) as ReadonlyArray<any>) {
      yield { ...row, fetched_at: new Date(Number(row.fetched_at / 1000n)) }
    }
  }
}

const text = (name: string, repetition_type = "REQUIRED") => ({
  name,
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  repetition_type
})
const int = (name: string) => ({ name, type: "INT32", repetition_type: "REQUIRED" })

begin()
parquetWriteRows({
  writer: fileWriter(`${folder}/pages.parquet`),
  rows: all(),
  columns: ["url", "title", "markdown", "fetched_at", "status", "metadata", "links"].map((name) => ({ name })),
  schema: [
    { name: "root", num_children: 7 },
    text("url"),
    text("title"),
    text("markdown"),
    { name: "fetched_at", type: "INT64", converted_type: "TIMESTAMP_MILLIS", repetition_type: "REQUIRED" },
    int("status"),
    { name: "metadata", num_children: 3, repetition_type: "REQUIRED" },
    text("description", "OPTIONAL"),
    text("language"),
    int("statusCode"),
    { name: "links", num_children: 1, converted_type: "LIST", repetition_type: "REQUIRED" },
    { name: "list", num_children: 1, repetition_type: "REPEATED" },
    text("element")
  ],
  codec: "ZSTD",
  compressors: {
    ZSTD: (input: Uint8Array) => zstdCompressSync(input, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
  },
  rowGroupSize: 20480
})
tell(rows)
