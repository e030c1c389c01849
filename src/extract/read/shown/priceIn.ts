/** The first price in a text: an amount with its currency, as a sign or a code, before or behind it. */

export interface Price {
  readonly text: string
  readonly at: number
}

export const priceIn = (text: string): Price | undefined => {
  const found = price.exec(text)
  return found === null ? undefined : { text: found[0], at: found.index }
}

export const pricesIn = (text: string): ReadonlyArray<Price> =>
  Array.from(text.matchAll(prices), (found) => ({ text: found[0], at: found.index }))

const sign = "(?:[A-Z]{1,2}\\$|\\p{Sc})"
const code =
  "(?:USD|EUR|GBP|CHF|JPY|CNY|RMB|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|INR|BRL|MXN|RUB|UAH|TRY|KRW|SGD|HKD|THB|ZAR|ILS|AED|SAR)"
const word = "(?:kr\\.?|zł|Kč|Ft|lei|лв|руб\\.?|грн|Euro|euros?|dollars?|pounds?|元|円|원)"
const amount = "\\d{1,3}(?:[.,'’\\u00a0\\u202f ]\\d{3}){0,4}(?:[.,]\\d{1,2}(?!\\d))?|\\d{1,9}(?:[.,]\\d{1,2}(?!\\d))?"
const source = `(?:${sign}|\\b${code})\\s{0,2}(?:${amount})(?![\\d])|(?<![\\d.,])(?:${amount})(?:,-{1,2}|\\.-|\\.–)?\\s{0,2}(?:${sign}|${code}(?![\\p{L}])|${word}(?![\\p{L}]))`
const price = new RegExp(source, "u")
const prices = new RegExp(source, "gu")
