/**
 * Pages that declare their data as microdata, with that markup hidden: what they show is all there is to read, and what they
 * declared is the truth.
 *
 * They are the examples of schema.org (products, recipes and all others) and the samples of extruct, of `/truth` folders. The
 * truth has only the plain values of the first item that the page shows, in this or in another form.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Json } from "../src/contract/JsonSchema.ts"
import { candidates } from "../src/extract/read/candidates.ts"
import * as Support from "../src/extract/Support.ts"
import * as Dom from "../src/page/Dom.ts"

interface HiddenPage {
  readonly set: string
  readonly url: string
  readonly html: string
  readonly truth: Readonly<Record<string, string | number>>
}

export const read = (folder: string): ReadonlyArray<HiddenPage> =>
  [...examples(folder), ...samples(folder)].flatMap((html, i) => pageOf(html, `http://page-${i}.test/`))

const examples = (folder: string): ReadonlyArray<string> => {
  const file = join(folder, "schemaorg-examples/data/releases/30.0/schemaorg-all-examples.txt")
  return readFileSync(file, "utf8")
    .split(/^TYPES: /m)
    .flatMap((example) => /^MICRODATA:$([\s\S]*?)^RDFA:$/m.exec(example)?.[1] ?? [])
    .filter((html) => html.includes("itemprop"))
}

const samples = (folder: string): ReadonlyArray<string> => {
  const root = join(folder, "extruct-samples/tests/samples")
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .toSorted()
    .map((name) => readFileSync(join(root, name), "utf8"))
    .filter((html) => html.includes("itemprop"))
}

const pageOf = (whole: string, url: string): ReadonlyArray<HiddenPage> => {
  const html = hidden(whole)
  const item = candidates(whole, url).things.find(({ source }) => source.kind === "microdata")
  const shown = Dom.textOf(Dom.parse(html), html.length)
  const values = new Map<string, ReadonlyArray<string | number>>()
  for (const { name, value } of item?.properties ?? []) {
    const data = value._tag === "Value" ? value.data : undefined
    // A thing under this name, or several values, are no single value.
    if (data === undefined || typeof data === "boolean" || values.has(name)) values.set(name, [])
    else values.set(name, [/^\d+(?:\.\d+)?$/.test(String(data)) ? Number(data) : data])
  }
  const entries = [...values].flatMap(([name, [value]]): ReadonlyArray<readonly [string, string | number]> => {
    if (value === undefined || name === "url" || name === "image") return []
    const said = Support.of({ [name]: value }, shown, [], {
      data: null,
      sources: new Map<string, never>(),
      missing: []
    })
    return said.sources.get(`/${name}`)?.supported === true ? [[name, value]] : []
  })
  if (entries.length === 0) return []
  const type = item?.types[0] ?? ""
  const set = /Product|Offer/.test(type) ? "products" : type === "Recipe" ? "recipes" : "other items"
  return [{ set: `${set}, markup hidden`, url, html, truth: Object.fromEntries(entries) }]
}

const hidden = (html: string): string =>
  html
    .replaceAll(/<script\b[^>]*ld\+json[\s\S]*?<\/script>/gi, "")
    .replaceAll(/<(?:meta|link)\b[^>]*\bitemprop\b[^>]*>/gi, "")
    .replaceAll(
      /\s(?:itemscope|itemtype|itemprop|itemid|itemref|vocab|typeof|property)(?:=(?:"[^"]*"|'[^']*'|[^\s>]*))?/gi,
      ""
    )

/** What is asked of a page: a number, a day, or a text for each value of its truth. */
export const schemaOf = (truth: HiddenPage["truth"]): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(truth).map(([name, value]) => [
      name,
      typeof value === "number"
        ? { type: "number" }
        : /^\d{4}-\d\d-\d\d$/.test(value)
          ? { type: "string", format: "date" }
          : { type: "string" }
    ])
  )
