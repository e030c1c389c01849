/** What a page says of itself that decides how its values are read: its language, the currency that it names. */
import type { Candidates, Thing } from "./Candidates.ts"
import * as Names from "./match/Names.ts"
import * as Currency from "./value/Currency.ts"
import { countryCurrency } from "./value/countryCurrency.ts"
import { languageOf, type PageLocale } from "./value/PageLocale.ts"

export const pageLocale = (url: string, candidates: Candidates, language: unknown): PageLocale => {
  const said = textOf(candidates.page, /^(?:language|lang|html:lang|inLanguage|og:locale|content-language)$/i)
  const tongue = said ?? (typeof language === "string" ? language : undefined)
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
