/**
 * Which thing of a page an object of the schema is about.
 *
 * The thing that covers the object best is chosen. One of several of its kind is chosen only if the page says, by its
 * address or its heading, that it is about that one; otherwise the first item of a list would be taken for the page.
 */
import type { Candidates, Thing } from "../Candidates.ts"
import { type CandidateValue, isRelated, type Leaves } from "./CandidateValue.ts"
import * as Names from "./Names.ts"
import { coverage, type Scope } from "./Objects.ts"
import type { Scorer } from "./Scorer.ts"
import type { Whole } from "./Wanted.ts"

/** The things of a page, parts included, with how many there are of their type. */
export const declared = (candidates: Candidates): ReadonlyMap<string, ReadonlyArray<Thing>> => {
  const found = new Map<string, Array<Thing>>()
  const seen = new Set<Thing>()
  const visit = (thing: Thing, depth: number): void => {
    if (seen.has(thing) || seen.size >= maxThings) return
    seen.add(thing)
    const type = thing.types[0] ?? ""
    const known = found.get(type)
    if (known === undefined) found.set(type, [thing])
    else known.push(thing)
    if (depth === 5) return
    for (const { name, value } of thing.properties)
      if (value._tag === "Thing" && !isRelated.test(name)) visit(value, depth + 1)
  }
  for (const thing of candidates.things) visit(thing, 0)
  return found
}

const maxThings = 5000

export const scopeOf = (
  whole: Whole,
  candidates: Candidates,
  types: ReadonlyMap<string, ReadonlyArray<Thing>>,
  leaves: Leaves,
  scorer: Scorer
): Scope => {
  const far = leaves.of(candidates.page)
  const { url } = scorer.setting
  const heading = textsOf(candidates.page, /^(?:h1|heading|title|og:title)$/i)
  let best: Thing | undefined
  let most = 0.12
  for (const [type, things] of [...types].slice(0, maxTypes)) {
    const names = Names.parse(type)
    const wanted = [...whole.title, ...whole.name, ...whole.sentence]
    const affinity = Names.share(names, wanted) > 0 ? 0.3 : 0
    for (const thing of things.slice(0, maxOfType)) {
      const isMain = isAbout(thing, url, heading)
      const covered = coverage(whole, leaves.of(thing), scorer)
      if (!isMain && !isOnly(thing, things, candidates.things)) continue
      const score = (covered + affinity + (isMain ? 0.1 : 0)) * (aside.has(type) ? 0.6 : 1)
      if (covered > 0.1 && score > most) {
        best = thing
        most = score
      }
    }
  }
  const near = best === undefined ? [] : leaves.of(best)
  const apart = [...types.values()].flatMap((things) => {
    const [thing] = things
    return things.length === 1 && thing !== undefined && thing !== best && candidates.things.includes(thing)
      ? leaves.of(thing).filter((leaf) => best === undefined || !leaf.within.includes(best))
      : []
  })
  return { thing: best, near, far, apart: apart.slice(0, maxApart) }
}

const maxTypes = 60
const maxOfType = 4
const maxApart = 500

/** The only one of its type, or the only one that is not part of another, or one of several with the same name. */
const isOnly = (thing: Thing, things: ReadonlyArray<Thing>, whole: ReadonlyArray<Thing>): boolean => {
  if (things.length === 1) return true
  const outer = things.filter((one) => whole.includes(one))
  if (outer.length === 1) return outer[0] === thing
  const names = new Set(things.map((one) => textsOf(one, /^(?:name|headline|title)$/).join("\n")))
  return names.size === 1 && !names.has("")
}

/** Types that stand on pages whatever they are about. */
const aside = new Set([
  "WebSite",
  "BreadcrumbList",
  "ListItem",
  "SearchAction",
  "ImageObject",
  "SiteNavigationElement",
  "WPHeader",
  "WPFooter",
  "EntryPoint",
  "ReadAction",
  "Review",
  "Comment"
])

/** Whether the page's address or heading is the thing's. */
const isAbout = (thing: Thing, url: string, heading: ReadonlyArray<string>): boolean => {
  const page = plainUrl(url)
  const own = [thing.id ?? "", ...textsOf(thing, /^(?:url|@id|mainEntityOfPage)$/)]
  if (own.some((address) => address !== "" && plainUrl(address) === page)) return true
  const called = textsOf(thing, /^(?:name|headline|title)$/).map(plainText)
  return called.some((name) => name.length > 2 && heading.some((text) => plainText(text).startsWith(name)))
}

const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s–—-]+/g, " ")
    .trim()

const plainUrl = (url: string): string => url.replace(/[?#].*$/, "").replace(/\/$/, "")

const textsOf = (thing: Thing, name: RegExp): ReadonlyArray<string> =>
  thing.properties.flatMap(({ name: own, value }) =>
    name.test(own) && value._tag === "Value" && typeof value.data === "string" ? [value.data] : []
  )

/** What the leaves of a row or a part offer by themselves. */
export const only = (thing: Thing, near: ReadonlyArray<CandidateValue>): Scope => ({ thing, near, far: [], apart: [] })
