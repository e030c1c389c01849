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

/**
 * `key`: what texts of one section share; `said`: what the text says; `release`: the day or the month of it, ISO; undefined: not
 * known. Where neither a day nor an event tells two texts apart, the first one has the identity of the section. A text that
 * comes twice is one text.
 */
export const standings = (
  texts: ReadonlyArray<{ readonly key: string; readonly said: string; readonly term: Term }>,
  release: string | undefined
): ReadonlyArray<Standing> => {
  const groups = Map.groupBy(texts, ({ key }) => key)
  const taken = new Set<string>()
  const known = new Map<string, Standing>()
  return texts.map(({ key, said, term }): Standing => {
    const group = groups.get(key) ?? []
    const isTwin = new Set(group.map((one) => one.said)).size > 1
    const { event, from, until } = term
    const own = `${key}\n${said}\n${JSON.stringify(term)}`
    const before = known.get(own)
    if (before !== undefined) return before
    const isPast = until !== undefined && release !== undefined && !isAfter(until, release)
    const isLater = from !== undefined && (release === undefined ? isTwin : isAfter(from, release))
    const isAhead = isLater || (event === "begins" && isTwin)
    const days = [from === undefined ? "" : `from ${from}`, until === undefined ? "" : `until ${until}`]
    const span = days.filter((one) => one !== "").join(" ") || (event === undefined ? "" : "contingent")
    const isLaw = !isPast && !isAhead && !(isTwin && taken.has(key))
    const variant = isLaw || !isTwin ? "" : freeOf(taken, key, span === "" ? "other" : span)
    taken.add(`${key}${variant}`)
    const standing = {
      variant,
      isLaw,
      version: isTwin ? [span, "another text exists"].filter((one) => one !== "").join(", ") : ""
    }
    known.set(own, standing)
    return standing
  })
}

/** "(other)", and "(other 2)" if a third text is like it. */
const freeOf = (taken: ReadonlySet<string>, key: string, name: string): string => {
  for (let count = 1; ; count++) {
    const variant = count === 1 ? `(${name})` : `(${name} ${count})`
    if (!taken.has(`${key}${variant}`)) return variant
  }
}

/** A release of which only the month is known holds what begins in it. */
const isAfter = (day: string, release: string): boolean => day.slice(0, release.length) > release
