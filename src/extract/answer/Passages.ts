/**
 * The passages of a page that may answer a question: rows of tables with the names of their columns, terms with what is
 * said of them, lines and sentences of text, each with the heading that it stands under.
 *
 * A passage is on the page as written and has its place; the number of passages and the length of each are limited.
 */

import { contentOf, textOf, tidy } from "#page/Dom"
import type { Source, Thing } from "../Candidates.ts"
import { Page } from "../page/Page.ts"
import * as Definitions from "../read/shown/Definitions.ts"
import { linesOf } from "../read/shown/Lines.ts"
import * as Tables from "../read/shown/Tables.ts"

export interface Passage {
  readonly text: string
  /** What its value is called, where it has a label. */
  readonly label: string | undefined
  readonly heading: string | undefined
  readonly source: Source
  /** Less for what stands in the footer of every page. */
  readonly weight: number
  /** Whether it is one of the first paragraphs. */
  readonly isLead: boolean
}

export interface Passages {
  readonly title: string
  /** What the page and its site are called, beside the title. */
  readonly site: string
  readonly language: string | undefined
  readonly all: ReadonlyArray<Passage>
}

export const read = (html: string, url: string): Passages => {
  const page = new Page(html, url)
  const name = page.headings.find((heading) => heading.name === "h1")
  const title = name === undefined ? "" : textOf(name, 200)
  const site = page.elements.find(({ name: own }) => own === "title")
  return {
    title,
    site: site === undefined ? "" : contentOf(site).slice(0, 200),
    language: page.elements.find(({ name: own }) => own === "html")?.attributes.get("lang"),
    all: [...factsOf(page), ...textsOf(page, title)].slice(0, most)
  }
}

const most = 4000
const maxText = 700

/** Tables and definitions. */
const factsOf = (page: Page): ReadonlyArray<Passage> => {
  const headingOf = (from: number) => page.nameAbove(from).name
  const tables = Tables.read(page)
  const rows = tables.groups
    .filter(({ things }) => things.length > 1)
    .flatMap(({ name, things }) =>
      things.map((row): Passage => {
        const heading = name ?? headingOf(row.source.span[0])
        return { text: rowOf(row), label: undefined, heading, source: row.source, weight: 1, isLead: false }
      })
    )
  const facts = [...tables.properties, ...Definitions.read(page).properties].flatMap(({ name, value }) =>
    value._tag === "Thing"
      ? []
      : [
          {
            ...fact,
            text: `${name}: ${String(value.data)}`,
            label: name,
            heading: headingOf(value.source.span[0]),
            source: value.source
          }
        ]
  )
  return [...rows, ...facts].filter(({ text }) => text !== "" && text.length <= maxText)
}

const fact = { weight: 1, isLead: false } as const

const rowOf = ({ properties }: Thing): string =>
  properties
    .flatMap(({ name, value }) =>
      value._tag === "Value" && String(value.data) !== "" ? [`${name}: ${String(value.data)}`] : []
    )
    .join(", ")

/** Lines of text: all that stand under one heading together, and each by itself or by its sentences. */
const textsOf = (page: Page, title: string): ReadonlyArray<Passage> => {
  const found: Array<Passage> = []
  const under = new Map<string, { text: string; source: Source; weight: number }>()
  let leads = 0
  for (const { block, text: written } of linesOf(page.root, most)) {
    if (found.length >= most) break
    if (page.isApart(block) || skipped.test(block.name) || isIn(block, /^(?:table|dl|head|title)$/)) continue
    const text = tidy(written, maxText * 4)
    if (text.length < 3) continue
    const heading = page.nameAbove(block.from).name
    const weight = page.isInFooter(block) || isIn(block, /^aside$/) ? 0.6 : 1
    const source = page.source("text", block)
    const isLead = weight === 1 && text.length >= 40 && leads++ < 2
    const parts =
      text.length <= maxLine ? [text] : text.split(/(?<=[.!?。！？])\s*(?=\S)/).filter((part) => part.length > 2)
    for (const part of parts)
      found.push({ text: part.slice(0, maxText), label: undefined, heading, source, weight, isLead })
    if (heading === undefined || weight < 1) continue
    const before = under.get(heading)
    if (before === undefined) under.set(heading, { text, source, weight })
    else if (before.text.length + text.length < maxText) {
      before.text += ` ${text}`
      before.source = { ...before.source, span: [before.source.span[0], source.span[1]] }
    }
  }
  const sections = Array.from(under, ([heading, { source, text, weight }]): Passage => {
    // What the page is called names none of its parts.
    return { text, label: heading === title ? undefined : heading, heading, source, weight, isLead: false }
  })
  return [...found, ...sections.filter(({ text }) => text.length <= maxText)]
}

/** A longer line is read by its sentences. */
const maxLine = 240
const skipped = /^(?:h[1-6]|summary|button|option|label)$/

const isIn = (block: { readonly name: string; readonly parent: unknown }, name: RegExp): boolean => {
  let at: unknown = block
  for (let up = 0; up < 12; up++) {
    if (!isElement(at)) return false
    if (name.test(at.name)) return true
    at = at.parent
  }
  return false
}

const isElement = (value: unknown): value is { readonly name: string; readonly parent: unknown } =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string" && "parent" in value
