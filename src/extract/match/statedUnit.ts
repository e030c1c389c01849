/**
 * The unit or the currency that a schema states for a number, in words: "total time in minutes", "weight (kg)", "in USD".
 *
 * It is stated where a unit stands behind "in", in brackets, behind a last comma, or alone. A word that is a unit and a
 * currency, "in pounds", is what the property is about.
 */
import * as Currency from "../value/Currency.ts"
import * as Measure from "../value/Measure.ts"

interface Stated {
  readonly unit?: string
  readonly currency?: string
}

export const statedUnit = (sentence: unknown, isMoney: boolean): Stated => {
  if (typeof sentence !== "string") return {}
  const text = sentence.slice(0, maxSentence).trim()
  for (const found of text.matchAll(behind)) {
    const stated = readAs(found[1] ?? found[2] ?? found[3] ?? "", isMoney)
    if (stated !== undefined) return stated
  }
  // "Year" alone is what is asked for, "minutes" is its unit.
  return one.test(text) ? {} : (readAs(text, isMoney) ?? {})
}

const one = /^(?:years?|months?|weeks?|days?|day|hour|minute|second|time)$/i

const maxSentence = 400

/** "in minutes", "as whole minutes", "number of grams"; "(kg)"; ", hours" at the end. */
const behind =
  /(?:\b(?:in|as|en|em|unit:?|units:?|number of|anzahl|nombre de|número de|numero di)\s+(?:(?:whole|full|total|integer|decimal|us|ganzen|vollen)\s+)?)([\p{L}$€£¥²³]{1,16})(?![\p{L}\d])|[([]\s*(?:in\s+)?([\p{L}$€£¥²³]{1,16})\s*[)\]]|,\s*([\p{L}]{1,16})\.?$/giu

const readAs = (word: string, isMoney: boolean): Stated | undefined => {
  const currency = currencyOf(word, isMoney)
  if (currency !== undefined) return { currency }
  const unit = isMoney ? undefined : Measure.unitNamed(word)
  return unit === undefined ? undefined : { unit }
}

/** A currency code is written in capitals: "all" and "top" are words. A word or a sign counts where a sum is asked for. */
const currencyOf = (word: string, isMoney: boolean): string | undefined => {
  if (Currency.isCode(word)) return isMoney || !both.has(word) ? word : undefined
  return isMoney ? Currency.codeOf(/^pounds?(?: sterling)?$/i.test(word) ? "£" : word) : undefined
}

/** Codes that mean other things where no sum is asked for. */
const both: ReadonlySet<string> = new Set(["ALL", "TOP", "TRY", "CUP", "MOP", "PEN", "BOB", "MAD", "COP", "SOS", "GEL"])
