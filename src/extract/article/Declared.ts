/**
 * What a page declares about its article: JSON-LD first, then the meta of its head, then microdata.
 *
 * Only what belongs to the article itself is read, not data about the author, the site or a list beside it.
 */
import type { Property, Thing } from "../Candidates.ts"
import { type PlacedText, saidOf, textIn, textOf, thingIn } from "./Said.ts"
import * as SiteName from "./SiteName.ts"
import type { Titled } from "./Title.ts"

export interface Declared {
  readonly title: Titled | undefined
  /** The people who are declared to have written it. */
  readonly authors: ReadonlyArray<PlacedText>
  /** Authors that are the site itself or another organization. */
  readonly publishers: ReadonlyArray<PlacedText>
  /** Whether the page declares that it is one article, and no list of them. */
  readonly isArticle: boolean
  readonly published: PlacedText | undefined
  readonly modified: PlacedText | undefined
  readonly site: PlacedText | undefined
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
  const heads = new Map<string, PlacedText>()
  for (const { name, value } of meta) {
    const key = name.toLowerCase().replaceAll(".", ":")
    const statement = saidOf(value)
    // The title of the page counts once; of a meta the last one does, as a later part of a page knows better.
    if (statement === undefined) continue
    if (key === "title" && isMeta(statement)) heads.set("meta:title", statement)
    else if (!single.has(key) || !heads.has(key)) heads.set(key, statement)
  }
  const first = (names: ReadonlyArray<string>): PlacedText | undefined => {
    for (const name of names) {
      const statement = heads.get(name)
      if (statement !== undefined) return statement
    }
    return undefined
  }
  const pageTitle = heads.get("title")
  const article = articleOf(jsonLd, heads, meta)
  const item = microdata.find(isArticle)
  const properties = [...(article?.properties ?? []), ...(item?.properties ?? []), ...loose]
  const signed = [article, ...jsonLd.flatMap(questionsOf), ...jsonLd.filter(isSigned), item].find(
    (thing) => thing !== undefined && namesOf(thing.properties, "author").length > 0
  )
  const named = namesOf(signed?.properties ?? [], "author")
  const things = [...jsonLd.flatMap(questionsOf), ...jsonLd.filter(isMade)]
  const ofArticle = (name: string) => textOf(article, name)
  const valueOf = (name: string) => textIn([...properties, ...things.flatMap((thing) => thing.properties)], name)
  const title = titleOf(article, pageTitle?.text ?? "") ?? first(titleNames)
  const others = ["og:title", "twitter:title"].flatMap((name) => heads.get(name)?.text ?? [])
  const sites = sitesOf(heads, meta, [...jsonLd, ...microdata])
  const authors = [...named, ...(named.every(isOfFirm) ? metaAuthors(meta, heads) : [])]
  const isPublisher = (author: Author) => author.isFirm || SiteName.isSite(author.text, sites)
  const titled = (statement: PlacedText | undefined): Titled | undefined =>
    statement === undefined ? undefined : { ...statement, sites, others }
  return {
    title: titled(title),
    authors: authors.filter((author) => !isPublisher(author)),
    publishers: authors.filter(isPublisher),
    isArticle: article !== undefined || item !== undefined || /^article/i.test(heads.get("og:type")?.text ?? ""),
    published:
      ofArticle("datePublished") ??
      first(publishedNames) ??
      valueOf("datePublished") ??
      valueOf("dateCreated") ??
      [...heads].find(([name]) => publishedName.test(name))?.[1],
    modified: ofArticle("dateModified") ?? first(modifiedNames) ?? valueOf("dateModified"),
    site: textOf(thingIn(article, "publisher"), "name") ?? first(["og:site_name", "application-name"]),
    pageTitle: titled(pageTitle),
    language: heads.get("language")?.text
  }
}

const isArticle = ({ types }: Thing): boolean =>
  types.some((type) => type.endsWith("Article") || articleTypes.has(type))

/** The one article that a page is; of several the one that has its address. */
const articleOf = (
  things: ReadonlyArray<Thing>,
  heads: ReadonlyMap<string, PlacedText>,
  meta: ReadonlyArray<Property>
): Thing | undefined => {
  const all = things.filter(isArticle)
  const headlines = new Set(all.map((thing) => textOf(thing, "headline")?.text ?? textOf(thing, "name")?.text))
  if (headlines.size <= 1) return all[0]
  const own = new Set(
    [
      heads.get("og:url")?.text,
      ...meta.filter(({ name }) => name === "canonical").map(({ value }) => saidOf(value)?.text)
    ]
      .filter((text) => text !== undefined)
      .map(plainUrl)
  )
  const about = (thing: Thing) =>
    [
      thing.id,
      textOf(thing, "url")?.text,
      textOf(thing, "mainEntityOfPage")?.text,
      thingIn(thing, "mainEntityOfPage")?.id
    ]
      .filter((text) => text !== undefined)
      .some((address) => own.has(plainUrl(address)))
  return all.find(about) ?? (all.length <= 2 ? all[0] : undefined)
}

const plainUrl = (url: string): string => url.replace(/[?#].*$/, "").replace(/\/$/, "")

/** The question of a page with answers is what its author asks. */
const questionsOf = (thing: Thing): ReadonlyArray<Thing> =>
  thing.types.includes("QAPage") ? [thingIn(thing, "mainEntity")].filter((one) => one !== undefined) : []

const isMade = ({ types }: Thing): boolean => types.some((type) => type !== "WebPage" && signedTypes.has(type))

const isSigned = ({ types }: Thing): boolean => types.some((type) => signedTypes.has(type))

const signedTypes = new Set(
  "WebPage ItemPage AboutPage FAQPage Recipe HowTo Question CreativeWork LearningResource Chapter Thesis Dataset PodcastEpisode".split(
    " "
  )
)

const articleTypes = new Set(
  "Report SocialMediaPosting BlogPosting LiveBlogPosting DiscussionForumPosting APIReference".split(" ")
)

const single = new Set(["title", "language"])
const isMeta = ({ source }: PlacedText): boolean => source.path !== "title"

/** What the page calls its site: by name, by who publishes it, by its host. */
const sitesOf = (
  heads: ReadonlyMap<string, PlacedText>,
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
const titleOf = (article: Thing | undefined, pageTitle: string): PlacedText | undefined => {
  const name = textOf(article, "name")
  const headline = textOf(article, "headline")
  if (name === undefined || headline === undefined) return name ?? headline
  const isHeadline = likeness(headline.text, pageTitle) > 0.75 && likeness(name.text, pageTitle) <= 0.75
  return isHeadline ? headline : name
}

/** The authors that declared things and metas name: texts, or things with a name; no addresses of profiles. */
interface Author extends PlacedText {
  /** Whether an organization is said to be the author. */
  readonly isFirm: boolean
}

const isOfFirm = ({ isFirm }: Author): boolean => isFirm

/** Names of persons: a text, or a thing with a name. */
const namesOf = (properties: ReadonlyArray<Property>, name: string): ReadonlyArray<Author> => {
  const found: Array<Author> = []
  for (const property of properties) {
    if (property.name !== name || found.length >= maxAuthors) continue
    const { value } = property
    const author = value._tag === "Value" ? saidOf(value) : textOf(value, "name")
    const isFirm = value._tag === "Thing" && value.types.some((type) => /Organization$|Corporation|WebSite/.test(type))
    if (author !== undefined && !isAddress(author.text)) found.push({ ...author, isFirm })
  }
  return found
}

/** Of the first name of a meta that has some, all; and what cards of social networks say under a label. */
const metaAuthors = (meta: ReadonlyArray<Property>, heads: ReadonlyMap<string, PlacedText>): ReadonlyArray<Author> => {
  for (const wanted of authorNames) {
    const found = meta.flatMap(({ name, value }): ReadonlyArray<Author> => {
      const author = name.toLowerCase().replaceAll(".", ":") === wanted ? saidOf(value) : undefined
      return author === undefined || isAddress(author.text) ? [] : [{ ...author, isFirm: false }]
    })
    if (found.length > 0) return found.slice(0, maxAuthors)
  }
  const label = ["1", "2"].find((digit) =>
    /^(?:written|posted) by|^author/i.test(heads.get(`twitter:label${digit}`)?.text ?? "")
  )
  const statement = label === undefined ? undefined : heads.get(`twitter:data${label}`)
  return statement === undefined ? [] : [{ ...statement, isFirm: false }]
}

const maxAuthors = 20

const isAddress = (text: string): boolean => /^(?:https?:)?\/\//i.test(text)

/** How much one text says what another says, by its words. */

/** The share of the second text that stands in words of the first: 1 where it says nothing else. */
export const likeness = (first: string, second: string): number => {
  const known = new Set(wordsOf(first))
  const words = wordsOf(second)
  if (known.size === 0 || words.length === 0) return 0
  let all = words.length - 1
  let other = -1
  for (const word of words) {
    all += word.length
    if (!known.has(word)) other += word.length + 1
  }
  return 1 - Math.max(0, other) / all
}

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/\w+/g) ?? []

/** What metas of the head call the title, the authors and the dates of an article; the first that a page has counts. */
const prefixed = (names: string): ReadonlyArray<string> => names.split(" ")
const titleNames = prefixed("dc:title dcterm:title dcterms:title og:title meta:title twitter:title parsely-title")
const authorNames = prefixed(
  "dc:creator dcterm:creator dcterms:creator author parsely-author sailthru:author citation_author article:author " +
    "og:article:author article:author_name byl byline creator"
)
const publishedNames = prefixed(
  "article:published_time parsely-pub-date og:published_time og:article:published_time og:pubdate datepublished dc:date:issued " +
    "dcterms:issued dcterms:created dcterms:date dc:date:created dc:date dc:issued dc:created publishdate publish-date " +
    "publish_date pubdate published published_at published_date publication_date publicationdate article:published " +
    "article:published_date article:post_date sailthru:date date:published date citation_online_date " +
    "citation_publication_date citation_date bt:pubdate rnews:datepublished cxenseparse:recs:publishtime " +
    "shareaholic:article_published_time originalpublicationdate datecreated date_published ptime displaydate article_date_original"
)
/** As makers of sites call it with words of their own before: "w-published-date". */
const publishedName =
  /(?:^|[-_:])(?:date[-_]?published|publish(?:ed)?[-_]?(?:date|time|at|on)|publication[-_]?date|pub[-_]?date)$/
const modifiedNames = prefixed(
  "article:modified_time og:updated_time datemodified dcterms:modified dc:date:modified dc:modified lastmod last-modified " +
    "last_modified lastmodified article:modified modified updated revised ms:date date_modified last-updated"
)
