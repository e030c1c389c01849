/**
 * What a process that reads suspects is asked, and what it answers: plain data that crosses between processes.
 */
import type { FileRequest, LongPageRequest, PageRead } from "#web/fileWorker"
import type { DocxRead } from "#web/readDocx"
import type { PdfRead } from "#web/readPdf"
import type * as Rules from "../Rules.ts"

/** To be read: a file, or a page. */
type ReadingRequest =
  | { readonly kind: "file"; readonly request: FileRequest }
  | { readonly kind: "page"; readonly request: Omit<LongPageRequest, "kind"> }

export type Request = ReadingRequest | Rules.Request

/** What each kind of question is answered with. */
interface Answers extends Rules.Answers {
  readonly file: PdfRead | DocxRead
  readonly page: PageRead
}

export type AnswerOf<Asked extends Request> = Answers[Asked["kind"]]

export type Answered =
  | { readonly ok: true; readonly read: Answers[keyof Answers] }
  | { readonly ok: false; readonly code: string; readonly message: string }
