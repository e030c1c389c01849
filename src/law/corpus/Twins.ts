/**
 * Several texts of one section in one release: one until a day and one from that day on, or one that an event begins.
 *
 * The text that is law by its release has the identity of the section. The others have variants of it, and are not law yet or any
 * more. The clock has no part in it: the same file says the same.
 */
import type { Term } from "./Heading.ts"

export interface Standing {
  /** Behind the identity: "(from 2022-12-01)"; "" for the text that is law. */
  readonly variant: string
  readonly isLaw: boolean
  /** Behind the version: "from 2022-12-01, another text exists"; "" if the section has one text. */
  readonly version: string
}

/** Of a section that has one text. */
export const alone: Standing = { variant: "", isLaw: true, version: "" }

/** `release`: the day or the month of it, ISO; undefined: not known. */
export const standings = (
  texts: ReadonlyArray<{ readonly number: string; readonly term: Term }>,
  release: string | undefined
): ReadonlyArray<Standing> => {
  const groups = Map.groupBy(texts, ({ number }) => number)
  const taken = new Set<string>()
  return texts.map(({ number, term }): Standing => {
    const group = groups.get(number) ?? []
    const isTwin = group.length > 1 && group.some((one) => Object.keys(one.term).length > 0)
    const { event, from, until } = term
    const isPast = until !== undefined && release !== undefined && !isAfter(until, release)
    const isAhead =
      from === undefined ? event === "begins" && isTwin : release === undefined ? isTwin : isAfter(from, release)
    const days = [from === undefined ? "" : `from ${from}`, until === undefined ? "" : `until ${until}`]
    const span = days.filter((one) => one !== "").join(" ") || (event === undefined ? "" : "contingent")
    const isLaw = !isPast && !isAhead && !(isTwin && taken.has(number))
    const variant = isLaw || !isTwin ? "" : `(${span === "" ? "other" : span})`
    taken.add(isLaw ? number : `${number}${variant}`)
    return {
      variant,
      isLaw,
      version: isTwin ? [span, "another text exists"].filter((one) => one !== "").join(", ") : ""
    }
  })
}

/** A release of which only the month is known holds what begins in it. */
const isAfter = (day: string, release: string): boolean => day.slice(0, release.length) > release
