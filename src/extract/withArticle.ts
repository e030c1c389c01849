/**
 * What the article of a page offers to a schema that asks for one: its headline, authors, days and text.
 *
 * The article is searched only if a property needs it, because that costs as much as reading the page; what the page
 * declares itself has priority.
 */

import { isSchema, type JsonSchema } from "#contract/JsonSchema"
import { article } from "./article/article.ts"
import type { Candidates, Property, Source } from "./Candidates.ts"
import * as Names from "./match/Names.ts"

export const withArticle = (found: Candidates, html: string, url: string, schema: JsonSchema): Candidates => {
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
