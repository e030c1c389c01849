/** The first price in a text: an amount with its currency, as a sign or a code, before or behind it. */
import { type Element, elements, textOf, tidy } from "#page/Dom"
import { asciiDigits } from "../../value/asciiDigits.ts"
import * as Currency from "../../value/Currency.ts"

interface Price {
  readonly text: string
  readonly at: number
}

export const priceIn = (text: string): Price | undefined => {
  const found = price.exec(asciiDigits(text))
  return found === null ? undefined : asWritten(text, found)
}

export const pricesIn = (text: string): ReadonlyArray<Price> =>
  Array.from(asciiDigits(text).matchAll(prices), (found) => asWritten(text, found))

const asWritten = (text: string, { 0: { length }, index }: RegExpExecArray): Price => ({
  text: text.slice(index, index + length),
  at: index
})

const sign = "(?:[A-Z]{1,2}\\$|\\p{Sc}|R[pM](?=\\s?\\d)|د\\.إ)"
const code = `(?:RMB|${Currency.plainCodes.join("|")})`
const word =
  "(?:kr\\.?|zł|Ft|lei|лв|руб\\.?|грн|Euro|euros?|dollars?|pounds?|元|円|원|تومان|ریال|ر\\.[سقعي]\\.?|د\\.[إكبأتجعلم]\\.?|ج\\.م\\.?|ل\\.[لس]\\.?|дол\\.?|тенге|บาท|đồng|Kčs?|TL|RM)"
const amount = "\\d{1,3}(?:[.,'’\\u00a0\\u202f ]\\d{3}){0,4}(?:[.,]\\d{1,2}(?!\\d))?|\\d{1,9}(?:[.,]\\d{1,2}(?!\\d))?"
const source = `(?:${sign}|\\b${code})\\s{0,2}(?:${amount})(?![\\d])|(?<![\\d.,])(?:${amount})(?:,-{1,2}|\\.-|\\.–)?\\s{0,2}(?:${sign}|${code}(?![\\p{L}])|${word}(?![\\p{L}]))`
const price = new RegExp(source, "u")
const prices = new RegExp(source, "gu")

/** Whether a text is short and says a price. */
export const isPriceText = (text: string): boolean => text.length <= 60 && priceIn(text) !== undefined

/** Whether the price is here and in no part of it. */
export const isPrice = (element: Element, text: string): boolean =>
  isPriceText(text) &&
  element.children.every((child) => child._tag === "Text" || priceIn(textOf(child, 60)) === undefined)

/** Text that a page strikes through, because it no longer holds, such as the price before a sale. */
export const isStruck = ({ attributes, name }: Element): boolean =>
  name === "del" || name === "s" || name === "strike" || lined.test(attributes.get("class") ?? "")

/** Whether the element, or an element around it, is struck through. */
export const isInStruck = (element: Element): boolean => {
  let at: Element | undefined = element
  for (let up = 0; up < maxLevels && at !== undefined; up++, at = at.parent) if (isStruck(at)) return true
  return false
}

/** The text of an element without its struck parts; the whole text if there is no other. */
export const currentText = (element: Element, most?: number): string => {
  const text = textOf(element, most)
  if (isStruck(element) || text === "") return text
  let rest = text
  for (const part of elements(element, maxParts)) if (isStruck(part)) rest = rest.replace(textOf(part, most), " ")
  const current = rest === text ? text : tidy(rest)
  return /[\p{L}\p{N}]/u.test(current) ? current : text
}

/** The name of the price before a sale. */
export const struckPrice = "list price"

const lined = /(?:^|\s)(?:line-through|text-line-through|strike-?through|text-decoration-line-through)(?:$|\s)/i
const maxLevels = 4
const maxParts = 40
