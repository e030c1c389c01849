/**
 * The kind of content of an answer: from its content type, or from its first bytes if the type is missing or wrong.
 */
import { latin1Of } from "./latin1Of.ts"

export type ContentKind = "html" | "xml" | "text" | "json" | "other"

export const contentKind = (contentType: string | undefined, body: Uint8Array): ContentKind => {
  if (magics.some((magic) => magic.every((byte, i) => body[i] === byte))) return "other"
  const type = essence(contentType)
  if (type === undefined || unknown.has(type)) return sniff(body)
  const kind = kindOfType(type)
  return kind === "other" && !media.test(type) && sniff(body) === "html" && document.test(latin1Of(body, 0, 1024))
    ? "html"
    : kind
}

/**
 * The start of an HTML page. What begins like this is a page even if its type is that of a download or a PDF: some servers
 * derive the type from the address.
 */
const document = /^(?:\u00ef\u00bb\u00bf)?\s*(?:<!--|<\?xml|<!doctype html|<html|<head)/i
const media = /^(?:image|audio|video|font)\//

/** The type and subtype, in lower case: "text/html"; undefined: the header is missing or invalid. */
export const essence = (contentType: string | undefined): string | undefined => {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase()
  return type !== undefined && /^[\w.+!#$&^-]+\/[\w.+!#$&^-]+$/.test(type) ? type : undefined
}

const kindOfType = (type: string): ContentKind => {
  if (type === "text/html" || type === "application/xhtml+xml" || type === "application/vnd.wap.xhtml+xml")
    return "html"
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) return "json"
  if (type === "text/xml" || type === "application/xml" || (type.endsWith("+xml") && !type.startsWith("image/")))
    return "xml"
  if (type.startsWith("text/") || texts.has(type)) return "text"
  return "other"
}

/** The first bytes of PDF, PNG, JPEG, GIF, zip and gzip files. No text begins with them. */
const magics = ["%PDF-", "\u0089PNG", "\u00ff\u00d8\u00ff", "GIF8", "PK\u0003\u0004", "\u001f\u008b"].map((magic) =>
  Array.from(magic, (char) => char.charCodeAt(0))
)

const unknown = new Set(["unknown/unknown", "application/unknown", "*/*"])

const texts = new Set([
  "application/javascript",
  "application/csv",
  "application/x-csv",
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/x-jsonlines",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
  "application/x-sh",
  "application/sql",
  "application/rtf"
])

const sniff = (body: Uint8Array): ContentKind => {
  const start = body.subarray(0, 1024)
  const head = latin1Of(start)
  const wide = head.startsWith("\u00ff\u00fe") || head.startsWith("\u00fe\u00ff")
  if (!wide && start.some(isBinary)) return "other"
  const text = (wide ? head.slice(2).replaceAll("\0", "") : head.replace(/^\u00ef\u00bb\u00bf/, "")).trimStart()
  if (/^<(?:!doctype html|html|head|body|title|script|div|p|h1|table|a|br|meta|!--)[\s>]/i.test(`${text} `))
    return "html"
  if (text.startsWith("<?xml")) return /<(?:html|!doctype html)[\s>]/i.test(text) ? "html" : "xml"
  if (text.startsWith("<")) return "html"
  return /^[{[]/.test(text) ? "json" : "text"
}

/** Whether a byte is a control character other than white space and escape: text has none. */
const isBinary = (byte: number): boolean => byte < 32 && byte !== 27 && (byte < 9 || byte > 13)
