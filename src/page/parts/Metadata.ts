/**
 * The metadata of a page: title, language, description and the other `<meta>` and `<link>` elements.
 *
 * The number of entries and their lengths are limited, and each value is plain text in one line. Names from the page are
 * only keys of a Map, so `__proto__` is a name like any other.
 */
import type { Attributes } from "../Attributes.ts"

type Value = string | ReadonlyArray<string>

export class Metadata {
  private readonly entries = new Map<string, string | Array<string>>()
  private room = maxEntries
  private titleDone = false
  private titleText: string | undefined
  /** The target of `<meta http-equiv=refresh>`, as written. */
  refresh: string | undefined

  /** The first title that is not empty counts; later ones belong to drawings and broken pages. */
  title(text: string): void {
    if (this.titleDone) return
    this.titleText = clean(text)
    this.titleDone = this.titleText !== ""
  }

  language(value: string | undefined): void {
    if (value !== undefined) this.once("language", value)
  }

  meta(attributes: Attributes): void {
    const content = attributes.get("content")
    if (content === undefined) return
    const pragma = attributes.get("http-equiv")?.trim().toLowerCase()
    if (pragma === "refresh") this.refresh ??= refreshTarget(content)
    else if (pragma === "content-language") this.spare("content-language", content)
    const name = (attributes.get("name") ?? attributes.get("property") ?? attributes.get("itemprop"))?.trim()
    if (name === undefined || name === "" || name.length > maxName) return
    const lower = name.toLowerCase()
    const known = knownNames.get(lower)
    if (known === undefined) {
      if (!dull.test(lower)) this.add(name, content)
    } else if (known === "ogLocaleAlternate") this.list(known, content)
    else if (many.has(known)) this.add(known, content)
    else this.once(known, content)
  }

  /** `address`: the absolute address of the link. */
  link(rel: string, address: string): void {
    for (const token of rel.toLowerCase().split(/\s+/)) {
      if (token === "canonical") this.once("canonical", address)
      else if (token === "icon") this.once("favicon", address)
    }
  }

  finish(resolve: (href: string) => string | undefined): Readonly<Record<string, Value>> {
    const entries = this.entries
    const text = (name: string): string | undefined => {
      const value = entries.get(name)
      return typeof value === "string" ? value : value?.[0]
    }
    const language = text("language") ?? this.contentLanguage ?? text("ogLocale")?.replace("_", "-")
    const title = this.titleText === "" || this.titleText === undefined ? text("ogTitle") : this.titleText
    const description = text("description") ?? text("ogDescription")
    for (const [name, value] of [
      ["title", title],
      ["description", description],
      ["language", language]
    ] as const) {
      if (value !== undefined && value !== "") entries.set(name, value)
    }
    for (const name of ["ogImage", "ogUrl", "ogVideo", "ogAudio"]) {
      const value = text(name)
      const address = value === undefined ? undefined : resolve(value)
      if (address !== undefined) entries.set(name, address)
    }
    const order = ["title", "description", "language"].filter((name) => entries.has(name))
    const names = new Set([...order, ...entries.keys()])
    return Object.fromEntries(Array.from(names, (name) => [name, entries.get(name) ?? ""]))
  }

  private contentLanguage: string | undefined

  private spare(_: string, content: string): void {
    this.contentLanguage ??= clean(content).split(",")[0]?.trim()
  }

  private once(name: string, content: string): void {
    const value = clean(content)
    if (value !== "" && !this.entries.has(name) && this.room-- > 0) this.entries.set(name, value)
  }

  private add(name: string, content: string): void {
    const value = clean(content)
    const before = this.entries.get(name)
    if (value === "" || before === value || this.room <= 0) return
    this.room--
    if (before === undefined) this.entries.set(name, value)
    else if (typeof before === "string") this.entries.set(name, [before, value])
    else if (before.length < maxValues && !before.includes(value)) before.push(value)
  }

  private list(name: string, content: string): void {
    if (this.entries.has(name)) return this.add(name, content)
    const value = clean(content)
    if (value !== "" && this.room-- > 0) this.entries.set(name, [value])
  }
}

const maxEntries = 200
const maxValues = 50
const maxName = 100
const maxValue = 4000

const clean = (text: string): string =>
  text
    .slice(0, maxValue)
    .replace(/[\s\u00a0]+/g, " ")
    .trim()

/** The address in "5; url='/next'", with or without quotes. */
export const refreshTarget = (content: string): string | undefined => {
  const target = /^\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?(.*)$/is.exec(content.slice(0, maxValue))?.[1]?.trim()
  if (target === undefined || target === "") return undefined
  const quoted = /^(["'])(.*?)(?:\1|$)/s.exec(target)
  return (quoted === null ? target : quoted[2])?.trim()
}

/** Names that say nothing about the page: keys of verification services and settings of browsers. */
const dull = /^(?:viewport|csrf-|_?token|google-site-verification|msvalidate|yandex-verification|msapplication-)/

const many = new Set(["articleTag", "author"])

const camel = (name: string): string => name.replace(/[.:_-]+(\w)/g, (_, letter: string) => letter.toUpperCase())

const knownNames = new Map<string, string>([
  ...["description", "keywords", "robots", "author", "language"].map((name) => [name, name] as const),
  ...[
    "title description url image type locale locale:alternate site_name video audio determiner"
      .split(" ")
      .map((name) => [`og:${name}`, camel(`og:${name}`)] as const)
  ].flat(),
  ["article:published_time", "publishedTime"],
  ["article:modified_time", "modifiedTime"],
  ["article:section", "articleSection"],
  ["article:tag", "articleTag"],
  ["article:author", "author"],
  ["og:image:url", "ogImage"],
  ["dcterms.created", "dcTermsCreated"],
  ["dc.date.created", "dcDateCreated"],
  ["dc.date", "dcDate"],
  ["dcterms.type", "dcTermsType"],
  ["dc.type", "dcType"],
  ["dcterms.audience", "dcTermsAudience"],
  ["dcterms.subject", "dcTermsSubject"],
  ["dc.subject", "dcSubject"],
  ["dc.description", "dcDescription"],
  ["dcterms.keywords", "dcTermsKeywords"]
])
