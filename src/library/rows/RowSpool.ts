/**
 * Rows that were read once, to be read again: what the columns of a program's rows are is known after the last of them.
 *
 * Up to ten thousand rows are held in memory. The others are in a file of the system's temporary folder, which has no name as soon
 * as it is open, so that nothing is left of it, however this process ends.
 *
 * Guarantee: the rows that come back say what the rows that were added said. A value that no file can hold as it is (a function, an
 * object of a class) comes back as its column would have it: as JSON.
 */
import { randomUUID } from "node:crypto"
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deserialize, serialize } from "node:v8"
import * as CellJson from "#engine/CellJson"

interface RowSpool {
  /** Takes a copy: a program may give one object again and again, with other values in it. */
  readonly add: (row: unknown) => void
  /** All rows, in their order. They can be taken once. */
  readonly take: () => Generator<unknown>
}

const rowsInMemory = 10_000
const rowsPerBlock = 1000

/** A spool without rows. What the disk refuses is thrown by `add`. */
export const empty = (): RowSpool => {
  const inMemory: Array<unknown> = []
  const blocks: Array<number> = []
  let block: Array<unknown> = []
  let file: number | undefined
  const spill = () => {
    file ??= openNameless()
    const bytes = serialize(block)
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    blocks.push(bytes.length)
    block = []
  }
  return {
    add: (row) => {
      const copy = storable(row, 0)
      if (inMemory.length < rowsInMemory) inMemory.push(copy)
      else if (block.push(copy) === rowsPerBlock) spill()
    },
    take: function* () {
      // Whoever stops in their midst closes the file too.
      try {
        yield* inMemory.splice(0)
        let place = 0
        for (const length of blocks.splice(0)) {
          if (file === undefined) return
          const bytes = Buffer.alloc(length)
          for (let read = 0; read < length; ) read += readSync(file, bytes, read, length - read, place + read)
          place += length
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `spill` has written a list
          const rows = deserialize(bytes) as ReadonlyArray<unknown>
          yield* rows
        }
        yield* block.splice(0)
      } finally {
        if (file !== undefined) closeSync(file)
        file = undefined
      }
    }
  }
}

const openNameless = (): number => {
  const path = join(tmpdir(), `millrace-rows-${randomUUID()}`)
  const file = openSync(path, "wx+", 0o600)
  unlinkSync(path)
  return file
}

/** As deep as columns have structs: what is deeper is JSON in its column. */
const maxDepth = 12

const storable = (value: unknown, depth: number): unknown => {
  if (typeof value === "function" || typeof value === "symbol") return String(value)
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Date) return new Date(value)
  if (value instanceof Uint8Array) return Uint8Array.from(value)
  if (depth > maxDepth) return CellJson.ofAnything(value)
  const json = CellJson.inItsOwnWords(value)
  if (json !== value) return storable(json, depth)
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1))
  if (value instanceof Map || value instanceof Set) return CellJson.ofAnything(value)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, storable(member, depth + 1)]))
}
