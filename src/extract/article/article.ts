/**
 * The article of a page: its title, who wrote it, when, and its main content, all as they stand on the page.
 *
 * Declared data has priority, then what the page shows; nothing is invented, and every answer has its place.
 */
import type { Source } from "../Candidates.ts"
import * as JsonLd from "../read/declared/JsonLd.ts"
import * as Meta from "../read/declared/Meta.ts"
import * as Microdata from "../read/declared/Microdata.ts"
import { Page } from "../read/Page.ts"
import * as Authors from "./Authors.ts"
import * as Blocks from "./Blocks.ts"
import * as Body from "./Body.ts"
import { authorsIn } from "./Byline.ts"
import * as Declared from "./Declared.ts"
import * as Draft from "./Draft.ts"
import { isBeside } from "./isBeside.ts"
import * as Published from "./Published.ts"
import * as Title from "./Title.ts"

export interface Article {
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
  readonly blocks: ReadonlyArray<Blocks.Block>
  /** Where each of the others stands. */
  readonly sources: ReadonlyMap<"title" | "byline" | "published" | "modified" | "text", Source>
}

export const article = (html: string, url: string): Article => of(new Page(html, url))

/** The same of a page that has been parsed already, and whose declared data may have been read. */
export const of = (page: Page, readings: Declared.Readings = readingsOf(page)): Article => {
  const declared = Declared.of(readings)
  const title = Title.of(declared.title, declared.pageTitle, () => Title.headingsOf(page.elements))
  const body = Body.find(
    page.root,
    page.url,
    title?.text ?? "",
    declared.authors.length + declared.publishers.length === 0
  )
  const blocks = Blocks.of(body.article)
  const byline = Authors.of(page, declared, bylineOf(page, body))
  const [from, to] = [blocks[0]?.span[0] ?? 0, blocks.at(-1)?.span[1] ?? 0]
  const { language } = declared
  const address: Source = { kind: "link", path: "url", span: [0, 0] }
  const near = Math.max(0, from - nearText)
  const published =
    Published.normal(declared.published, language) ??
    Published.inAddress(page.url, address) ??
    Published.shown(page, near, to, language)
  const modified = Published.normal(declared.modified, language) ?? Published.changed(page, near, to, language)
  const sources = new Map<"title" | "byline" | "published" | "modified" | "text", Source>()
  for (const [name, said] of [
    ["title", title],
    ["byline", byline?.said],
    ["published", published],
    ["modified", modified]
  ] as const) {
    if (said !== undefined) sources.set(name, said.source)
  }
  if (blocks.length > 0) sources.set("text", { kind: "text", path: "", span: [from, to] })
  return {
    title: title?.text,
    byline: byline?.said.text,
    authors: byline?.names ?? [],
    published: published?.text,
    modified: modified?.text,
    text: blocks.map(({ text }) => text).join("\n"),
    blocks,
    sources
  }
}

/** How far before the text a date is looked for: a headline, a byline and a picture. */
const nearText = 20_000

const readingsOf = (page: Page): Declared.Readings => {
  const { things, loose } = Microdata.read(page)
  return { jsonLd: JsonLd.read(page), microdata: things, loose, meta: Meta.read(page) }
}

const bylineOf = (page: Page, { byline }: Body.Body): Authors.Authors | undefined => {
  if (byline?.source?._tag !== "Element" || page.isApart(byline.source) || isBeside(byline.source)) return undefined
  const text = Draft.textOf(byline, 2000).replaceAll(/\s+/g, " ").trim()
  return { said: { text, source: page.source("text", byline.source) }, names: authorsIn(partsOf(byline)) }
}

/** The text of a byline with its parts apart, also where no blank stands between them. */
const partsOf = (byline: Draft.Node): string => {
  let text = ""
  const visit = (node: Draft.Node): void => {
    if (node.text !== "")
      text += /[\p{L}\p{N}]$/u.test(text) && /^[\p{L}\p{N}]/u.test(node.text) ? `\n${node.text}` : node.text
    for (let child = node.first; child !== undefined && text.length < 1000; child = child.next) visit(child)
  }
  visit(byline)
  return text
}
