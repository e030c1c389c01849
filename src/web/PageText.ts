/**
 * The part of a page document that the index stores: its words, and its text for passages.
 *
 * A document is JSON text from an unknown source. Text that is not JSON, and pages with an HTTP error status, are not
 * indexed. The scrape id contains the time when the page was read.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { wordsOf } from "#base/Words"
import * as PageUrl from "#contract/PageUrl"
import { isUuid } from "#contract/uuid7"
import * as Page from "#page/Page"

/** The words of a page, field by field. */
export interface Words {
  readonly title: ReadonlyArray<string>
  readonly description: ReadonlyArray<string>
  readonly address: ReadonlyArray<string>
  readonly text: ReadonlyArray<string>
}

interface PageText {
  readonly key: string
  readonly url: string
  /** The host without `www.`. */
  readonly host: string
  /** The file extension: "pdf"; "" for web pages. */
  readonly fileType: string
  readonly title: string
  readonly description: string
  readonly text: string
  readonly words: Words
  /** The day that the page declares, in milliseconds. */
  readonly publishedAt: number | null
  readonly readAt: number
}

const MetadataValue = Schema.optionalKey(Schema.Json)
const Document = Schema.Struct({
  markdown: Schema.optionalKey(Schema.String),
  html: Schema.optionalKey(Schema.String),
  rawHtml: Schema.optionalKey(Schema.String),
  metadata: Schema.Struct({
    url: Schema.String,
    statusCode: Schema.Finite,
    unread: Schema.optionalKey(Schema.String),
    title: Schema.optionalKey(Schema.String),
    description: Schema.optionalKey(Schema.String),
    contentType: Schema.optionalKey(Schema.String),
    scrapeId: Schema.optionalKey(Schema.String),
    cachedAt: MetadataValue,
    modifiedTime: MetadataValue,
    publishedTime: MetadataValue
  })
})
const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Document))

/** `orElse`: the time when the page was read, if the document does not contain it. */
export const ofDocument = (json: string, orElse: number): PageText | undefined => {
  const document = Option.getOrUndefined(decode(json))
  const url = document === undefined ? undefined : PageUrl.normalize(document.metadata.url)
  if (document === undefined || url === undefined) return undefined
  const { metadata } = document
  if (metadata.statusCode >= 400 || metadata.unread !== undefined) return undefined
  const title = tidy(metadata.title ?? "").slice(0, maxTitle)
  const description = tidy(metadata.description ?? "").slice(0, maxDescription)
  const text = plainText(markdownOf(document, url.href)).slice(0, maxText)
  return {
    key: PageUrl.key(url, false),
    url: url.href,
    host: PageUrl.bareHost(url),
    fileType: fileTypeOf(metadata.contentType ?? "", url.pathname),
    title,
    description,
    text,
    words: {
      title: wordsOf(title),
      description: wordsOf(description),
      address: wordsOf(readable(`${url.hostname} ${url.pathname} ${url.search}`), maxAddress),
      text: wordsOf(text, maxWords)
    },
    publishedAt: instantOf(metadata.modifiedTime) ?? instantOf(metadata.publishedTime) ?? null,
    readAt: instantOf(metadata.cachedAt) ?? madeAt(metadata.scrapeId ?? "") ?? orElse
  }
}

const maxTitle = 300
const maxDescription = 1000
const maxAddress = 100
/** Only the beginning of a very long page is indexed: a tsvector counts no further. */
const maxWords = 15_000
const maxText = 120_000

/** The Markdown of a document; if it has none, it is made from the HTML. */
const markdownOf = ({ html, markdown, rawHtml }: typeof Document.Type, url: string): string => {
  const written = markdown ?? rawHtml ?? html
  if (written === undefined || markdown !== undefined) return markdown ?? ""
  const body = new TextEncoder().encode(written)
  try {
    return Page.parse({ url, body, contentType: "text/html; charset=utf-8" }, Page.defaults).markdown ?? ""
  } catch (cause) {
    // The scrape did not need Markdown. If that is too costly to make, the text of the page is not indexed.
    if (cause instanceof Page.TooCostly) return ""
    throw cause
  }
}

/** The lines of text of Markdown, without its markup. Each pattern is bounded, because pages are not trusted. */
const plainText = (markdown: string): string =>
  markdown
    .slice(0, maxMarkdown)
    .replaceAll("\0", "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/!?\[((?:[^\]\\]|\\.){0,200})\]\([^)\s]{0,2000}(?: "[^"\n]{0,300}")?\)/g, "$1")
    .replace(/^ ?(?:(?:#{1,6}|>|[-*+]|\d{1,9}\.) )+/gm, "")
    .replace(/^[ |:-]+$|^`{3,}.*$/gm, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/\\(?=[^\w\s])/g, "")
    .replace(/ ?\| ?/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim()

const maxMarkdown = 300_000

const tidy = (text: string): string => text.replaceAll("\0", "").replace(/\s+/g, " ").trim()

const fileTypeOf = (contentType: string, path: string): string => {
  const kind = contentType.split(";", 1).join("").trim().toLowerCase()
  if (kind === "application/pdf") return "pdf"
  const ending = /\.([a-z0-9]{2,5})$/i.exec(path)?.[1]?.toLowerCase() ?? ""
  return /^(?:html?|xhtml|php|aspx?)$/.test(ending) ? "" : ending
}

const instantOf = (value: unknown): number | undefined => {
  const millis = typeof value === "string" ? Date.parse(value) : Number.NaN
  return Number.isNaN(millis) ? undefined : millis
}

/** The time at the start of a UUID of version 7, in milliseconds. */
const madeAt = (id: string): number | undefined =>
  isUuid(id) && id.charAt(14) === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined

const readable = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
