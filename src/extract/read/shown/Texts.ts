/**
 * Prices, ratings, dates, addresses, people, e-mails and phone numbers in the text of a page. Weak: nobody says what they are of.
 *
 * Patterns look at a limited number of characters from each place, and each kind has a limit.
 */
import { tidy } from "#page/Dom"
import type { Property } from "../../Candidates.ts"
import { type Page, valueOf } from "../../page/Page.ts"
import * as Choice from "../../value/Choice.ts"
import * as Rating from "../../value/Rating.ts"
import * as Sum from "../../value/Sum.ts"
import { showsOther } from "./cardLinks.ts"
import { datesIn } from "./datesIn.ts"
import { hrefIn, type Line, spanOf } from "./Lines.ts"
import { pricesIn, struckPrice } from "./priceIn.ts"

export const read = (page: Page, lines: ReadonlyArray<Line>): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  const counts = new Map<string, number>()
  const isOfOther = showsOther(page)
  const add = (name: string, line: Line, from: number, to: number, kind = name): void => {
    const count = counts.get(kind) ?? 0
    if (count >= mostOf(kind)) return
    counts.set(kind, count + 1)
    const source = { kind: "text", path: page.pathOf(line.block), span: spanOf(line, from, to) } as const
    found.push({ name, value: valueOf(tidy(line.text.slice(from, to)), source, hrefIn(page, line, from, to)) })
  }
  let length = 0
  for (const line of lines) {
    const text = line.text.slice(0, maxLine)
    length += text.length
    if (length > maxText) break
    if (page.isApart(line.block)) continue
    for (const property of linked(page, line)) {
      const count = counts.get(property.name) ?? 0
      counts.set(property.name, count + 1)
      if (count < mostOf(property.name)) found.push(property)
    }
    if (text.includes("@"))
      for (const { 0: mail, index } of text.matchAll(email)) add("email", line, index, index + mail.length)
    if (line.block.name === "address") add("address", line, 0, text.length)
    for (const { 0: person, 1: name = "", index } of text.matchAll(byline)) {
      const at = index + person.length - name.length
      add("person", line, at, index + person.length)
      if (signed.test(text.slice(0, at))) add("author", line, at, index + person.length)
    }
    if (text.length < maxState && Choice.kindOf(text) === "availability") add("availability", line, 0, text.length)
    if (!/\p{Nd}/u.test(text)) continue
    called(text, line, add)
    let before = 0
    for (const price of pricesIn(text)) {
      const to = price.at + price.text.length
      add(sumNames[Sum.roleOf(text, price.at, to, before) ?? "price"], line, price.at, to)
      before = to
    }
    const rating = text.length < maxRated ? Rating.parse(text) : undefined
    if (rating !== undefined && !isOfOther(line.block)) add("rating", line, rating.from, rating.to)
    for (const date of datesIn(text)) add("date", line, date.at, date.at + date.text.length)
    for (const { 0: place, index } of text.matchAll(address)) add("address", line, index, index + place.length)
    if (/\d{2}/.test(text)) phones(text, line, add)
  }
  return found
}

/** What sums are called by the words beside them. */
const sumNames = { price: "price", former: struckPrice, part: "part payment", saving: "saving" } as const

/** "TOTAL 821.14": words and a sum with its cents, as a receipt has them, and nothing else. */
const calledSum = /^(\p{L}[\p{L} ]{1,30}?)[\s.]{1,40}(\p{Sc}?\d{1,3}(?:[.,]?\d{3}){0,4}[.,]\d\d)$/u

type Add = (name: string, line: Line, from: number, to: number, kind?: string) => void

const called = (text: string, line: Line, add: Add): void => {
  const [, label, sum = ""] = text.length < maxState ? (calledSum.exec(text.trim()) ?? []) : []
  if (label !== undefined) add(label, line, text.lastIndexOf(sum), text.length, "called sum")
}

/** People list addresses of mail and telephones for their own sake; of all else the first ones tell what the page is about. */
const mostOf = (name: string): number => (name === "email" || name === "phone" ? 5000 : 50)
const maxLine = 2000
const maxText = 1_000_000

/** What links to mail and telephones say, where their text does not. */
const linked = (page: Page, line: Line): ReadonlyArray<Property> => {
  const found: Array<Property> = []
  for (const { node, link } of line.pieces) {
    const href = link?.attributes.get("href")?.trim()
    if (link === undefined || href === undefined || !/^(?:mailto|tel):/i.test(href)) continue
    const isMail = /^mailto:/i.test(href)
    const data = href.replace(/^\w+:/, "").split("?")[0] ?? ""
    if (data === "" || (isMail ? node.text.includes("@") : /\d{3}/.test(node.text))) continue
    found.push({ name: isMail ? "email" : "phone", value: page.attribute("text", data, link, undefined, href) })
  }
  return found
}

const phones = (text: string, line: Line, add: Add): void => {
  for (const { 0: written, index } of text.matchAll(phone)) {
    const digits = written.replaceAll(/\D/g, "").length
    const isSaid = /(?:tel|phone|fon|fax|mobile|call|☎|📞)[\p{L}.:\s]{0,12}$/iu.test(
      text.slice(Math.max(0, index - 24), index)
    )
    const isGrouped = written.startsWith("+") || /^\(?\d{2,5}\)?[\s./-]+\d{2,5}[\s.-]+\d{2,5}/.test(written)
    if (digits < 7 || digits > 15 || datesIn(written).length > 0 || (!isSaid && !isGrouped)) continue
    add("phone", line, index, index + written.length)
  }
}

const email = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g

const phone = /(?<![\w.,/-])(?:\+|\()?\d[\d\s()./–-]{5,20}\d(?![\w/-])/g

const capital = "\\p{Lu}[\\p{L}'’.-]{0,30}"

/** "By Jane Doe", "Dr. Jane Doe": two to four words with capitals. */
const byline = new RegExp(
  `(?:^|[\\s(–—-])(?:(?:[Ww]ritten |[Pp]osted |[Rr]eviewed )?[Bb]y:?|[Vv]on|[Pp]ar|[Pp]or|Author:|Mrs?\\.?|Ms\\.?|Dr\\.?|Prof\\.?)\\s{1,3}(${capital}(?:\\s${capital}){1,3})`,
  "gu"
)

/** A line that begins with "by" signs what stands there. */
const signed = /^\s*(?:(?:written |posted )?by:?|von|par|por|author:)\s+$/i
const maxState = 40
const maxRated = 80

const street =
  "Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Way|Court|Ct|Place|Pl|Square|Sq|Highway|Hwy|Parkway|Pkwy|Terrace|Close|Crescent"

/** "12 Main Street, Springfield, IL 62701", "Hauptstraße 5, 12345 Berlin", "12 rue de la Paix, 75002 Paris". */
const address = new RegExp(
  [
    `(?<![\\w.,$€£])\\d{1,5}[A-Za-z]?,?\\s(?:${capital}\\s){1,4}(?:${street})\\b\\.?(?:,?\\s[\\p{L}\\d#.' -]{1,40}){0,4}`,
    `\\p{Lu}[\\p{L}.-]{1,30}(?:straße|strasse|str\\.|weg|platz|allee|gasse|ring|damm|straat|laan|gatan)\\s\\d{1,4}\\s?[a-z]?(?:,?\\s{1,3}(?:[A-Z]{1,2}-)?\\d{4,5}\\s[\\p{L}-]{2,30})?`,
    `\\d{1,4}(?:\\s?bis)?,?\\s(?:rue|avenue|boulevard|place|quai|chemin|impasse|via|viale|piazza|calle)\\s[\\p{L}\\s'’.-]{2,50}(?:,\\s\\d{5}\\s[\\p{L}-]{2,30})?`
  ].join("|"),
  "gu"
)
