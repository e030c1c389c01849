/** Reads the footer of a Parquet file, and nothing else of it. */
import * as Fs from "node:fs/promises"
import { fromTexts } from "./jsonAsText.ts"
import * as Footer from "./ParquetFooter.ts"

export const readFooter = async (file: Fs.FileHandle): Promise<Footer.Footer> => {
  const { size } = await file.stat()
  const last = Buffer.alloc(8)
  await file.read(last, 0, 8, Math.max(0, size - 8))
  const length = Footer.lengthIn(last, size)
  if (length === undefined) throw new Error("this is not a complete Parquet file")
  const bytes = Buffer.alloc(length)
  await file.read(bytes, 0, length, size - 8 - length)
  return fromTexts(Footer.parse(bytes, size))
}

export const footerOf = async (path: string): Promise<Footer.Footer> => {
  const file = await Fs.open(path, "r")
  try {
    return await readFooter(file)
  } finally {
    await file.close()
  }
}
