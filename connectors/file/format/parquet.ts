/** Parquet: row groups end at 8 MB before compression. A file that is joined to another keeps its groups. */
import * as Fs from "node:fs/promises"
import * as BlockWriter from "#engine/BlockWriter"
import * as ColumnBlock from "#engine/ColumnBlock"
import * as GrowingFile from "#engine/GrowingParquetFile"
import * as Footer from "#engine/ParquetFooter"
import * as fileMetadata from "#engine/parquetMetadata"
import { readFooter } from "#engine/readParquetFooter"
import type { Format } from "./Format.ts"

export const parquet: Format = {
  create: (path, columns) => {
    const file = GrowingFile.create(path, new Uint8Array(1 << 20), {})
    const writer = BlockWriter.create(columns)
    let rows = 0
    let isEmpty = true
    const flush = async (): Promise<void> => {
      const block = writer.take()
      await file.add(block)
      ColumnBlock.release(block)
      isEmpty = false
    }
    return {
      path,
      get rows() {
        return rows
      },
      add: async (added) => {
        for (let at = 0; at < added.length; at += atOnce) {
          writer.add(added.slice(at, at + atOnce))
          if (writer.rows >= groupRows || writer.bytes >= groupBytes) await flush()
        }
        rows += added.length
      },
      take: async (from, more) => {
        if (writer.rows > 0) await flush()
        if (more > 0) {
          await file.append(from)
          isEmpty = false
        }
        rows += more
      },
      finish: async () => {
        // A table without rows has one empty group, so that readers find its columns.
        if (writer.rows > 0 || isEmpty) await flush()
        await file.finish()
      }
    }
  },
  read: async function* (path) {
    const file = await Fs.open(path, "r")
    try {
      for (const group of Footer.groupsOf(await readFooter(file))) {
        const bytes = Buffer.alloc(group.to)
        await file.read(bytes, group.from, group.to - group.from, group.from)
        if (group.rows > 0) yield ColumnBlock.decode(fileMetadata.blockOf(group, bytes))
      }
    } finally {
      await file.close()
    }
  }
}

const groupRows = 20_480
const groupBytes = 8_000_000
/** How many rows are added before the size of the group is checked again. */
const atOnce = 32
