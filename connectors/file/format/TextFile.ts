/**
 * A file with one line per row, for CSV and JSON Lines. Lines are joined in memory and appended in parts of about a megabyte.
 *
 * The file is not open between two calls, so a writer that is abandoned leaves nothing to close.
 */
import * as Fs from "node:fs/promises"
import type * as Table from "#engine/Table"
import type { RowFile } from "./Format.ts"

interface Lines {
  /** The text before the first row. When a file is joined, its head is left out. */
  readonly head: string
  /** A row without its line feed. */
  readonly lineOf: (row: Table.Row) => string
}

const enough = 1 << 20

export const create = (path: string, { head, lineOf }: Lines): RowFile => {
  let waiting: Array<string> = [head]
  let length = head.length
  let rows = 0

  const flush = async (): Promise<void> => {
    const text = waiting.join("")
    waiting = []
    length = 0
    await Fs.appendFile(path, text)
  }
  return {
    path,
    get rows() {
      return rows
    },
    add: async (added) => {
      for (const row of added) {
        const line = `${lineOf(row)}\n`
        waiting.push(line)
        length += line.length
        if (length >= enough) await flush()
      }
      rows += added.length
    },
    take: async (file, more) => {
      await flush()
      await copy(file, Buffer.byteLength(head), path)
      rows += more
    },
    finish: flush
  }
}

const copy = async (from: string, offset: number, to: string): Promise<void> => {
  const source = await Fs.open(from, "r")
  try {
    const target = await Fs.open(to, "a")
    try {
      const buffer = Buffer.allocUnsafe(enough)
      for (let at = offset; ; ) {
        const { bytesRead } = await source.read(buffer, 0, buffer.length, at)
        if (bytesRead === 0) return
        await target.appendFile(buffer.subarray(0, bytesRead))
        at += bytesRead
      }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
