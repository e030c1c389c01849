/**
 * The examples of schema.org: the same thing in microdata, RDFa and JSON-LD, which must be the same things to us.
 *
 * People wrote them, and many say different things in their three forms. Where two readings differ, each value that one
 * has and the other has not is looked for in the other's source with a plain pattern: where the source says that name
 * with that value more often than we read it there, it is missed; where it nowhere does, the example itself differs and
 * counts apart.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { decodeHTML } from "entities/decode"
import type { Thing, Value } from "../../src/extract/Candidates.ts"
import { Page } from "../../src/extract/page/Page.ts"
import * as JsonLd from "../../src/extract/read/declared/JsonLd.ts"
import * as Microdata from "../../src/extract/read/declared/Microdata.ts"
import * as Rdfa from "../../src/extract/read/declared/Rdfa.ts"
import { difference, type Item, tidy } from "./Expected.ts"
import type { Case, Suite } from "./Suite.ts"

type Syntax = "MICRODATA" | "RDFA" | "JSON"

const url = "https://example.com/page"

const read: Readonly<Record<Syntax, (page: Page) => ReadonlyArray<Thing>>> = {
  MICRODATA: (page) => Microdata.read(page).things,
  RDFA: (page) => Rdfa.read(page).things,
  JSON: (page) => JsonLd.read(page)
}

export const suites = (folder: string): ReadonlyArray<Suite> => {
  const text = readFileSync(join(folder, "data/releases/30.0/schemaorg-all-examples.txt"), "utf8")
  const examples = text
    .split(/^TYPES:/m)
    .slice(1)
    .map(sectionsOf)
  const pairs: ReadonlyArray<readonly [Syntax, Syntax]> = [
    ["MICRODATA", "JSON"],
    ["RDFA", "JSON"],
    ["MICRODATA", "RDFA"]
  ]
  return pairs.map(([a, b]) => ({
    name: `schema.org: ${a.toLowerCase()} and ${b.toLowerCase()}`,
    cases: examples.flatMap(({ name, sections }) => caseOf(name, a, sections.get(a), b, sections.get(b)))
  }))
}

const sectionsOf = (example: string): { readonly name: string; readonly sections: ReadonlyMap<string, string> } => {
  const parts = example.split(/^(PRE-MARKUP|MICRODATA|RDFA|JSON|JSONLD):[ \t]*$/m)
  const sections = new Map<string, string>()
  for (let i = 1; i + 1 < parts.length; i += 2) sections.set(parts[i] ?? "", parts[i + 1] ?? "")
  return { name: (parts[0] ?? "").trim().split("\n")[0] ?? "", sections }
}

const caseOf = (name: string, a: Syntax, first = "", b: Syntax, second = ""): ReadonlyArray<Case> => {
  const [one, other] = [read[a](pageOf(a, first)), read[b](pageOf(b, second))]
  if (!isWritten(a, first) || !isWritten(b, second)) return []
  const miss = difference(one, other.map(itemOf), { ordered: false, ids: false, numbers: true })
  if (miss === undefined) return [{ name, miss }]
  const found = unexplained(one, other, b, second) ?? unexplained(other, one, a, first)
  const reason =
    faults.get(name.split(" ")[0] ?? "") ??
    (found === undefined ? "the forms of the example say different things" : undefined)
  return [{ name, miss: found === undefined ? miss : `${found}; ${miss}`, apart: reason }]
}

/** Faults in the examples, read by eye. */
const faults = new Map(
  [
    ["an itemtype without itemscope", "#eg-0426 #eg-0427"],
    ["a class where itemscope is meant", "#eg-3475"],
    ["type where typeof is meant", "#eg-0254 #eg-0255 #eg-0257 #eg-0258"],
    ["RDFa properties outside of the thing", "#eg-0372 #eg-0438"],
    ["an attribute that does not exist", "#eg-0397"],
    ["one value several times, which is one in RDFa", "#eg-0177"],
    ["quotes or markup that belong to the value in one form only", "#eg-0424 #eg-0436 #eg-0448 #eg-0449"]
  ].flatMap(([reason = "", names = ""]) => names.split(" ").map((name) => [name, reason] as const))
)

/** Some examples are JSON without the script around it. */
const pageOf = (syntax: Syntax, text: string): Page =>
  new Page(
    syntax === "JSON" && !text.includes("<script") ? `<script type="application/ld+json">${text}</script>` : text,
    url
  )

/** Whether an example has that form at all. */
const isWritten = (syntax: Syntax, text: string): boolean =>
  syntax === "JSON"
    ? text.includes("{")
    : syntax === "RDFA"
      ? /\s(?:typeof|property)=/.test(text)
      : /\sitem(?:scope|prop)/.test(text)

/** A value of one reading that the source of the other says more often than its reading. */
const unexplained = (
  one: ReadonlyArray<Thing>,
  other: ReadonlyArray<Thing>,
  syntax: Syntax,
  source: string
): string | undefined => {
  const written = tidy(decodeHTML(source.replaceAll(/<!--.*?-->/gs, "")))
  const own = Map.groupBy(other.flatMap(leavesOf), (leaf) => leaf.join(" = "))
  for (const [name, value] of one.flatMap(leavesOf)) {
    const key = `${name} = ${value}`
    if (value !== "" && says(syntax, written, name, value) > (own.get(key)?.length ?? 0)) return key
  }
  return undefined
}

/** How often a source says a name with a value: side by side in JSON, in one tag or behind the tag in HTML. */
const says = (syntax: Syntax, source: string, name: string, value: string): number => {
  const [key, text] = [name, value.replace(/^https:\/\/example\.com\//, "")].map((part) =>
    part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
  )
  const isType = name === "type"
  const property = syntax === "RDFA" ? (isType ? "typeof" : "property") : isType ? "itemtype" : "itemprop"
  const attribute = isType
    ? `${property}=["'](?:[^"']*[\\s/])?${text}[\\s"']`
    : `${property}=["'](?:[^"']*[\\s:])?${key}(?:\\s[^"']*)?["']`
  const pattern =
    syntax === "JSON"
      ? `"${isType ? "@type" : key}"\\s*:\\s*(?:\\[[^{}\\]]{0,2000}?)?(?:"(?:https?://schema\\.org/)?${text}"|(?<!")${text}(?=[\\s,}]))`
      : isType
        ? attribute
        : `${attribute}[^<>]*(?:=["']${text}["']|>\\s*${text}\\s*<)|["']${text}["'][^<>]*${attribute}`
  return [...source.matchAll(new RegExp(pattern, "gu"))].length
}

/** Where a link leads; numbers without zeros at the end, as JSON has them. */
const textOf = ({ data, href }: Value): string => {
  const text = tidy(String(href ?? data))
  return /^\d+\.\d+$/.test(text) ? String(Number(text)) : text
}

const leavesOf = (thing: Thing): ReadonlyArray<readonly [name: string, value: string]> => [
  ...thing.types.map((type) => ["type", type] as const),
  ...thing.properties.flatMap(({ name, value }) =>
    value._tag === "Thing" ? leavesOf(value) : [[name, textOf(value)] as const]
  )
]

const itemOf = (thing: Thing): Item => {
  const properties = new Map<string, Array<Item | string>>()
  for (const { name, value } of thing.properties) {
    properties.set(name, [...(properties.get(name) ?? []), value._tag === "Thing" ? itemOf(value) : textOf(value)])
  }
  return { types: thing.types, properties }
}
