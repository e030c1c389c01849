/**
 * Where a text says a value: its words in that order, whole words only; the same number; the same day; or the value in another
 * form (`OtherForms`).
 *
 * A text is gone through once for each kind of value, when the first value of that kind is asked for: its numbers, its days.
 */
import * as OtherForms from "./OtherForms.ts"
import * as Day from "./value/Day.ts"

/** Where a text says the value at a JSON pointer; undefined: it does not. */
export type Saying = (value: string | number, pointer: string) => OtherForms.Stretch | undefined

/** `written` is a text as `flat` gives it, `addresses` where the page leads to. */
export const of = (written: string, addresses: ReadonlyArray<string>): Saying => {
  const page = lower(written)
  const forms = OtherForms.of(written, addresses)
  let numbers: ReadonlyMap<number, OtherForms.Stretch> | undefined
  let days: ReadonlyMap<string, OtherForms.Stretch> | undefined
  return (value, pointer) => {
    if (typeof value === "number") {
      numbers ??= numbersOf(page)
      return numbers.get(value) ?? forms.ofNumber(value, nameIn(pointer))
    }
    const day = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0]
    if (day !== undefined) {
      const found = dayIn(written, day) ?? (days ??= daysOf(written)).get(day)
      if (found !== undefined) return found
    }
    const own = OtherForms.isAddress.test(value) ? undefined : wordsIn(page, plain(value))
    return own ?? forms.ofText(value)
  }
}

/** A text as it is searched: letters in one way of writing, one blank or the end of a line for each run of them. */
export const flat = (text: string): string =>
  /[^ -~]| {2}/.test(text)
    ? text
        .normalize("NFKC")
        .replaceAll("\u0130", "I")
        .replaceAll(/[\s\u200b]+/g, (run) => (run.includes("\n") ? "\n" : " "))
    : text

/** Each character has its place. */
const lower = (written: string): string => written.replaceAll("\n", " ").toLowerCase()

/** A value as words of a page, whatever its case and its blanks. */
export const plain = (text: string): string => lower(flat(text)).trim()

/** Where the words stand, none of them as a part of a longer one. */
const wordsIn = (page: string, words: string): OtherForms.Stretch | undefined => {
  if (words === "") return undefined
  for (let at = page.indexOf(words); at !== -1; at = page.indexOf(words, at + words.length)) {
    const end = at + words.length
    if (isEdge(page.slice(at - 1, at), words.slice(0, 1)) && isEdge(words.slice(-1), page.slice(end, end + 1)))
      return [at, end]
  }
  return undefined
}

/** Whether a word ends between two characters. Scripts that write no blanks between words have edges everywhere. */
const isEdge = (before: string, after: string): boolean => !(ofWord.test(before) && ofWord.test(after))
const ofWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u

/** All numbers that a text writes, with and without their sign, each where it stands first. */
const numbersOf = (text: string): ReadonlyMap<number, OtherForms.Stretch> => {
  const numbers = new Map<number, OtherForms.Stretch>()
  for (const match of text.matchAll(number)) {
    const [written, sign = "", digits = ""] = match
    const place: OtherForms.Stretch = [match.index, match.index + written.length]
    const add = (value: number): void => {
      if (!numbers.has(value)) numbers.set(value, place)
    }
    const isLess = sign !== "" || OtherForms.asSign(text, place)
    for (const value of readingsOf(digits)) {
      add(value)
      if (isLess) add(-value)
    }
    // Groups that blanks hold apart are one number, and may as well be several.
    if (written.includes(" ")) for (const part of digits.split(" ")) readingsOf(part).forEach(add)
  }
  return numbers
}

const number = /(?<![\d.,])([-−](?=[.\d]))?(\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|\d[\d.,']*|[.,]\d+)/g

/** What digits with separators may mean: "1.299" is 1.299 to some and 1299 to others, "1.299,00" is 1299 to all. */
const readingsOf = (written: string): ReadonlyArray<number> => {
  if (/^(?:\d{1,15}|\d{1,12}\.\d{1,2})$/.test(written)) return [Number(written)]
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

/** Where a day stands beside its year in four digits, as most do: only such places are read. */
const dayIn = (text: string, iso: string): OtherForms.Stretch | undefined => {
  const [year = "", , number = ""] = iso.split("-")
  const isNear = new RegExp(`(?<!\\d)0?${Number(number)}(?!\\d)`)
  for (let at = text.indexOf(year); at !== -1; at = text.indexOf(year, at + year.length)) {
    const from = text.lastIndexOf(" ", Math.max(0, at - longestDay / 2)) + 1
    const end = text.indexOf(" ", at + longestDay / 2)
    const part = text.slice(from, end === -1 ? at + longestDay : Math.min(end, at + longestDay))
    if (!isNear.test(part)) continue
    const found = Day.all(part).find((day) => Day.iso(day) === iso)
    if (found !== undefined) return [from + found.from, from + found.to]
  }
  return undefined
}

/** All days that a text writes, each where it stands first. A day is read from a short text: from parts that end at a blank. */
const daysOf = (text: string): ReadonlyMap<string, OtherForms.Stretch> => {
  const days = new Map<string, OtherForms.Stretch>()
  for (let from = 0; from < text.length; ) {
    const part = text.slice(from, from + mostOfPart)
    const isLast = from + part.length === text.length
    // What begins near the end of a part is read in the next one, as a whole.
    const blank = part.lastIndexOf(" ", part.length - longestDay)
    const next = isLast ? part.length : blank > 0 ? blank + 1 : part.length - longestDay
    for (const day of /\d/.test(part) ? Day.all(part) : []) {
      const iso = Day.iso(day)
      if (day.from < next && !days.has(iso)) days.set(iso, [from + day.from, from + day.to])
    }
    from += next
  }
  return days
}

const mostOfPart = 250
const longestDay = 60

/** The name of the value at a JSON pointer: a number of a list has that of the list. */
const nameIn = (pointer: string): string => pointer.split("/").findLast((step) => !/^\d*$/.test(step)) ?? ""
