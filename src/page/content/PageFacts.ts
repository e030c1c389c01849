/** Facts about a page that show what kind of page it is: its address, its declared types, its title. */
import { hashOfText } from "./letters.ts"

export interface PageFacts {
  /** The normalized address (`spelled`). */
  readonly url: string
  /** `og:type`; empty: the page has none. */
  readonly ogType: string
  /** The types in JSON-LD and microdata. */
  readonly types: ReadonlySet<string>
  /** Hashes of the titles and of their pieces. */
  readonly titles: ReadonlySet<number>
  /** Hashes of the whole titles. */
  readonly wholeTitles: ReadonlySet<number>
  /** The hash of the name of the site. */
  readonly site: number
}

/**
 * Normalizes the address of a page: removes the name of an index file, the slash at the end and the fragment. If the
 * canonical address has the same path, its query is used. So one page has the same facts under all spellings of its address.
 */
export const spelled = (url: string, canonical: string | undefined): string => {
  const address = URL.parse(url)
  if (address === null) return url
  const path = pathOf(address)
  const canonicalUrl = canonical === undefined ? null : URL.parse(canonical, url)
  return `${address.origin}${path}${(canonicalUrl !== null && pathOf(canonicalUrl) === path ? canonicalUrl : address).search}`
}

const pathOf = ({ pathname }: URL): string => pathname.replace(folderPage, "")
const folderPage = /\/(?:(?:index|default)\.(?:html?|xhtml|php|aspx?|jsp))?$/i

/** The hashes of titles that have at least two words; in a script without spaces, four characters. */
export const wholeTitleHashes = (titles: ReadonlyArray<string>): ReadonlySet<number> =>
  new Set(titles.filter((title) => severalWords.test(title.trim())).map(hashOfText))

const severalWords = /\S\s+\S|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]{4}/u

/** The hashes of titles, and of the pieces between their separators. */
export const titleHashes = (titles: ReadonlyArray<string>): ReadonlySet<number> => {
  const hashes = new Set<number>()
  for (const title of titles) {
    for (const piece of [title, ...title.split(separator)]) if (isName(piece.trim())) hashes.add(hashOfText(piece))
    // "A - B - Site": all but the last piece, and all but the first.
    const pieces = title.split(separator)
    if (pieces.length > 2) {
      hashes.add(hashOfText(pieces.slice(0, -1).join("")))
      hashes.add(hashOfText(pieces.slice(1).join("")))
    }
  }
  return hashes
}

/** Whether a piece is long enough: a Chinese title can have two characters, but two Latin letters are not a title. */
const isName = (piece: string): boolean => piece.length > (/[^\0-\x7f]/.test(piece) ? 1 : 2)

const separator = /\s+[-–—|·•»:/]+\s+|\s*[|»·｜]\s*|:\s+|：|(?<=[^\0-\x7f])_|_(?=[^\0-\x7f])/

/** The types in a JSON-LD text. */
export const typesOf = (json: string): ReadonlyArray<string> =>
  Array.from(json.slice(0, maxJson).matchAll(type), ([, name = ""]) => name)

const maxJson = 200_000
const type = /"@type"\s*:\s*(?:\[\s*)?"(?:https?:\/\/schema\.org\/)?([A-Za-z]{3,40})"/g

/** Groups of types that suggest a kind of page, in the order of the features. */
export const typeGroups: ReadonlyArray<readonly [name: string, is: RegExp]> = [
  ["article", /^(?:News|Blog|Tech|Scholarly|Report|Opinion|Review|Advertiser)?(?:Article|Posting)$|NewsArticle$/],
  ["product", /^(?:Individual)?Product(?:Group|Model)?$|^Offer$|^AggregateOffer$/],
  ["list", /^(?:ItemList|CollectionPage|OfferCatalog|SearchResultsPage)$/],
  ["thread", /^(?:DiscussionForumPosting|QAPage|Question|Answer|Comment)$/],
  ["faq", /^FAQPage$/],
  [
    "business",
    /^(?:\w*Business|Organization|Corporation|Service|ProfessionalService|Store|Course|SoftwareApplication)$/
  ],
  ["recipe", /^(?:Recipe|HowTo)$/]
]

/** Patterns in addresses that suggest a kind of page, in the order of the features. */
export const pathGroups: ReadonlyArray<readonly [name: string, is: RegExp]> = [
  ["date", /\/(?:19|20)\d\d\/\d{1,2}(?:\/|$)|\/(?:19|20)\d\d-\d\d-\d\d/],
  [
    "blog",
    /\/(?:blogs?|news|articles?|posts?|stories|story|magazine|insights?|guides?|resources|learn)(?:\/|$)|\/\/blog\./i
  ],
  [
    "forum",
    /forum|\/threads?\/|\/t\/|\/topics?\/|viewtopic|showthread|\/questions?\/|\/comments\/|discuss|communit|\/r\//i
  ],
  ["product", /\/(?:products?|p|dp|item|itm|shop|ip)\/|\.p$|\/pd\//i],
  ["collection", /\/(?:collections?|categor(?:y|ies)|c|cat|department|catalog|browse|search|tags?)(?:\/|$|\?)/i],
  [
    "docs",
    /\/(?:docs?|documentation|reference|manual|api|wiki|help|guide|tutorial|sdk)(?:\/|$)|\/\/(?:docs?|developers?|help|wiki|api|support)\.|readthedocs|\.html$/i
  ],
  [
    "service",
    /\/(?:services?|solutions?|about|pricing|features|platform|industries|programs?|courses?|contact)(?:\/|$|-)/i
  ]
]
