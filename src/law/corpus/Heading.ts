/**
 * What a heading says before and behind its subject: numbers, whether the section is still law, and from when until when. And
 * what kind of heading it is: of a section, or of a level as a chapter.
 *
 * All formats read their headings with it. An ordinary word is no number: "Division line between lands" is about a line.
 */
import { englishDay } from "./written.ts"

export interface Numbers {
  readonly number: string
  /** The other numbers of a list, and those of a range up to its end. */
  readonly others: ReadonlyArray<string>
  /** What follows. */
  readonly heading: string
}

/*
 * The numbers at the start of a heading: one, as in "§ 2451. Purpose", a list, as in "9-5-12, 9-5-13. Repealed.", or a range, as
 * in "Secs. 02.10.060 — 02.10.090. Penalties". The first one names the section; the others find it too.
 */

/**
 * Undefined: the text does not begin with a section number. A number without "§" or "Section" before it must have several
 * parts, such as 6.08.010 or 1-2-3. Letters belong to the number, as in 2470aa.
 */
export const numbersOf = (text: string): Numbers | undefined => {
  const sign = /^(?:§[§\s]*|sec(?:tion)?s?\.?\s+)?/i.exec(text)?.[0] ?? ""
  const isPlural = /§\s*§|s\.?\s+$/i.test(sign)
  const first = numberAt(text, sign.length)
  if (first === undefined) return signed(text)
  if (sign === "" && !/[.:-]/.test(first.number)) return undefined
  const others: Array<string> = []
  let end = first.end
  const inner = rangeWithin(text.slice(sign.length, end), isPlural)
  const number = inner?.from ?? first.number
  if (inner !== undefined) others.push(...reached(inner.from, inner.to))
  for (let last = inner?.to ?? number; ; ) {
    const next = nextNumber(text, end)
    // A plain number may be the first word of the heading, unless the sign says that several numbers follow.
    if (next === undefined || !(isPlural || isAlike(number, next.number))) break
    others.push(...(next.isRange ? reached(last, next.number) : [next.number]))
    last = next.number
    end = next.end
  }
  const listed = headingAfter(text.slice(end))
  if (listed !== undefined) return { number, others, heading: listed }
  const heading = headingAfter(text.slice(first.end))
  return heading === undefined ? signed(text) : { number: first.number, others: [], heading }
}

/** What follows a number; undefined: the number does not end there. */
const headingAfter = (rest: string): string | undefined => {
  const found = /^\.?(?:[\s\u00a0:.—–-]+(.*))?$/s.exec(rest)
  return found === null ? undefined : (found[1] ?? "")
}

const numberAt = (text: string, at: number) => {
  const found = one.exec(text.slice(at, at + longest))?.[0]
  return found === undefined ? undefined : { number: found.replaceAll("–", "-"), end: at + found.length }
}

const one = /^\d+[a-z]{0,4}(?:[.:–-](?:\d+[a-z]{0,4}|[a-z]{1,2}(?![a-z])))*/i
/** More characters than a number has. */
const longest = 80

/** What joins two numbers of a list or a range, with the sign of the next one. */
const join = /^\s*(?:[,;]\s*(?:and\b|&)?|and\b|&|\.?\s*(?:to\b|through\b|thru\b|[—–-]))\s*(?:§+\s*)?/i

const nextNumber = (text: string, at: number) => {
  const [joined] = join.exec(text.slice(at, at + longest)) ?? []
  const next = joined === undefined ? undefined : numberAt(text, at + joined.length)
  return next === undefined || joined === undefined ? undefined : { ...next, isRange: !/[,;&]|and/i.test(joined) }
}

/** Whether two numbers are of one code: they have several parts, and the first one in common. */
const isAlike = (one: string, other: string): boolean => {
  const [first, ...rest] = other.split(separator)
  return rest.length > 0 && first === one.split(separator)[0] && /[.:-]/.test(one)
}

const separator = /[.:-]/

/**
 * A range that is written like one number: "9-6-4–9-6-8", "§§ 2458-2460". Its halves have the same parts but for the last.
 * Two or four parts are a range only if the sign or a dash says so: 9-6 and 10-2-10-3 may be numbers.
 */
const rangeWithin = (
  written: string,
  isPlural: boolean
): { readonly from: string; readonly to: string } | undefined => {
  const parts = written.split(/([.:–-])/)
  const middle = (parts.length - 1) / 2
  const dash = parts[middle]
  if (!Number.isInteger(middle) || (dash !== "-" && dash !== "–")) return undefined
  const [from, to] = [parts.slice(0, middle), parts.slice(middle + 1)].map((half) => half.join("").replaceAll("–", "-"))
  const isSaid = isPlural || (dash === "–" && written.includes("-")) || middle > 3
  return from !== undefined && to !== undefined && isSaid && between(from, to) !== undefined ? { from, to } : undefined
}

/** The numbers behind the first one of a range; only its end, if the numbers between cannot be counted. */
const reached = (from: string, to: string): ReadonlyArray<string> => between(from, to) ?? [to]

const between = (from: string, to: string): ReadonlyArray<string> | undefined => {
  const [, before, first = ""] = /^(.*?)(\d+)$/.exec(from) ?? []
  const [, same, last = ""] = /^(.*?)(\d+)$/.exec(to) ?? []
  const count = Number(last) - Number(first)
  if (before === undefined || before !== same || count <= 0 || count > mostNumbers) return undefined
  return Array.from({ length: count }, (_, at) => before + String(Number(first) + at + 1).padStart(first.length, "0"))
}

/** More sections than a range of repealed ones has. */
const mostNumbers = 1000

/** After "§", unusual numbers such as 14(a) or 15½ are section numbers, too. */
const signed = (text: string): Numbers | undefined => {
  const [, number = "", heading = ""] =
    /^§[§\s]*(?![§\s])([^\s.,:;\d]*\d[^\s,;]*?)[.,:;]?(?:\s+[—–:-]?\s*(.*))?$/.exec(text) ?? []
  return number === "" ? undefined : { number, others: [], heading }
}

export interface Level {
  /** "Title", "CHAPTER". */
  readonly prefix: string
  readonly number: string
  readonly heading: string
}

/**
 * The heading of a title, a chapter and so on. Its number is a number, a Roman numeral in capitals, or a letter; behind it a
 * sentence does not go on. `before`: the number of the last level of this kind, which a letter follows.
 */
export const levelOf = (text: string, before: (prefix: string) => string | undefined): Level | undefined => {
  const { prefix = "", number = "", separator = "", heading = "" } = level.exec(text)?.groups ?? {}
  if (prefix === "" || !/^[\dA-Z]/.test(number)) return undefined
  if (!/[:.—–-]/.test(separator) && /^\p{Ll}/u.test(heading)) return undefined
  if (spelled.test(number)) return { prefix, number, heading }
  if (/^\d/.test(number) || roman.test(number)) return { prefix, number, heading }
  const last = before(prefix.toLowerCase()) ?? ""
  const isNext = /^(.)\1?$/.test(number) && (number.startsWith("A") || !/^[A-Z]+$/.test(last) || number > last)
  return isNext ? { prefix, number, heading } : undefined
}

/** One number, or the first one of several: "Chapters 5 through 9. [Reserved.]". */
const level = new RegExp(
  String.raw`^(?<prefix>title|subtitle|division|chapter|subchapter|article|part|subpart)` +
    String.raw`(?:s?\s+(?=\d)|\s+)(?<number>\d+[a-z]{0,3}(?:[.:-]\w+)*|[a-z]+(?:-\w{1,3})?)` +
    String.raw`(?:\s*(?:,|and|to|through|[—–-])\s*\d+[a-z]{0,3}(?=[\s.:,—–-]|$))*` +
    String.raw`(?![^\s:.—–-])(?<separator>\s*[:.—–-]*\s*)(?<heading>.*)$`,
  "is"
)

const spelled = /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen)$/i

const roman = /^(?=[IVXLC])(?:C{0,3}|CD)(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})(?:-\w{1,3})?$/

/**
 * Whether a heading says that the section is no longer law: "Repealed.", "Use of revenue. [Repealed, § 2 ch 8 SLA 1968.]". The
 * word may be part of the subject, as in "Expired licenses" or "Effect of repealed laws".
 */
export const saysGone = (heading: string): boolean =>
  editorial.test(heading) || sentence.test(heading) || before.test(heading) || only.test(heading)

/** Words that say it only if there are no others: "Contracts; void." is law. */
const only =
  /^\W*(?:terminated|relocated|abolished|consolidated|merged|lapsed|void|blank|unassigned|(?:held )?unconstitutional|not used|not in effect|never effective|failed to take effect)\W*$/i

/** "REPEALED Retirement Board" is about a section; "Repealed laws" are its subject. */
const before = /^\W*(?:[Rr]epealed|REPEALED)\b(?!\s+\p{Ll})/u
const words =
  "(?:repealed|reserved|expired|omitted|renumbered|redesignated|recodified|transferred|vacant|removed|rescinded|superseded|deleted|recompiled|obsolete|executed)"
const editorial = new RegExp(`\\[\\s*${words}\\b`, "i")
const sentence = new RegExp(
  `(?:^|[.;:—–)\\]]\\s*|\\(\\s*|\\s-\\s)${words}(?=\\s*(?:$|[.,;:()[\\]—–§\\d-])|\\s+(?:by|as|at|to|from|in|on|under|effective)\\b)`,
  "i"
)

/** Whether a text is only the notice that the section is no longer law: "[Repealed by Acts 1990, c. 1.]". */
export const saysOnlyGone = (text: string): boolean => text.length < 300 && notice.test(text)

const notice = new RegExp(
  `^[[(]?${words}(?:[.,;:)\\]]|\\s+§|\\s+(?:by|as|to|effective|(?:19|20)\\d\\d|p\\.?l|acts?)\\b)`,
  "i"
)

/** When a text is law. */
export interface Term {
  /** The first day, ISO. */
  readonly from?: string
  /** The first day on which it is not law any more, ISO. */
  readonly until?: string
  /** An event that may not have come begins or ends the text, whatever the day. */
  readonly event?: "begins" | "ends"
}

/** "[Effective until December 1, 2022.]", "(Effective July 1, 2020 through June 30, 2022)", "[Contingent amendment; see note.]". */
export const termOf = (heading: string): Term => {
  for (const [, bracketed, last] of heading.matchAll(notes)) {
    // What follows the first sentence is about the other text.
    const [note = ""] = (bracketed ?? last ?? "").split(/[.;]\s+(?=see\b|[A-Z])/)
    if (!dated.test(note)) continue
    const [, ending = "", to = ""] = ends.exec(note) ?? []
    const [, start = ""] = begins.exec(note) ?? []
    const [from, end] = [englishDay(start), englishDay(to)]
    const until = end === undefined || !/through/i.test(ending) ? end : dayAfter(end)
    if (from !== undefined && until === undefined && onlyIf.test(note)) return { from, event: "begins" }
    if (from !== undefined || until !== undefined)
      return { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) }
    return { event: /\b(?:until|expir\w+|repeal\w*|terminat\w+)\b/i.test(note) ? "ends" : "begins" }
  }
  return {}
}

/** In brackets, or the last sentence. */
const notes = /[[(]([^\][()]{5,300})(?:[\])]|$)|[.—–]\s*((?:Effective|Contingent)\s[^.\][()]{3,80})\.?$/g
const onlyIf = /\b(?:if|unless|upon|provided|contingen\w+)\b/i
const dated =
  /^\W*(?:(?:see\s+)?(?:postponed\s+effective|contingen\w+)\b|(?:for\s+)?(?:delayed\s+|contingent\s+)?(?:effective|expir\w+|terminat\w+)\b|contingent\b|contingency\b|repealed,?\s+effective\b|until\b|(?:this|text|version)\b.{0,40}\beffective\b)/i
const day = String.raw`([A-Z][A-Za-z]{2,8}\.?\s\d{1,2},?\s\d{4}|\d{1,2}/\d{1,2}/\d{4}|\d{1,2}\s[A-Z][a-z]{2,8}\s\d{4})`
const ends = new RegExp(
  String.raw`\b([Uu]ntil|UNTIL|[Tt]hrough|THROUGH|to|[Ee]xpires?(?:\son)?|[Tt]erminates?(?:\son)?|[Rr]epealed,?\s+effective)\s+${day}`
)
const begins = new RegExp(
  String.raw`\b(?<![Rr]epealed,?\s+)(?:[Ee]ffective|EFFECTIVE)\s+(?:on\s+|from\s+|beginning\s+)?${day}`
)

const dayAfter = (iso: string): string => new Date(Date.parse(iso) + 86_400_000).toISOString().slice(0, 10)
