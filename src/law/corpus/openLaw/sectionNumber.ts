/**
 * By what number a section of the Open Law Library is known in its code.
 *
 * A number that contains its place, such as 8-101.01 and 10.04.010, is complete and stays as it is written. A number
 * that begins with a point, or counts only inside its chapter, follows the numbers of its title, subtitle and chapter,
 * so that no two sections of a code have one name: ".01" of Title 21, Subtitle 03, Chapter 04 is 21.03.04.01.
 */
import { titled } from "../written.ts"
import type { Heading } from "./Index.ts"

interface SectionNumber {
  /** By which it is cited: "21.03.04.01". */
  readonly number: string
  /** What its identity and its address have behind the code: "21.03.04.01", "t5/ch2/3". */
  readonly key: string
  /** What its citation has behind the name of the code: " § 8-101.01", ", Title 5, Chapter 2, § 3". */
  readonly cited: string
}

export const sectionNumber = (written: string, trail: ReadonlyArray<Heading>): SectionNumber => {
  const levels = trail.flatMap(levelOf)
  const places = levels.filter(({ kind }) => ranks.has(kind))
  const path = pathOf(places.length === 0 ? levels : places)
  if (/^[.:–-]\s*\w/.test(written) && path !== "") return whole(`${path}${written.replace(/\s+/g, "")}`)
  if (levels.length === 0 || !/^\d+[A-Za-z]{0,3}$/.test(written)) return whole(written)
  if (places.length === 3 && /^\d{1,2}[A-Za-z]?$/.test(written)) return whole(`${path}.${written}`)
  return {
    number: written,
    key: [...levels.map(({ kind, number }) => `${letters[kind] ?? `${kind}-`}${number.toLowerCase()}`), written].join(
      "/"
    ),
    cited: `${levels.map(({ kind, number }) => `, ${titled(kind.toUpperCase())} ${number}`).join("")}, § ${written}`
  }
}

/**
 * The headings that a section stands under: those of the indexes, those of its file, and where no index says them the title
 * and the subtitle that are the folders of the file. `numbers`: of folders and file, outermost first.
 */
export const withFolders = (
  outer: ReadonlyArray<Heading>,
  inner: ReadonlyArray<Heading>,
  numbers: ReadonlyArray<string>
): ReadonlyArray<Heading> => {
  const trail = [...outer, ...inner]
  const isPlace = ({ kind }: Level): boolean => ranks.has(kind)
  const [first] = trail.flatMap(levelOf).filter(isPlace)
  const missing = ranks.get(first?.kind ?? "") ?? 0
  // The file itself is the last of the numbers, and each index around it one before.
  const at = numbers.length - 1 - outer.flatMap(levelOf).filter(isPlace).length
  if (missing === 0 || numbers[at] !== lastOf(first?.number ?? "")) return trail
  const above = numbers.slice(Math.max(0, at - missing), at)
  return [...above.map((num, index) => ({ prefix: index === 0 ? "Title" : "Subtitle", num, heading: "" })), ...trail]
}

interface Level {
  /** In small letters: "title". */
  readonly kind: string
  readonly number: string
}

/** A number may say its kind again: "Title 21". */
const levelOf = ({ num, prefix }: Heading): ReadonlyArray<Level> => {
  const kind = prefix.trim().toLowerCase()
  const again = new RegExp(`^${kind.replaceAll(/[^a-z ]/g, ".")}\\s+`, "i")
  const number = num.replace(again, "").replace(/\.$/, "").trim()
  return kind === "" || number === "" ? [] : [{ kind, number }]
}

/** How many levels stand above it where all are there. */
const ranks: ReadonlyMap<string, number> = new Map([
  ["title", 0],
  ["subtitle", 1],
  ["chapter", 2]
])

/** Numbers joined by points; one that holds those above it already is not put behind them. */
const pathOf = (levels: ReadonlyArray<Level>): string =>
  levels.reduce((path, { number }) => (path === "" || number.startsWith(`${path}.`) ? number : `${path}.${number}`), "")

const lastOf = (number: string): string => number.split(".").at(-1) ?? ""

const whole = (number: string): SectionNumber => ({ number, key: number, cited: ` § ${number}` })

const letters: Readonly<Record<string, string>> = {
  title: "t",
  subtitle: "st",
  chapter: "ch",
  part: "p",
  article: "art-",
  division: "div-"
}
