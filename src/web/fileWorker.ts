/**
 * The thread that reads files, and pages as large as files: one message in, one message out. A file that takes too long
 * ends the thread from outside, so there is no clock here.
 */
import { parentPort } from "node:worker_threads"
import { decode } from "#page/Charset"
import * as Page from "#page/Page"
import { choose, type Wanted } from "#page/Selection"
import { maybeShell, type ShellEvidence, shellEvidence } from "#page/scriptShell"
import { FileProblem } from "./FileProblem.ts"
import type { DocxRead } from "./readDocx.ts"
import type { PdfRead } from "./readPdf.ts"

export type Request = FileRequest | LongPageRequest

export interface FileRequest {
  readonly kind: "pdf" | "docx"
  readonly bytes: Uint8Array
  readonly maxPages: number
}

export interface LongPageRequest {
  readonly kind: "page"
  readonly input: Page.PageInput
  readonly options: Page.PageOptions
  /** What the page's selectors are made from: compiled selectors cannot be sent to a thread. */
  readonly wanted: Wanted | undefined
}

export interface PageRead {
  readonly kind: "page"
  readonly page: Page.Page
  /** The evidence that the page is a shell that scripts fill. */
  readonly shellEvidence: ShellEvidence | undefined
}

type Read = PdfRead | DocxRead | PageRead

export type FileAnswer =
  | { readonly ok: true; readonly read: Read }
  | { readonly ok: false; readonly code: string; readonly message: string }

const read = async (request: Request): Promise<Read> => {
  switch (request.kind) {
    case "pdf":
      return (await import("./readPdf.ts")).readPdf(request.bytes, request.maxPages)
    case "docx":
      return (await import("./readDocx.ts")).readDocx(request.bytes)
    case "page": {
      const { input, options, wanted } = request
      const choice = wanted === undefined ? undefined : choose(wanted)
      // A wrong selector was refused before the page was requested.
      const page = Page.parse(input, typeof choice === "object" ? { ...options, choice } : options)
      return {
        kind: "page",
        page,
        shellEvidence: maybeShell(page) ? shellEvidence(decode(input.body, input.contentType, "html")) : undefined
      }
    }
  }
}

const answer = async (request: Request): Promise<FileAnswer> => {
  try {
    return { ok: true, read: await read(request) }
  } catch (cause) {
    if (cause instanceof FileProblem || cause instanceof Page.TooCostly)
      return { ok: false, code: cause.code, message: cause.message }
    const why = cause instanceof Error ? cause.message.split("\n", 1).join("") : String(cause)
    return { ok: false, code: "SCRAPE_FILE_BROKEN_ERROR", message: `the file cannot be read: ${why}` }
  }
}

parentPort?.on("message", (request: Request) => {
  void answer(request).then((message) => parentPort?.postMessage(message, []))
})
