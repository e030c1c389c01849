/**
 * A Word document as HTML, in the thread that reads files; the page pass makes the rest of it.
 *
 * The unpacked size that the file declares is checked before it is unpacked, and pictures are left out.
 */
import mammoth from "mammoth"
import { FileProblem } from "./FileProblem.ts"

export interface DocxRead {
  readonly kind: "docx"
  readonly html: string
}

/** A file that says it unpacks to more than this is not opened. */
const maxUnpacked = 200 * 1024 * 1024

export const readDocx = async (bytes: Uint8Array): Promise<DocxRead> => {
  if (unpackedSize(bytes) > maxUnpacked) {
    throw new FileProblem("SCRAPE_FILE_TOO_LARGE_ERROR", "the document unpacks to more than 200 MB")
  }
  const read = await mammoth
    .convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage: noImages })
    .catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message.split("\n", 1).join("") : String(cause)
      throw new FileProblem("SCRAPE_FILE_BROKEN_ERROR", `the document is broken: ${why}`)
    })
  return { kind: "docx", html: read.value }
}

const noImages = mammoth.images.imgElement(() => Promise.resolve({ src: "" }))

/** The sum of what the entries of a zip say they hold, by the list at its end. */
const unpackedSize = (bytes: Uint8Array): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let total = 0
  for (let at = 0; at + 46 <= bytes.length; at++) {
    if (bytes[at] !== 0x50 || view.getUint32(at, true) !== centralEntry) continue
    total += view.getUint32(at + 24, true)
    at += 45
  }
  return total
}

const centralEntry = 0x02014b50
