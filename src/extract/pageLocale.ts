/** What a page says of itself that decides how its values are read: its language, the currency that it names. */
import type { Candidates, Thing } from "./Candidates.ts"
import * as Names from "./match/Names.ts"
import * as Currency from "./value/Currency.ts"
import { languageOf, type PageLocale } from "./value/PageLocale.ts"

export const pageLocale = (url: string, candidates: Candidates, language: unknown): PageLocale => {
  const declared = textOf(candidates.page, /^(?:language|lang|html:lang|inLanguage|og:locale|content-language)$/i)
  const tongue = declared ?? (typeof language === "string" ? language : undefined)
  const own = tongue === undefined ? undefined : languageOf(url, tongue.replace("_", "-"))
  const named = currencyOf([candidates.page, ...candidates.things])
  // A sign that several countries share is that of the country of the page.
  const currency = named ?? countryCurrency(url, tongue)
  return { url, ...(own === undefined ? {} : { language: own }), ...(currency === undefined ? {} : { currency }) }
}

const textOf = (page: Thing, name: RegExp): string | undefined => {
  for (const { name: own, value } of page.properties) {
    if (name.test(own) && value._tag === "Value" && typeof value.data === "string" && value.data.length < 20)
      return value.data
  }
  return undefined
}

/** The one that is named, where it is one. */
const currencyOf = (things: ReadonlyArray<Thing>): string | undefined => {
  const found = new Set<string>()
  let left = 5000
  const visit = (thing: Thing, depth: number): void => {
    for (const { name, value } of thing.properties) {
      if (left-- < 0) return
      if (value._tag === "Thing") {
        if (depth < 5) visit(value, depth + 1)
      } else if (typeof value.data === "string" && value.data.length === 3 && Currency.isCode(value.data)) {
        if (Names.conceptOf(Names.parse(name))?.id === "currency") found.add(value.data)
      }
    }
  }
  for (const thing of things) visit(thing, 0)
  const [first] = found
  return found.size === 1 ? first : undefined
}

/**
 * The currency of the country that a page is for, as its address or its language says: "shop.ca" and "en-CA" are Canada.
 *
 * It only decides what a sign means that several countries share, `$` or `kr`; it never makes a currency of a number.
 */

/** The address counts before the language, because templates say "en-US" wherever they are used. */
const countryCurrency = (url: string, language: string | undefined): string | undefined => {
  const host = URL.parse(url)?.hostname ?? ""
  const top = host.split(".").at(-1) ?? ""
  const [own = "", ...rest] = (language ?? "").toLowerCase().split(/[-_]/)
  const region = rest.find((part) => /^[a-z]{2}$/.test(part))
  return (
    (host.includes(".") && !global.has(top) ? byCountry.get(top) : undefined) ??
    byCountry.get(region ?? "") ??
    byLanguage.get(own)
  )
}

/** Tops of countries that everybody uses. */
const global: ReadonlySet<string> = new Set("co cc tv me io ai ly to".split(" "))

const byCountry: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AED: "ae",
    ARS: "ar",
    AUD: "au",
    BBD: "bb",
    BRL: "br",
    BSD: "bs",
    BYN: "by",
    CAD: "ca",
    CLP: "cl",
    CNY: "cn",
    COP: "co",
    CZK: "cz",
    DKK: "dk",
    DOP: "do",
    EGP: "eg",
    GBP: "uk gb",
    HKD: "hk",
    INR: "in",
    ISK: "is",
    JMD: "jm",
    JPY: "jp",
    KES: "ke",
    KRW: "kr",
    LBP: "lb",
    LKR: "lk",
    MAD: "ma",
    MDL: "md",
    MKD: "mk",
    MUR: "mu",
    MXN: "mx",
    NAD: "na",
    NOK: "no",
    NPR: "np",
    NZD: "nz",
    OMR: "om",
    PKR: "pk",
    QAR: "qa",
    RON: "ro",
    RSD: "rs",
    RUB: "ru",
    SAR: "sa",
    SEK: "se",
    SGD: "sg",
    TRY: "tr",
    TTD: "tt",
    TWD: "tw",
    TZS: "tz",
    UGX: "ug",
    USD: "us",
    UYU: "uy",
    XAF: "cm ga cg",
    XOF: "sn ci bj"
  }).flatMap(([code, countries]) => countries.split(" ").map((country) => [country, code] as const))
)

/** Languages of one country. */
const byLanguage: ReadonlyMap<string, string> = new Map([
  ["cs", "CZK"],
  ["da", "DKK"],
  ["is", "ISK"],
  ["nb", "NOK"],
  ["nn", "NOK"],
  ["no", "NOK"],
  ["sv", "SEK"],
  ["tr", "TRY"],
  ["zh", "CNY"]
])
