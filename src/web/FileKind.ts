/**
 * Recognises files that are not pages, by their first bytes or by the type that their server states.
 *
 * The bytes have priority, because servers label PDF files in many ways. A known kind that cannot be read is refused by
 * its name, so that it is not taken for an empty page.
 */
import { essence } from "#page/ContentKind"
import { latin1Of } from "#page/latin1Of"

export type FileKind = "pdf" | "docx" | "xlsx" | "pptx" | "odt" | "ods" | "odp" | "rtf" | "doc" | "epub" | "locked"

/** The kinds that have a reader. */
export const readable = new Set<FileKind>(["pdf", "docx"])

/** The name of a kind in messages. */
export const nameOf = (kind: FileKind): string => names[kind]

/** Undefined: not a known kind of file; it may be a page. */
export const fileKind = (contentType: string | undefined, body: Uint8Array, name?: string): FileKind | undefined => {
  const head = latin1Of(body, 0, 1024)
  if (isPdf(head, body)) return "pdf"
  if (head.startsWith("{\\rtf")) return "rtf"
  const called = types.get(essence(contentType) ?? "") ?? extensions.get(extensionOf(name))
  if (head.startsWith("PK\u0003\u0004")) return insideZip(body) ?? (called === "pdf" ? undefined : called)
  if (head.startsWith("\u00d0\u00cf\u0011\u00e0")) return isLocked(body) ? "locked" : "doc"
  return called !== undefined && isBinary(head) ? called : undefined
}

/**
 * Readers accept a PDF with up to a kilobyte before it, such as a notice of the sending program. A page about PDF files
 * has no PDF's end.
 */
const isPdf = (head: string, body: Uint8Array): boolean =>
  /^(?:\u00ef\u00bb\u00bf)?\s*%PDF-/.test(head) ||
  (head.includes("%PDF-") && latin1Of(body, Math.max(0, body.byteLength - 1024)).includes("%%EOF"))

/** An encrypted document of today's Office is packed like the old formats, with one part of this name. */
const isLocked = (body: Uint8Array): boolean =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes("EncryptedPackage", 0, "utf16le")

/** A server that labels an error page as a PDF still sends a page. */
const isBinary = (head: string): boolean => head === "" || !/^\s*(?:<|[\w\s.,:;!?'"()-]{16})/.test(head)

const extensionOf = (name: string | undefined): string => /\.(\w{1,5})$/.exec(name ?? "")?.[1]?.toLowerCase() ?? ""

/** The kind of a zip, by the names in its directory, or by the type at the beginning of an OpenDocument file. */
const insideZip = (body: Uint8Array): FileKind | undefined => {
  const text = latin1Of(body, 0, 4096) + latin1Of(body, Math.max(0, body.byteLength - 65_536))
  const open = /application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(text)?.[1]
  if (open !== undefined) return open === "text" ? "odt" : open === "spreadsheet" ? "ods" : "odp"
  if (text.includes("application/epub+zip")) return "epub"
  if (text.includes("word/document")) return "docx"
  if (text.includes("xl/workbook")) return "xlsx"
  return text.includes("ppt/presentation") ? "pptx" : undefined
}

const names: Readonly<Record<FileKind, string>> = {
  pdf: "a PDF",
  docx: "a Word document (DOCX)",
  xlsx: "an Excel workbook (XLSX)",
  pptx: "a PowerPoint presentation (PPTX)",
  odt: "an OpenDocument text (ODT)",
  ods: "an OpenDocument spreadsheet (ODS)",
  odp: "an OpenDocument presentation (ODP)",
  rtf: "a rich text file (RTF)",
  doc: "an old Office file (DOC, XLS or PPT)",
  epub: "an electronic book (EPUB)",
  locked: "an encrypted Office document"
}

const office = "application/vnd.openxmlformats-officedocument."

const types = new Map<string, FileKind>([
  ["application/pdf", "pdf"],
  ["application/x-pdf", "pdf"],
  [`${office}wordprocessingml.document`, "docx"],
  [`${office}spreadsheetml.sheet`, "xlsx"],
  [`${office}presentationml.presentation`, "pptx"],
  ["application/vnd.oasis.opendocument.text", "odt"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods"],
  ["application/vnd.oasis.opendocument.presentation", "odp"],
  ["application/rtf", "rtf"],
  ["text/rtf", "rtf"],
  ["application/msword", "doc"],
  ["application/vnd.ms-excel", "doc"],
  ["application/vnd.ms-powerpoint", "doc"],
  ["application/epub+zip", "epub"]
])

const extensions = new Map<string, FileKind>(
  (["pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp", "rtf", "doc", "epub"] as const).map((kind) => [kind, kind])
)

/**
 * The type of an uploaded file by its name, which is more reliable than the type that clients send. The bytes still
 * have priority.
 */
export const uploadedType = (name: string, contentType: string): string | undefined => {
  const known = typesByEnding.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "")
  if (known !== undefined) return known
  return contentType === "" || contentType === "application/octet-stream" ? undefined : contentType
}

const typesByEnding = new Map([
  ["html", "text/html"],
  ["htm", "text/html"],
  ["xhtml", "application/xhtml+xml"],
  ["xml", "application/xml"],
  ["txt", "text/plain"],
  ["md", "text/markdown"],
  ["markdown", "text/markdown"],
  ["csv", "text/csv"],
  ["json", "application/json"],
  ["pdf", "application/pdf"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"]
])
