/**
 * Whether two names mean the same: `datePublished`, `date_published` and "Date published" do, and so do words that
 * stand for one another (`price` and `cost`).
 */

/** 0: no; 1: the very same. */
export const likeness = (wanted: string, found: string): number => {
  const a = words(wanted)
  const b = words(found)
  if (a.length === 0 || b.length === 0) return 0
  if (a.join("") === b.join("")) return 1
  const shared = a.filter((word) => b.includes(word)).length
  if (shared === a.length && shared === b.length) return 0.95
  if (groupOf(a) !== undefined && groupOf(a) === groupOf(b)) return 0.8
  // "email" is what "contact email" is.
  if (shared === a.length && b.length <= 3) return 0.6
  const share = shared / Math.max(a.length, b.length)
  return share >= 0.5 ? share * 0.7 : 0
}

const cache = new Map<string, ReadonlyArray<string>>()

/** In lower case, without plural, without words that say nothing. */
const words = (name: string): ReadonlyArray<string> => {
  const known = cache.get(name)
  if (known !== undefined) return known
  const found = name
    .slice(0, 100)
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !dull.has(word))
    .map((word) => (/[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word))
  if (cache.size > 5000) cache.clear()
  cache.set(name, found)
  return found
}

const dull = new Set(["the", "of", "a", "an", "og", "twitter", "article", "product", "schema", "itemprop"])

const groupOf = (parts: ReadonlyArray<string>): number | undefined => groups.get(parts.join(""))

const groups = new Map(
  [
    "name title headline heading",
    "description summary abstract about",
    "price cost amount lowprice currentprice fee",
    "currency pricecurrency currencycode",
    "image photo picture thumbnail thumbnailurl imageurl",
    "author writer by creator byline authorname",
    "date published datepublished publishedtime publisheddate publicationdate publishdate postedon dateposted postingdate",
    "updated modified datemodified modifiedtime lastupdated updatedat lastmodified",
    "phone telephone tel phonenumber telephonenumber",
    "email mail emailaddress",
    "url link href permalink canonical website",
    "rating ratingvalue score star averagerating",
    "reviewcount ratingcount numberofreview reviewnumber",
    "company organization employer hiringorganization organisation companyname",
    "location joblocation place city addresslocality",
    "availability instock stock available",
    "sku articlenumber itemnumber productid",
    "brand manufacturer maker",
    "salary basesalary pay wage",
    "category section articlesection genre",
    "keyword tag articletag topic"
  ].flatMap((group, i) => group.split(" ").map((word) => [word, i] as const))
)
