/**
 * What a process that reads suspects is asked, and what it answers: plain data that crosses between processes.
 */
import type { FileRequest, PageRead, PageRequest } from "../../crawler/files/fileWorker.ts"
import type { DocxRead } from "../../crawler/files/readDocx.ts"
import type { PdfRead } from "../../crawler/files/readPdf.ts"
import type * as SchemaFiller from "../../crawler/scrape/SchemaFiller.ts"
import type { Filled, Wanted } from "../Filled.ts"

/** To be read: a file, or a page. */
export type ReadingRequest =
  | { readonly kind: "file"; readonly request: FileRequest }
  | { readonly kind: "page"; readonly request: Omit<PageRequest, "kind"> }

/** To be answered by rules, of a page that was read. */
export type RulesRequest =
  | { readonly kind: "fill"; readonly page: SchemaFiller.Input; readonly wanted: Wanted }
  | { readonly kind: "answer"; readonly page: SchemaFiller.Input; readonly question: string }
  | { readonly kind: "highlights"; readonly page: SchemaFiller.Input; readonly query: string }

export type Request = ReadingRequest | RulesRequest

/** What each kind of question is answered with. */
interface Answers {
  readonly file: PdfRead | DocxRead
  readonly page: PageRead
  readonly fill: Filled
  readonly answer: string | undefined
  readonly highlights: ReadonlyArray<string>
}

export type AnswerOf<Asked extends Request> = Answers[Asked["kind"]]

export type Answered =
  | { readonly ok: true; readonly read: Answers[keyof Answers] }
  | { readonly ok: false; readonly code: string; readonly message: string }
