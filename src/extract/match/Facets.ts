/**
 * What else a value says beside itself: "£42,000 a year" says an amount, a currency and a salary; "4.2 of 5 (37 reviews)" a
 * rating and a count; "§ 3-204 Keeping of bees" a number and a title.
 *
 * A facet is a part of the written text, under the name that the text or the value's own name gives it.
 */
import { decodedUri } from "#base/readableText"
import type { Kind, Value } from "../Candidates.ts"
import { authorsIn, isLed } from "../value/Byline.ts"
import * as Choice from "../value/Choice.ts"
import * as Contact from "../value/Contact.ts"
import * as Currency from "../value/Currency.ts"
import * as Day from "../value/Day.ts"
import * as Duration from "../value/Duration.ts"
import { monthOf } from "../value/Months.ts"
import * as Price from "../value/Price.ts"
import * as Rating from "../value/Rating.ts"
import { daysIn, endsOf } from "../value/WeekHours.ts"
import { weekdays } from "./Concepts.ts"
import * as Names from "./Names.ts"

interface Facet {
  readonly name: string
  readonly data: string | number | boolean
  readonly facet: string
  /** Against that of the whole value. */
  readonly trust: number
}

/** `isOfPage`: the page speaks, so that a link in it is not its address. */
export const facetsOf = (name: string, value: Value, isOfPage = false): ReadonlyArray<Facet> => {
  const found: Array<Facet> = []
  if (value.href !== undefined) found.push(...linked(name, value.href, isOfPage))
  const text = value.data
  // What leads to the page of a row is what the row is called.
  if (name === "link" && value.href !== undefined)
    found.push({ name: "title", data: text, facet: calledFacet, trust: 1.3 })
  if (typeof text !== "string" || text.length > maxText) return found
  const concept = Names.conceptOf(Names.parse(name))
  if (concept?.id === "author") found.push(...byline(text))
  // "Preparation: 25 minutes" tells how long, and not how.
  if (concept?.id === "instruction" && text.length <= 40 && Duration.parse(text, undefined) !== undefined)
    found.push({ name: "prep time", data: text, facet: "duration", trust: 1 })
  const isOpen = concept === undefined || open.has(concept.id)
  for (const [part, data] of hoursFacets(name, text)) found.push({ name: part, data, facet: `hours ${part}`, trust: 1 })
  if (/\p{Nd}/u.test(text)) {
    found.push(
      ...(isOpen || sums.has(concept?.kind ?? "") || ofSums.has(concept?.id ?? "")
        ? money(name, concept?.id, text, value.source.kind)
        : []),
      ...counts(text),
      ...ratings(name, text),
      ...numbered(name, text, value),
      ...dated(text, isOpen)
    )
  }
  if (!isOpen) return found
  const status = Choice.kindOf(text)
  if (status !== undefined) found.push({ name: statusNames[status] ?? status, data: text, facet: "status", trust: 0.9 })
  const mail = text.includes("@") ? Contact.email(text) : undefined
  if (mail !== undefined) found.push({ name: "email", data: mail, facet: "email", trust: 0.9 })
  if (/^\+?[\d ()./–-]{7,24}$/.test(text) && Contact.phone(text) === text && isGrouped.test(text))
    found.push({ name: "phone", data: text, facet: "phone", trust: 0.8 })
  if (/[?？]$/.test(text) && titles.test(name))
    found.push({ name: "question", data: text, facet: "question", trust: 1 })
  return found
}

const maxText = 160
/** What may be said with a currency; the number of an article, "NT-500", is none. */
const sums: ReadonlySet<string> = new Set(["money", "currency"])
const ofSums: ReadonlySet<string> = new Set(["discount", "pricerange", "tax", "offer", "benefit", "quantity"])
/** A number that people call is written in groups, or with its country. */
const isGrouped = /^\+\d|^\(?0\d{1,5}\)?[\s./-]\d{2}|^\(\d{2,5}\)\s?\d/

/** Names that do not say what a value is. */
const open = new Set(["body", "title", "description", "url", "time", "employment"])

const statusNames: Readonly<Record<string, string>> = {
  availability: "availability",
  employment: "employment type",
  condition: "item condition",
  event: "event status",
  force: "legal force"
}

/** "By Ada Lovelace, 2026-03-09" names Ada Lovelace. */
const byline = (text: string): ReadonlyArray<Facet> =>
  isLed(text) ? authorsIn(text).map((data) => ({ name: "author", data, facet: "byline", trust: 1.2 })) : []

const linked = (name: string, href: string, isOfPage: boolean): ReadonlyArray<Facet> => {
  if (/^mailto:/i.test(href)) {
    const data = Contact.email(href.slice(7).split("?")[0] ?? "")
    return data === undefined ? [] : [{ name: "email", data, facet: "href", trust: 1 }]
  }
  if (/^tel:/i.test(href)) return [{ name: "phone", data: decodedUri(href.slice(4)), facet: "href", trust: 1 }]
  const own = { name: `${name} url`, data: href, facet: "href", trust: 0.95 }
  return isOfPage ? [own] : [{ name: "url", data: href, facet: "href", trust: 0.9 }, own]
}

/** `id`: the concept of the name, where it is known. */
const money = (name: string, id: string | undefined, text: string, kind: Kind): ReadonlyArray<Facet> => {
  const price = Price.parse(text)
  // The currency of a sum stands beside it; an address has no sums.
  if (price?.mark === undefined || price.beside !== true || isAddress.test(text)) return []
  const isOpen = id === undefined || open.has(id)
  const sum = perTime.test(text) ? "salary" : "price"
  // "Fee: 186 €" is a sum, and the price only where nothing else is: its label stays with it.
  const means = id === undefined && labelled.has(kind) && !unnamed.test(name) ? `${name} ${sum}` : sum
  const one = isOpen ? means : ofRanges.has(id) ? id : name
  // What the sign of China and of Japan means is seen by its sum.
  const mark = Price.shared.test(price.mark) ? text : price.mark
  const found: Array<Facet> = [{ name: `${one} currency`, data: mark, facet: "currency", trust: 0.97 }]
  if (price.upTo !== undefined) {
    found.push({ name: `min ${one}`, data: price.amount, facet: "from", trust: 0.97 })
    found.push({ name: `max ${one}`, data: price.upTo, facet: "to", trust: 0.97 })
  }
  const isShort = price.whole || text.length <= 60 || (text.length <= 120 && Currency.all(text).length === 1)
  if (isOpen && isShort && price.upTo === undefined && price.role === undefined && price.several !== true) {
    found.push({
      name: means,
      data: price.whole ? text : price.amount,
      facet: sumFacet,
      // A sentence of declared data is a sentence.
      trust: price.whole ? 0.95 : declared.has(kind) ? 0.6 : 0.8
    })
  }
  return found
}

/** Of the sum in a text whose name does not say that it has one. */
export const sumFacet = "price"
const declared: ReadonlySet<Kind> = new Set<Kind>(["data", "json-ld", "microdata", "rdfa", "microformats"])
const isAddress = /^\w+:\/\//

export const labelled: ReadonlySet<Kind> = new Set<Kind>(["label", "definition", "table"])
/** What a column without a name is called. */
const unnamed = /^column \d+$/
/** Sums whose ends have names of their own, in whatever language they are named. */
const ofRanges: ReadonlySet<string> = new Set(["price", "salary"])

const perTime =
  /(?:\b(?:a|an|per|each|pro|par|al|por)\s|\/\s?)(?:year|annum|month|hour|day|week|jahr|monat|stunde|an|mois|heure|ano|año|mes|hora|anno|mese)\b|\bp\.?\s?a\b|\bannually\b|\bjährlich\b/i

/** "(37 reviews)": a number and what is counted. */
const counts = (text: string): ReadonlyArray<Facet> => {
  if (text.length > 120) return []
  return [...text.matchAll(/(?<![\d.,\p{L}€$£-])(\d{1,3}(?:[,. ]\d{3})+|\d{1,7})\s+(\p{L}{3,20})\b/gu)]
    .filter((match) => monthOf(match[2] ?? "", "en") === undefined)
    .slice(0, 3)
    .flatMap(([, number = "", word = ""], i) => {
      const data = Number(number.replaceAll(/[,. ]/g, ""))
      return [
        { name: `${word} count`, data, facet: `count${i}`, trust: 0.9 },
        { name: word, data, facet: `${counted}${i}`, trust: 0.9 }
      ]
    })
}

/** Of the text of a link: what the row is called. */
export const calledFacet = "called"

const counted = "counted"

/** Whether it is the count in "2 beds" under the name `beds`: it fills only properties that are numbers. */
export const isCounted = (facet: string): boolean => facet.startsWith(counted)

/** "4.2 of 5", "4,5/5", "Rated 4 out of 5 stars"; "4.6 (1,234 reviews)". */
const ratings = (name: string, text: string): ReadonlyArray<Facet> => {
  const isSaid = Names.has(Names.parse(name), "rating")
  const own = isSaid ? name : "rating"
  const found =
    /(?<![\d.,])(\d{1,3}(?:[.,]\d{1,2})?)\s?(?:of|out of|\/|von|sur|de|su|van)\s?(5|10|100)(?![\d.,/]\d|\d)/i.exec(text)
  if (found?.[1] === undefined) return rated(own, Rating.parse(text, isSaid))
  const data = Number(found[1].replace(",", "."))
  if (data > Number(found[2])) return []
  return [
    { name: own, data, facet: "rating", trust: 0.95 },
    { name: "best rating", data: Number(found[2]), facet: "best", trust: 0.95 }
  ]
}

const rated = (name: string, found: Rating.Rating | undefined): ReadonlyArray<Facet> => {
  if (found === undefined) return []
  const { count, rating } = found
  const facet: Facet = { name, data: rating, facet: "rating", trust: 0.95 }
  return count === undefined ? [facet] : [facet, { name: "review count", data: count, facet: "raters", trust: 0.9 }]
}

/** The number that a heading of a law, a chapter or an article begins with. */
const numbered = (name: string, text: string, { source: { kind: how } }: Value): ReadonlyArray<Facet> => {
  if (!titles.test(name)) return []
  const found = heading.exec(text)
  const [, kind, number, bare, rest] = found ?? []
  const data = number ?? bare
  if (data === undefined || rest === undefined) return []
  const word = kind?.startsWith("§") === true ? "section" : (kinds[kind?.toLowerCase().slice(0, 3) ?? ""] ?? "section")
  // A bare number may be of either.
  const of = kind === undefined ? "section chapter" : word
  const trust = how === "meta" || how === "opengraph" ? 0.8 : 1
  return [
    { name: `${of} number`, data: data.replace(/[.:]$/, ""), facet: "number", trust },
    { name: "title", data: rest, facet: "title", trust: 0.3 }
  ]
}

const titles = /^(?:h\d|heading|subheading|title|name|headline|link|text|summary|og:title)$/i

const heading =
  /^\s*(?:(§{1,2}|sec(?:tion|\.)|art(?:icle|\.)|chapter|chap\.|rule|reg(?:ulation|\.)|title|part|abschnitt|kapitel|chapitre|artikel|artículo|articolo)\s*(\d[\w.:-]*|[IVXLC]+\b)|(\d+(?:[.-]\d+[A-Za-z]?)+))\s*[.:–—-]?\s+(\S.*)$/i

const kinds: Readonly<Record<string, string>> = {
  sec: "section",
  art: "article",
  cha: "chapter",
  kap: "chapter",
  rul: "rule",
  reg: "regulation",
  tit: "title",
  par: "part"
}

const maybeDay = /(?:1\d|20)\d{2}|\d[./-]\d{1,2}[./-]\d/

/** "In force since 1977-01-01": words, then a day; and a day that stands alone. */
const dated = (text: string, isOpen: boolean): ReadonlyArray<Facet> => {
  if (!maybeDay.test(text)) return []
  const days = Day.all(text)
  const [day] = days
  if (day === undefined || days.length > 1) return []
  const data = text.slice(day.from)
  const label = /^\W*(\p{L}[\p{L} ]{1,40}?)[:\s]*$/u.exec(text.slice(0, day.from))?.[1]
  if (label !== undefined) return [{ name: label, data, facet: "date", trust: 0.97 }]
  if (!isOpen) return []
  if (Day.isAll(text, days, {})) return [{ name: "date", data: text, facet: "date", trust: 0.9 }]
  // "Quay 3 reopens - September 1, 2025": a day at either end, apart from the rest.
  const isApart = /[-–—|·•,(]\s*$/.test(text.slice(0, day.from)) || /^\s*[-–—|·•:,)]/.test(text.slice(day.to))
  const isAtEnd = day.from === 0 || /^[\s.)]*$/.test(text.slice(day.to))
  return isApart && isAtEnd ? [{ name: "date", data: text.slice(day.from, day.to), facet: "date", trust: 0.7 }] : []
}

/** Reads more from opening hours: `monday` "9–18" also gives `monday opens` and `monday closes`, and a `day` is a weekday. */

/** The further names of a value, each with its part of the text. */
const hoursFacets = (name: string, text: string): ReadonlyArray<readonly [name: string, data: string]> => {
  const own = Names.parse(name)
  const isDay = own.some(({ concept }) => weekdays.has(concept?.id ?? ""))
  const isHours = own.length === 1 && own[0]?.word === "hour"
  if (name === "day" || own[0]?.concept?.id === "weekday")
    return daysIn(text, undefined).length > 0 ? [["weekday", text]] : []
  const [opens, closes] = (isDay || isHours ? endsOf(text) : undefined) ?? []
  if (opens === undefined || closes === undefined) return []
  const of = isDay ? `${name} ` : ""
  return [
    [`${of}opens`, opens],
    [`${of}opening time`, opens],
    [`${of}closes`, closes],
    [`${of}closing time`, closes]
  ]
}
