/**
 * The thread that reads files: one at a time, a message in, a message out. It is ended from outside when it takes too
 * long, so nothing here has a clock.
 */
import { parentPort } from "node:worker_threads"
import { FileProblem } from "./FileProblem.ts"
import type { DocxRead } from "./readDocx.ts"
import type { PdfRead } from "./readPdf.ts"

export interface Request {
  readonly kind: "pdf" | "docx"
  readonly bytes: Uint8Array
  readonly maxPages: number
}

export type Answer =
  | { readonly ok: true; readonly read: PdfRead | DocxRead }
  | { readonly ok: false; readonly code: string; readonly message: string }

const read = async ({ kind, bytes, maxPages }: Request): Promise<PdfRead | DocxRead> =>
  kind === "pdf"
    ? (await import("./readPdf.ts")).readPdf(bytes, maxPages)
    : (await import("./readDocx.ts")).readDocx(bytes)

const answer = async (request: Request): Promise<Answer> => {
  try {
    return { ok: true, read: await read(request) }
  } catch (cause) {
    if (cause instanceof FileProblem) return { ok: false, code: cause.code, message: cause.message }
    const why = cause instanceof Error ? cause.message.split("\n", 1).join("") : String(cause)
    return { ok: false, code: "SCRAPE_FILE_BROKEN_ERROR", message: `the file cannot be read: ${why}` }
  }
}

parentPort?.on("message", (request: Request) => {
  void answer(request).then((message) => parentPort?.postMessage(message, []))
})
