/**
 * parquet-wasm: Arrow columns by apache-arrow's `vectorFromArray`, streamed batch by batch into Parquet, zstd 1 (it has no
 * other): `node parquetWasm.ts <rows> <folder>`.
 */
import { createWriteStream } from "node:fs"
import { Writable } from "node:stream"
import { peer } from "../peer.ts"
import { makeRows } from "./pages.ts"
import { begin, tell } from "./work.ts"

const [arrow, wasm] = await Promise.all([peer("apache-arrow"), peer("parquet-wasm/node")])
const [count = "0", folder = "."] = process.argv.slice(2)
const rows = Number(count)
const make = makeRows()
const group = 20_480

const { Field, Int32, List, Struct, TimestampMicrosecond, Utf8 } = arrow
const types: Record<string, unknown> = {
  url: new Utf8(),
  title: new Utf8(),
  markdown: new Utf8(),
  fetched_at: new TimestampMicrosecond(),
  status: new Int32(),
  metadata: new Struct([
    new Field("description", new Utf8(), true),
    new Field("language", new Utf8(), true),
    new Field("statusCode", new Int32(), true)
  ]),
  links: new List(new Field("item", new Utf8(), true))
}

/** A group of rows as a record batch in the memory of wasm. */
const batch = (from: number) => {
  const some = make(from, Math.min(group, rows - from)) as ReadonlyArray<any>
  const columns = Object.entries(types).map(([name, type]) => {
    const cells = some.map((row) => (name === "fetched_at" ? Number(row[name] / 1000n) : row[name]))
    return [name, arrow.vectorFromArray(cells, type)]
  })
  const table = new arrow.Table(Object.fromEntries(columns))
  return wasm.Table.fromIPCStream(arrow.tableToIPC(table, "stream")).recordBatches()[0]
}

begin()
let at = 0
const batches = new ReadableStream({
  pull: (controller) => {
    if (at >= rows) return controller.close()
    controller.enqueue(batch(at))
    at += group
  }
})
const properties = new wasm.WriterPropertiesBuilder()
  .setCompression(wasm.Compression.ZSTD)
  .setMaxRowGroupSize(group)
  .build()
const parquet: ReadableStream = await wasm.transformParquetStream(batches, properties)
await parquet.pipeTo(Writable.toWeb(createWriteStream(`${folder}/pages.parquet`)))
tell(rows)
