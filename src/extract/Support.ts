/**
 * Whether a page says a value that a model gave.
 *
 * A text is supported if its words are on the page in that order, whole words only; a number if the page has the same
 * number; a date if the page has the same day; a value that the page says in another form (`OtherForms`); and any value if
 * our own rules found the same. Nothing else is supported.
 */

import { pointerOf } from "#base/pointerOf"
import { isList, isSchema, type Json } from "#contract/JsonSchema"
import { Addresses } from "#page/Address"
import * as Dom from "#page/Dom"
import type { Input } from "#web/SchemaFiller"
import type { Extracted, Source, Thing } from "./Candidates.ts"
import * as OtherForms from "./OtherForms.ts"
import { Page } from "./page/Page.ts"
import { candidates } from "./read/candidates.ts"
import * as Day from "./value/Day.ts"

export interface Support {
  readonly sources: ReadonlyMap<string, Source>
  /** JSON pointers of what was asked for and is null. */
  readonly missing: ReadonlyArray<string>
}

/**
 * `text` is what the page says, `declared` what it declares as data, `found` what rules have filled in. A value that the text
 * supports has its place on `input`, if that is given.
 */
export const of = (
  data: Json,
  text: string,
  declared: ReadonlyArray<string>,
  found: Extracted,
  input?: Pick<Input, "html" | "url">
): Support => {
  const isSaid = sayingOf(text, declared)
  const placeOf = input === undefined ? () => nowhere : placesOn(input)
  const rules = new Map<string, Source>()
  for (const [pointer, source] of found.sources) {
    const value = valueAt(found.data, pointer)
    // A yes of one question says nothing of another.
    rules.set(typeof value === "boolean" ? `${pointer} ${value}` : keyOf(value), source)
  }
  const sources = new Map<string, Source>()
  const missing: Array<string> = []

  const visit = (value: Json, pointer: string): void => {
    if (value === null) missing.push(pointer)
    else if (isList(value)) value.forEach((item, index) => visit(item, `${pointer}/${index}`))
    else if (isSchema(value)) {
      for (const [name, part] of Object.entries(value)) visit(part, pointerOf(pointer, name))
    } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
      const rule = rules.get(typeof value === "boolean" ? `${pointer} ${value}` : keyOf(value))
      if (rule !== undefined) sources.set(pointer, { ...rule, supported: true })
      else if (isSaid(value, pointer))
        sources.set(pointer, { kind: "text", ...placeOf(value, pointer), supported: true })
      else sources.set(pointer, { kind: "model", path: "", span: [0, 0], supported: false })
    }
  }
  visit(data, "")
  return { sources, missing }
}

/** Whether a text says the value at a pointer. */
type Saying = (value: string | number | boolean, pointer: string) => boolean

const sayingOf = (text: string, declared: ReadonlyArray<string>): Saying => {
  const addresses = declared.filter((one) => OtherForms.isAddress.test(one))
  const written = [text, ...declared.filter((one) => !OtherForms.isAddress.test(one))].join("\n")
  const page = plain(written)
  const forms = OtherForms.of(written, addresses)
  let numbers: ReadonlySet<number> | undefined
  let days: ReadonlySet<string> | undefined
  return (value, pointer) => {
    if (typeof value === "boolean") return false
    numbers ??= typeof value === "number" ? numbersOf(page) : undefined
    if (typeof value === "number") return numbers?.has(value) === true || forms.hasNumber(value, nameIn(pointer))
    const day = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0]
    if (day !== undefined) {
      days ??= new Set(Day.all(page).map(Day.iso))
      if (days.has(day)) return true
    }
    return (!OtherForms.isAddress.test(value) && saysWords(page, plain(value))) || forms.hasText(value)
  }
}

type Place = Pick<Source, "path" | "span">
const nowhere: Place = { path: "", span: [0, 0] }

/** The smallest element that says a value: from the top, the first child that says it, as long as one does. */
const placesOn = ({ html, url }: Pick<Input, "html" | "url">) => {
  let page: Page | undefined
  const sayings = new Map<Dom.Element, Saying>()
  const sayingIn = (element: Dom.Element): Saying => {
    const saying = sayings.get(element) ?? sayingOf(Dom.textOf(element, html.length), [])
    sayings.set(element, saying)
    return saying
  }
  return (value: string | number | boolean, pointer: string): Place => {
    page ??= new Page(html, url)
    let place: Dom.Element = page.root
    for (let deeper: Dom.Element | undefined = place; deeper !== undefined; ) {
      place = deeper
      deeper = place.children.find(
        (child): child is Dom.Element => child._tag === "Element" && sayingIn(child)(value, pointer)
      )
    }
    return place === page.root ? nowhere : { path: page.pathOf(place), span: [place.from, place.to] }
  }
}

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim()

/** Whether the words stand there, none of them as a part of a longer one. */
const saysWords = (page: string, words: string): boolean => {
  if (words === "") return false
  for (let at = page.indexOf(words); at !== -1; at = page.indexOf(words, at + words.length)) {
    const end = at + words.length
    if (isEdge(page.slice(at - 1, at), words.slice(0, 1)) && isEdge(words.slice(-1), page.slice(end, end + 1)))
      return true
  }
  return false
}

/** Whether a word ends between two characters. Scripts that write no blanks between words have edges everywhere. */
const isEdge = (before: string, after: string): boolean => !(ofWord.test(before) && ofWord.test(after))
const ofWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u

/** All numbers that a text writes, with and without their sign. */
const numbersOf = (text: string): ReadonlySet<number> => {
  const numbers = new Set<number>()
  for (const [written, sign = "", digits = ""] of text.matchAll(number)) {
    for (const value of readingsOf(digits)) numbers.add(value)
    if (sign !== "") for (const value of readingsOf(digits)) numbers.add(-value)
    // Groups that blanks hold apart are one number, and may as well be several.
    if (written.includes(" "))
      for (const part of digits.split(" ")) for (const value of readingsOf(part)) numbers.add(value)
  }
  return numbers
}

const number = /(?<![\d.,])([-−](?=[.\d]))?(\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|\d[\d.,']*|[.,]\d+)/g

/** What digits with separators may mean: "1.299" is 1.299 to some and 1299 to others, "1.299,00" is 1299 to all. */
const readingsOf = (written: string): ReadonlyArray<number> => {
  const digits = written.replaceAll(/[' ]/g, "").replace(/[.,]+$/, "")
  const whole = /^(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d{1,3}(?:\.\d{3})+)$/.test(digits)
    ? digits.replaceAll(/[.,]/g, "")
    : ""
  const byPoint =
    /^[\d,]*\.?\d+$/.test(digits) && isGrouped(digits.split(".")[0] ?? "", ",") ? digits.replaceAll(",", "") : ""
  const byComma =
    /^[\d.]*,?\d+$/.test(digits) && isGrouped(digits.split(",")[0] ?? "", ".")
      ? digits.replaceAll(".", "").replace(",", ".")
      : ""
  return [whole, byPoint, byComma]
    .flatMap((reading) => (reading === "" ? [] : [Number(reading)]))
    .filter(Number.isFinite)
}

/** Whether what stands before the decimals is in groups of three, the first maybe shorter, or in none. */
const isGrouped = (whole: string, separator: string): boolean => {
  const [first = "", ...groups] = whole.split(separator)
  return (
    groups.length === 0 ||
    (first.length <= 3 &&
      first !== "" &&
      groups.every(({ length }) => length === 2 || length === 3) &&
      groups.at(-1)?.length === 3)
  )
}

const keyOf = (value: Json | undefined): string =>
  typeof value === "string" ? plain(value) : JSON.stringify(value ?? null)

/** The name of the value at a JSON pointer: a number of a list has that of the list. */
const nameIn = (pointer: string): string => pointer.split("/").findLast((step) => !/^\d*$/.test(step)) ?? ""

/** The value at a JSON pointer; undefined: there is none. */
export const valueAt = (data: Json, pointer: string): Json | undefined => {
  let value: Json | undefined = data
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~")
    value = isList(value) ? value[Number(key)] : isSchema(value) ? value[key] : undefined
  }
  return value
}

/** Texts that the page declares as data, beside what it shows, and the addresses that it leads to: its own, too. */
export const declaredOf = ({ html, url }: Input): ReadonlyArray<string> => {
  const { page, things } = candidates(html, url)
  const own = URL.parse(url)
  const texts: Array<string> = own === null ? [] : [own.href, own.origin]
  const addresses = new Addresses(url)
  for (const { attributes, name } of Dom.elements(Dom.parse(html), maxElements)) {
    const href = attributes.get("href") ?? attributes.get("src")
    if (href === undefined) continue
    if (name === "base") addresses.rebase(href)
    const address = addresses.resolve(href.trim())
    if (address !== undefined && /^(?:https?|mailto|tel):/i.test(address)) texts.push(address)
  }
  const collect = ({ properties }: Thing): void => {
    for (const { value } of properties) {
      if (value._tag === "Thing") collect(value)
      else texts.push(String(value.data))
      if (value._tag === "Value" && value.href !== undefined) texts.push(value.href)
    }
  }
  for (const thing of [page, ...things]) collect(thing)
  return texts
}

const maxElements = 50_000
