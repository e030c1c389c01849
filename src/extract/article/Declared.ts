/**
 * What a page declares about its article: JSON-LD first, then the meta of its head, then microdata.
 *
 * Only what belongs to the article itself is read, not data about the author, the site or a list beside it.
 */
import type { Property, Source, Thing, Value } from "../Candidates.ts"
import { likeness } from "./Likeness.ts"
import * as SiteName from "./SiteName.ts"
import type { Titled } from "./Title.ts"

/** A text and where it stands. */
export interface Said {
  readonly text: string
  readonly source: Source
}

export interface Declared {
  readonly title: Titled | undefined
  readonly authors: ReadonlyArray<Said>
  readonly published: Said | undefined
  readonly modified: Said | undefined
  readonly site: Said | undefined
  /** Of the whole page, with the name of the site. */
  readonly pageTitle: Titled | undefined
  readonly language: string | undefined
}

export interface Readings {
  readonly jsonLd: ReadonlyArray<Thing>
  readonly microdata: ReadonlyArray<Thing>
  /** Properties of microdata outside of any item. */
  readonly loose: ReadonlyArray<Property>
  readonly meta: ReadonlyArray<Property>
}

export const of = ({ jsonLd, microdata, loose, meta }: Readings): Declared => {
  const heads = new Map<string, Said>()
  for (const { name, value } of meta) {
    const key = name.toLowerCase().replaceAll(".", ":")
    const said = saidOf(value)
    // The title of the page counts once; of a meta the last one does, as a later part of a page knows better.
    if (said === undefined) continue
    if (key === "title" && isMeta(said)) heads.set("meta:title", said)
    else if (!single.has(key) || !heads.has(key)) heads.set(key, said)
  }
  const first = (names: ReadonlyArray<string>): Said | undefined => {
    for (const name of names) {
      const said = heads.get(name)
      if (said !== undefined) return said
    }
    return undefined
  }
  const pageTitle = heads.get("title")
  const article = jsonLd.find(isArticle)
  const item = microdata.find(isArticle)
  const properties = [...(article?.properties ?? []), ...(item?.properties ?? []), ...loose]
  const authors = namesOf(article?.properties ?? [], "author")
  const author = first(authorNames)
  const title = titleOf(article, pageTitle?.text ?? "") ?? first(titleNames)
  const others = ["og:title", "twitter:title"].flatMap((name) => heads.get(name)?.text ?? [])
  const sites = sitesOf(heads, meta, [...jsonLd, ...microdata])
  const titled = (said: Said | undefined): Titled | undefined =>
    said === undefined ? undefined : { ...said, sites, others }
  return {
    title: titled(title),
    authors: authors.length > 0 ? authors : author !== undefined && !isAddress(author.text) ? [author] : [],
    published: textOf(article, "datePublished") ?? first(publishedNames) ?? textIn(properties, "datePublished"),
    modified: textOf(article, "dateModified") ?? first(modifiedNames) ?? textIn(properties, "dateModified"),
    site: textOf(thingIn(article, "publisher"), "name") ?? first(["og:site_name", "application-name"]),
    pageTitle: titled(pageTitle),
    language: heads.get("language")?.text
  }
}

const isArticle = ({ types }: Thing): boolean =>
  types.some((type) => type.endsWith("Article") || articleTypes.has(type))

const articleTypes = new Set(
  "Report SocialMediaPosting BlogPosting LiveBlogPosting DiscussionForumPosting APIReference".split(" ")
)

const single = new Set(["title", "language"])
const isMeta = ({ source }: Said): boolean => source.path !== "title"

const prefixed = (names: string): ReadonlyArray<string> => names.split(" ")
const titleNames = prefixed("dc:title dcterm:title dcterms:title og:title meta:title twitter:title parsely-title")
const authorNames = prefixed(
  "dc:creator dcterm:creator dcterms:creator author parsely-author article:author og:article:author"
)
const publishedNames = prefixed(
  "article:published_time parsely-pub-date og:published_time og:article:published_time datepublished dc:date:issued " +
    "dcterms:issued dcterms:created dcterms:date dc:date:created dc:date publishdate publish-date publish_date pubdate " +
    "article:published sailthru:date date:published date citation_publication_date citation_date"
)
const modifiedNames = prefixed(
  "article:modified_time og:updated_time datemodified dcterms:modified dc:date:modified lastmod last-modified"
)

/** What the page calls its site: by name, by who publishes it, by its host. */
const sitesOf = (
  heads: ReadonlyMap<string, Said>,
  meta: ReadonlyArray<Property>,
  things: ReadonlyArray<Thing>
): ReadonlyArray<string> => {
  const named = ["og:site_name", "application-name", "apple-mobile-web-app-title", "dc:publisher", "publisher"]
  const publishers = things.flatMap((thing) => [
    ...(thing.types.some((type) => ofSite.test(type)) ? [thing] : []),
    ...["publisher", "isPartOf"].flatMap((name) => thingIn(thing, name) ?? [])
  ])
  const own = meta.find(({ name }) => name === "canonical" || name === "og:url")?.value
  return [
    ...named.flatMap((name) => heads.get(name)?.text ?? []),
    ...publishers.flatMap((thing) => ["name", "alternateName"].flatMap((name) => textOf(thing, name)?.text ?? [])),
    ...(own?._tag === "Value" ? SiteName.inHost(String(own.data)) : [])
  ].filter((name) => name.length <= maxSite)
}

const ofSite = /^(?:WebSite|Organization|NewsMediaOrganization|Corporation|OnlineStore)$/
const maxSite = 60

/** A thing may have a name and a headline; one of them may be the site's. The one that the title says is meant. */
const titleOf = (article: Thing | undefined, pageTitle: string): Said | undefined => {
  const name = textOf(article, "name")
  const headline = textOf(article, "headline")
  if (name === undefined || headline === undefined) return name ?? headline
  const isHeadline = likeness(headline.text, pageTitle) > 0.75 && likeness(name.text, pageTitle) <= 0.75
  return isHeadline ? headline : name
}

const thingIn = (thing: Thing | undefined, name: string): Thing | undefined => {
  for (const property of thing?.properties ?? []) {
    if (property.name === name && property.value._tag === "Thing") return property.value
  }
  return undefined
}

const textOf = (thing: Thing | undefined, name: string): Said | undefined =>
  thing === undefined ? undefined : textIn(thing.properties, name)

const textIn = (properties: ReadonlyArray<Property>, name: string): Said | undefined => {
  for (const property of properties) {
    if (property.name !== name || property.value._tag !== "Value") continue
    const said = saidOf(property.value)
    if (said !== undefined) return said
  }
  return undefined
}

/** Names of persons: a text, or a thing with a name. */
const namesOf = (properties: ReadonlyArray<Property>, name: string): ReadonlyArray<Said> => {
  const found: Array<Said> = []
  for (const property of properties) {
    if (property.name !== name || found.length >= maxAuthors) continue
    const said = property.value._tag === "Value" ? saidOf(property.value) : textOf(property.value, "name")
    if (said !== undefined && !isAddress(said.text)) found.push(said)
  }
  return found
}

const maxAuthors = 20

const saidOf = (value: Value | Thing): Said | undefined => {
  if (value._tag === "Thing" || typeof value.data !== "string") return undefined
  const text = value.data.trim()
  return text === "" ? undefined : { text, source: value.source }
}

const isAddress = (text: string): boolean => /^(?:https?:)?\/\//i.test(text)
