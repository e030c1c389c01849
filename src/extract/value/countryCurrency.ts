/**
 * The currency of the country that a page is for, as its address or its language says: "shop.ca" and "en-CA" are Canada.
 *
 * It only decides what a sign means that several countries share, `$` or `kr`; it never makes a currency of a number.
 */

/** The address counts before the language, because templates say "en-US" wherever they are used. */
export const countryCurrency = (url: string, language: string | undefined): string | undefined => {
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
