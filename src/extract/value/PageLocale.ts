/** What a page says of itself that decides how its values are read: its address, its language, its currency. */
export interface PageLocale {
  readonly url: string
  /** "en", "de-AT". */
  readonly language?: string
  /** ISO code, where the page names one. */
  readonly currency?: string
}

/** Countries whose English has the day before the month. */
const dayFirst = new Set("uk au nz ie in za sg my hk ke ng".split(" "))

/** The language with its country, where the address names one and the page does not: English is written two ways. */
export const languageOf = (url: string, language: string | undefined): string | undefined => {
  if (language === undefined || language.toLowerCase() !== "en") return language
  const top = URL.parse(url)?.hostname.split(".").at(-1) ?? ""
  return dayFirst.has(top) ? `en-${top === "uk" ? "GB" : top.toUpperCase()}` : language
}
