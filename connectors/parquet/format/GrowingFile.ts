/**
 * A local Parquet file that grows by whole row groups, each written by DuckDB as a small file of its own, or taken from
 * a file that has it already.
 *
 * Bytes go from file to file through one small buffer, however large the groups. It is a Parquet file only
 * once it is finished.
 */
import { createHash } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Footer from "../../../src/columns/Footer.ts"
import { readFooter } from "./readFooter.ts"

export interface GrowingFile {
  readonly path: string
  readonly bytes: number
  /** Takes row groups of a Parquet file as they are: all of them, or those of the footer given. */
  readonly append: (from: string, groups?: Footer.Footer) => Promise<void>
  /** Writes the footer. Nothing can be appended after. */
  readonly finish: () => Promise<Finished>
}

interface Finished {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** Files that grow by turns may share the buffer, as those of one writer do. The words are said in the footer. */
export const make = (path: string, buffer: Uint8Array, words: Readonly<Record<string, string>>): GrowingFile => {
  const hash = createHash("sha256")
  let footer: Footer.Footer | undefined
  let bytes = 0

  const add = async (file: Fs.FileHandle, more: Uint8Array): Promise<void> => {
    await file.writeFile(more)
    hash.update(more)
    bytes += more.length
  }

  /** Moves the row groups of one file to the end of the other. */
  const move = async (from: Fs.FileHandle, to: Fs.FileHandle, groups?: Footer.Footer): Promise<void> => {
    const next = groups ?? (await readFooter(from))
    if (footer === undefined) await add(to, Footer.magic)
    footer = Footer.join(footer, next, bytes)
    for (let at = next.from; at < next.to; ) {
      const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, next.to - at), at)
      if (bytesRead === 0) throw new Error("the Parquet file ends before its footer says so")
      await add(to, buffer.subarray(0, bytesRead))
      at += bytesRead
    }
  }

  return {
    path,
    get bytes() {
      return bytes
    },
    append: (source, groups) => withFile(source, "r", (from) => withFile(path, "a", (to) => move(from, to, groups))),
    finish: () =>
      withFile(path, "a", async (file) => {
        if (footer === undefined) throw new Error(`${path} has no rows to finish`)
        await add(file, Footer.tail(Footer.describe(footer, words)))
        return { path, rows: footer.rows, bytes, sha256: hash.digest("hex") }
      })
  }
}

const withFile = async <A>(path: string, flags: "r" | "a", use: (file: Fs.FileHandle) => Promise<A>): Promise<A> => {
  const file = await Fs.open(path, flags)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}
