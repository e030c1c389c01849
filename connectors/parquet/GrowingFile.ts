/**
 * A local Parquet file that grows by whole row groups, each written by DuckDB as a small file of its own.
 *
 * The law: what is in memory is one group, however large the file. It is a Parquet file only once it is finished.
 */
import { createHash } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Footer from "./Footer.ts"

export interface GrowingFile {
  readonly path: string
  readonly bytes: number
  /** Takes the row groups of a whole Parquet file, which is gone after. */
  readonly append: (fragment: string) => Promise<void>
  /** Writes the footer. Nothing can be appended after. */
  readonly finish: () => Promise<Finished>
}

export interface Finished {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

export const make = (path: string): GrowingFile => {
  const hash = createHash("sha256")
  let footer: Footer.Footer | undefined
  let bytes = 0

  const grow = async (more: Uint8Array): Promise<void> => {
    await Fs.appendFile(path, more)
    hash.update(more)
    bytes += more.length
  }

  return {
    path,
    get bytes() {
      return bytes
    },
    append: async (fragment) => {
      const file = await Fs.readFile(fragment)
      const next = Footer.read(file)
      const body = file.subarray(bytes === 0 ? 0 : Footer.head.length, next.bodyBytes)
      footer = Footer.join(footer, next, Math.max(bytes, Footer.head.length))
      await grow(body)
      await Fs.rm(fragment)
    },
    finish: async () => {
      if (footer === undefined) throw new Error(`${path} has no rows to finish`)
      await grow(Footer.tail(footer))
      return { path, rows: footer.rows, bytes, sha256: hash.digest("hex") }
    }
  }
}
