/**
 * The numbers at the start of a heading: one, as in "§ 2451. Purpose", a list, as in "9-5-12, 9-5-13. Repealed.", or a range, as
 * in "Secs. 02.10.060 — 02.10.090. Penalties". The first one names the section; the others find it too.
 */

interface SectionNumbers {
  readonly number: string
  /** The other numbers of a list, and those of a range up to its end. */
  readonly others: ReadonlyArray<string>
  readonly heading: string
}

/**
 * Undefined: the text does not begin with a section number. A number without "§" or "Section" before it must have several
 * parts, such as 6.08.010 or 1-2-3. Letters belong to the number, as in 2470aa.
 */
export const sectionNumbers = (text: string): SectionNumbers | undefined => {
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
const join = /^\s*(?:[,;]\s*(?:and\b|&)?|and\b|&|to\b|through\b|[—–-])\s*(?:§+\s*)?/i

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
const signed = (text: string): SectionNumbers | undefined => {
  const [, number = "", heading = ""] =
    /^§[§\s]*(?![§\s])([^\s.,:;\d]*\d[^\s,;]*?)[.,:;]?(?:\s+[—–:-]?\s*(.*))?$/.exec(text) ?? []
  return number === "" ? undefined : { number, others: [], heading }
}
