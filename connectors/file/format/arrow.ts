/** Arrow IPC files, also called Feather: record batches of about 4 MB, and at the end the position of each. */
import * as Fs from "node:fs/promises"
import * as Arrow from "apache-arrow"
import * as arrowBatch from "#engine/arrowBatch"
import type * as Table from "#engine/Table"
import type { Format } from "./Format.ts"

export const arrow: Format = {
  create: (path, columns) => {
    const schema = arrowBatch.schemaOf(columns)
    const bytes = new Bytes()
    const writer = new Arrow.RecordBatchFileWriter({ autoDestroy: false })
    writer.reset(bytes, schema)
    let waiting: Array<Table.Row> = []
    let weight = 0
    let rows = 0
    let batches = 0
    const write = async (batch: Arrow.RecordBatch): Promise<void> => {
      writer.write(batch)
      batches++
      await Fs.appendFile(path, bytes.drain())
    }
    const flush = async (): Promise<void> => {
      const batch = arrowBatch.batchOf(schema, columns, waiting)
      waiting = []
      weight = 0
      await write(batch)
    }
    return {
      path,
      get rows() {
        return rows
      },
      add: async (added) => {
        for (const row of added) {
          waiting.push(row)
          weight += weightOf(row)
          if (waiting.length >= batchRows || weight >= batchBytes) await flush()
        }
        rows += added.length
      },
      take: async (from, more) => {
        if (waiting.length > 0) await flush()
        for await (const batch of batchesOf(from)) {
          const isSame = arrowBatch.isSame(batch.schema, schema)
          await write(isSame ? batch : arrowBatch.batchOf(schema, columns, arrowBatch.rowsOf(batch, columns)))
        }
        rows += more
      },
      finish: async () => {
        // The schema is written with the first batch, which a table without rows has too.
        if (waiting.length > 0 || batches === 0) await flush()
        writer.finish()
        await Fs.appendFile(path, bytes.drain())
      }
    }
  },
  read: async function* (path, columns) {
    for await (const batch of batchesOf(path)) if (batch.numRows > 0) yield arrowBatch.rowsOf(batch, columns)
  }
}

async function* batchesOf(path: string): AsyncGenerator<Arrow.RecordBatch> {
  const file = await Fs.open(path, "r")
  try {
    const reader = await Arrow.RecordBatchReader.from(file)
    await reader.open()
    for await (const batch of reader) yield batch
  } finally {
    // The reader may have closed it.
    await file.close().catch(() => {})
  }
}

/** The bytes that Arrow's writer has written and that are not in the file yet. */
class Bytes extends Arrow.AsyncByteQueue {
  private parts: Array<Uint8Array> = []

  override write(value: ArrayBufferView | ArrayBufferLike | Uint8Array): void {
    if (value instanceof Uint8Array && value.byteLength > 0) this.parts.push(value)
  }

  drain(): Buffer {
    const all = Buffer.concat(this.parts)
    this.parts = []
    return all
  }
}

const batchRows = 8192
const batchBytes = 4_000_000

/** The estimated bytes of a row, most of which are in its texts. */
const weightOf = (row: Table.Row): number => {
  let weight = 0
  for (const cell of Object.values(row)) {
    weight += typeof cell === "string" ? cell.length : typeof cell === "object" && cell !== null ? 400 : 8
  }
  return weight
}
