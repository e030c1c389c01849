/** Data of a page in the shape of a schema, by our own rules. */
import { isSchema, type JsonSchema } from "#contract/JsonSchema"
import { fragmentOf, isOfPdf, nothingInPdf } from "#page/pdfPlaces"
import type * as SchemaFiller from "#web/SchemaFiller"
import type { Input } from "#web/SchemaFiller"
import * as Passages from "./answer/Passages.ts"
import { promptedData } from "./answer/promptedData.ts"
import { article } from "./article/article.ts"
import type { Candidates, Extracted, Filled, Property, Source, Thing, Wanted } from "./Candidates.ts"
import * as Certainty from "./Certainty.ts"
import { match } from "./match/Matcher.ts"
import * as Names from "./match/Names.ts"
import { Budget, maxValues } from "./page/Budget.ts"
import { groupsOf } from "./page/groupsOf.ts"
import { pageLocale } from "./pageLocale.ts"
import { candidates } from "./read/candidates.ts"
import * as CsvData from "./read/data/CsvData.ts"
import * as JsonData from "./read/data/JsonData.ts"
import * as XmlData from "./read/data/XmlData.ts"

export const byRules = (page: SchemaFiller.Input, { prompt, schema, showsConsidered }: Wanted): Filled => {
  const extracted = extract(page, schema, prompt, showsConsidered)
  return { ...extracted, sources: withCertainty(extracted.sources), engine: { name: "rules" }, tokens: 0 }
}

/** What was not chosen among others is as sure as its place. */
const withCertainty = (sources: Extracted["sources"]): Extracted["sources"] =>
  new Map(
    Array.from(sources, ([pointer, source]) =>
      source.certainty === undefined
        ? [pointer, { ...source, certainty: Certainty.ofKind(source.kind) }]
        : [pointer, source]
    )
  )

/**
 * Data of a page in the shape of a JSON Schema, without a model.
 *
 * How: readers offer what the page says, declared and shown (`read/`); the matcher fills the schema from it (`match/`);
 * values are read as types and formats want them (`value/`). Where the schema asks for an article, what `article/` finds
 * is offered too. An answer that is data, and no page, offers its fields by their names (`read/data/`). Without a schema the
 * prompt says what is wanted; questions are answered with passages (`answer/`).
 *
 * A value is taken from the page or it is null. Nothing is guessed, and the same page gives the same data.
 */
const extract = (
  { html, metadata, url }: Input,
  schema: JsonSchema | undefined,
  prompt: string | undefined,
  showsConsidered = false
): Extracted => {
  const data = dataCandidates(html, url)
  const found = data ?? candidates(html, url)
  const setting = pageLocale(url, found, metadata["language"])
  if (schema === undefined) return promptedData(found, setting, prompt ?? "", () => Passages.read(html, url))
  const extracted = match(data ?? withArticle(found, html, url, schema), schema, setting, prompt, showsConsidered)
  const unclear = [...unclearOf(extracted.missing, found), ...(extracted.unclear ?? [])]
  const filled = unclear.length === 0 ? extracted : { ...extracted, unclear }
  return isOfPdf(html) ? ofPdf(filled, html) : filled
}

/**
 * The missing values whose name stands on the page: with a value beside it that was not taken, because there are several or
 * they do not fit, or in a line that says what the page is (`markedLines`). Of the rows of a list, nobody knows whose name
 * it is.
 */
const unclearOf = (
  missing: ReadonlyArray<string>,
  { groups, marked, page, things }: Candidates
): ReadonlyArray<string> => {
  const open = missing.filter((pointer) => pointer !== "" && !/\/\d+(?:\/|$)/.test(pointer))
  if (open.length === 0) return []
  const names = new Set<string>()
  const collect = ({ properties }: Thing): void => {
    for (const { name, value } of properties) {
      names.add(name)
      if (value._tag === "Thing") collect(value)
    }
  }
  for (const thing of [page, ...things, ...groups.flatMap((group) => group.things)]) collect(thing)
  const known = [...names].map(Names.parse)
  const lines = (marked?.() ?? []).map((line) => Names.stemsOf(line))
  return open.filter((pointer) => {
    const name = pointer.slice(pointer.lastIndexOf("/") + 1)
    const wanted = Names.parse(name)
    const stems = Names.stemsOf(name)
    return known.some((own) => Names.isSame(wanted, own)) || lines.some((line) => isIn(stems, line))
  })
}

/** Whether some words stand in others, one behind the other. */
const isIn = (some: ReadonlyArray<string>, all: ReadonlyArray<string>): boolean =>
  some.length > 0 && all.some((_, at) => some.every((word, i) => all[at + i] === word))

/** In a PDF a value stands on a page and in a box. */
const ofPdf = (filled: Extracted, html: string): Extracted => {
  const sources = Array.from(filled.sources, ([pointer, source]): readonly [string, Source] => [
    pointer,
    { ...source, path: fragmentOf(html, source.span) ?? source.path }
  ])
  return { ...filled, sources: new Map(sources), ...(sources.length === 0 ? { warning: nothingInPdf } : {}) }
}

/**
 * The candidates of an answer that is data instead of a page: JSON, a feed or other XML, a table in CSV.
 *
 * Its fields have names, so it consists of things, like the data that a page declares. The kind of data is recognised by
 * the text, because servers call much of it `text/plain`. Undefined: it is a page or a text.
 */
export const dataCandidates = (text: string, url: string): Candidates | undefined => {
  let isCut = false
  const room = new Budget(maxValues, () => {
    isCut = true
  })
  const things = JsonData.read(text, room) ?? XmlData.read(text, room) ?? CsvData.read(text, room)
  if (things === undefined) return undefined
  const page: Thing = {
    _tag: "Thing",
    types: [],
    id: url,
    source: { kind: "meta", path: "", span: [0, text.length] },
    properties: []
  }
  return { things, groups: groupsOf(things), page, isCut }
}

/**
 * What the article of a page offers to a schema that asks for one: its headline, authors, days and text.
 *
 * The article is searched only if a property needs it, because that costs as much as reading the page; what the page
 * declares itself has priority.
 */
const withArticle = (found: Candidates, html: string, url: string, schema: JsonSchema): Candidates => {
  if (!asksArticle(schema, 0)) return found
  const { authors, byline, modified, published, sources, text, title } = article(html, url)
  const properties: Array<Property> = []
  const add = (name: string, data: string | undefined, source: Source | undefined): void => {
    if (data === undefined || data === "" || source === undefined) return
    properties.push({ name, value: { _tag: "Value", data, source: { ...source, kind: trustedAs(source) } } })
  }
  add("headline", title, sources.get("title"))
  for (const author of authors) add("author", author, sources.get("byline"))
  if (authors.length === 0) add("author", byline, sources.get("byline"))
  add("datePublished", published, sources.get("published"))
  add("dateModified", modified, sources.get("modified"))
  add("articleBody", text, sources.get("text"))
  // The article was looked at as a whole: a "By" that stands anywhere in the text is of something else.
  const rest = found.page.properties.filter(({ name, value }) => !(name === "author" && isText(value)))
  return { ...found, page: { ...found.page, properties: [...properties, ...rest] } }
}

const isText = (value: Property["value"]): boolean => value._tag === "Value" && value.source.kind === "text"

/** What was found by looking at the whole article is better than a text that stands anywhere. */
const trustedAs = ({ kind }: Source): Source["kind"] => (kind === "text" ? "label" : kind)

/** Whether a property of the upper levels means a part of an article. */
const asksArticle = (schema: JsonSchema, depth: number): boolean => {
  const { items, properties } = schema
  if (isSchema(items) && depth < 2) return asksArticle(items, depth + 1)
  if (!isSchema(properties)) return false
  return Object.entries(properties).some(
    ([name, part]) =>
      ofArticle.test(name) ||
      articleConcepts.has(Names.conceptOf(Names.parse(name))?.id ?? "") ||
      (isSchema(part) && depth < 2 && asksArticle(part, depth + 1))
  )
}

const articleConcepts = new Set(["author", "body"])
const ofArticle = /headline|article|byline|publish/i
