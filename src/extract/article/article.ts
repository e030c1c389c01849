/**
 * The article of a page: its title, who wrote it, when, and its main content, all as they stand on the page.
 *
 * Declared data has priority, then what the page shows; nothing is invented, and every answer has its place.
 */
import * as Dom from "#page/Dom"
import { type MainBlock, mainBlocks } from "#page/mainBlocks"
import type { PageKind } from "#page/PageKind"
import type { Source } from "../Candidates.ts"
import { Page } from "../page/Page.ts"
import * as JsonLd from "../read/declared/JsonLd.ts"
import * as Meta from "../read/declared/Meta.ts"
import * as Microdata from "../read/declared/Microdata.ts"
import { authorsIn } from "../value/Byline.ts"
import * as Authors from "./Authors.ts"
import * as Declared from "./Declared.ts"
import * as Published from "./Published.ts"
import { isBeside } from "./Said.ts"
import * as Title from "./Title.ts"

interface Article {
  readonly title: string | undefined
  /** The line that names the authors, as declared or as shown. */
  readonly byline: string | undefined
  /** The names in it. */
  readonly authors: ReadonlyArray<string>
  /** ISO: a day, or a date-time where one is written. */
  readonly published: string | undefined
  readonly modified: string | undefined
  /** The main content, one line a block. */
  readonly text: string
  readonly blocks: ReadonlyArray<MainBlock>
  readonly kind: PageKind
  /** Where each of the others stands. */
  readonly sources: ReadonlyMap<"title" | "byline" | "published" | "modified" | "text", Source>
}

export const article = (html: string, url: string): Article => of(new Page(html, url))

/** The same of a page that has been parsed already, and whose declared data may have been read. */
const of = (page: Page, readings: Declared.Readings = readingsOf(page)): Article => {
  const declared = Declared.of(readings)
  const title = Title.of(declared.title, declared.pageTitle, () => Title.headingsOf(page.elements))
  const { blocks, kind } = mainBlocks(page.root, page.url)
  const [from, to] = [blocks[0]?.span[0] ?? 0, blocks.at(-1)?.span[1] ?? 0]
  const byline = Authors.of(
    page,
    declared,
    declared.authors.length + declared.publishers.length === 0 ? bylineOf(page) : undefined
  )
  const { language } = declared
  const address: Source = { kind: "link", path: "url", span: [0, 0] }
  const near = Math.max(0, from - nearText)
  const published =
    Published.normal(declared.published, language) ??
    Published.inAddress(page.url, address) ??
    Published.shown(page, near, to, language)
  const modified = Published.normal(declared.modified, language) ?? Published.changed(page, near, to, language)
  const sources = new Map<"title" | "byline" | "published" | "modified" | "text", Source>()
  for (const [name, statement] of [
    ["title", title],
    ["byline", byline?.nameLine],
    ["published", published],
    ["modified", modified]
  ] as const) {
    if (statement !== undefined) sources.set(name, statement.source)
  }
  if (blocks.length > 0) sources.set("text", { kind: "text", path: "", span: [from, to] })
  return {
    title: title?.text,
    byline: byline?.nameLine.text,
    authors: byline?.names ?? [],
    published: published?.text,
    modified: modified?.text,
    text: blocks.map(({ text }) => text).join("\n"),
    blocks,
    kind,
    sources
  }
}

/** How far before the text a date is looked for: a headline, a byline and a picture. */
const nearText = 20_000

const readingsOf = (page: Page): Declared.Readings => {
  const { things, loose } = Microdata.read(page)
  return { jsonLd: JsonLd.read(page), microdata: things, loose, meta: Meta.read(page) }
}

/** The first line that is named as one that names the author. */
const bylineOf = (page: Page): Authors.Authors | undefined => {
  const line = page.elements.find(
    (element) => isByline(element) && isShort(element) && !page.isApart(element) && !isBeside(element)
  )
  if (line === undefined) return undefined
  const name = Dom.elements(line).find(({ attributes }) => attributes.get("itemprop")?.includes("name")) ?? line
  return { nameLine: { text: Dom.textOf(name), source: page.source("text", name) }, names: authorsIn(partsOf(name)) }
}

const isByline = ({ attributes, isVisible }: Dom.Element): boolean =>
  isVisible &&
  attributes.size > 0 &&
  (attributes.get("rel") === "author" ||
    attributes.get("itemprop")?.includes("author") === true ||
    named.test(attributes.get("class") ?? "") ||
    named.test(attributes.get("id") ?? ""))

const named = /byline|author|dateline|writtenby/i

/** A byline is one line: a longer text is about its author, or by him. */
const isShort = (element: Dom.Element): boolean => {
  const { length } = Dom.textOf(element, maxByline + 1)
  return length > 0 && length < maxByline
}

const maxByline = 100

/** The text of a byline with its parts apart, also where no blank stands between them. */
const partsOf = (byline: Dom.Element): string => {
  let text = ""
  const visit = (element: Dom.Element): void => {
    for (const child of element.children) {
      if (text.length >= maxParts) return
      if (child._tag === "Element") {
        if (child.isVisible) visit(child)
      } else if (child.text !== "")
        text += /[\p{L}\p{N}]$/u.test(text) && /^[\p{L}\p{N}]/u.test(child.text) ? `\n${child.text}` : child.text
    }
  }
  visit(byline)
  return text
}

const maxParts = 1000
