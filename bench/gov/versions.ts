/**
 * (d) Sections that the corpus has in several versions: the one that is named is wanted first.
 *
 * A version is named by its stage ("enrolled"), by its kind ("temporary"), by the publisher's word for it, or by a day on which
 * it was the newest. Asked by citation, and by heading with the name of its document. Where nothing is named, one that is in
 * force goes before those that are not, and the newest of them is wanted.
 */
import type { Engine } from "./Engine.ts"
import { type Placed, sampled, type Texts } from "./Texts.ts"
import * as Trial from "./Trial.ts"

export const versions = async (
  texts: Texts,
  engines: ReadonlyArray<Engine>,
  { most, seed }: { readonly most: number; readonly seed: number }
): Promise<ReadonlyArray<Trial.Row>> => {
  const several = [...Map.groupBy(texts.sections, ({ section }) => section.identity).values()].filter(
    (all) => all.length > 1
  )
  const named = several.flatMap((all) => all.flatMap((one) => namesOf(one, all).map((name) => ({ ...name, one }))))
  const rows: Array<Trial.Row> = []
  for (const [kind, ones] of Map.groupBy(named, (each) => each.kind)) {
    const chosen = sampled(ones, most, seed, kind)
    const target = { figure: "first", least: 0.9 } as const
    const trials = (
      asked: ReadonlyArray<Named & { readonly one: Placed }>,
      query: (one: Placed, words: string) => string
    ) =>
      asked.map(
        ({ one, words }): Trial.Trial => ({
          query: query(one, words),
          isRight: (url) => url === one.section.url,
          wanted: `${one.section.url} (${one.section.version} ${one.section.versionDate ?? ""})`
        })
      )
    const byCitation = trials(chosen, ({ section }, words) => `${section.citation} ${words}`)
    const withHeading = chosen.filter(({ one }) => one.section.heading !== "")
    const byHeading = trials(
      withHeading,
      ({ document, section }, words) => `${section.heading}, ${document.title}, ${words}`
    )
    rows.push(await Trial.row(`(d) ${kind}, by citation`, byCitation, engines, target))
    rows.push(await Trial.row(`(d) ${kind}, by heading and document`, byHeading, engines))
  }
  const newest = sampled(several, most, seed, "newest").flatMap((all): ReadonlyArray<Trial.Trial> => {
    const wanted = newestOf(all)
    return wanted === undefined
      ? []
      : [{ query: wanted.section.citation, isRight: (url) => url === wanted.section.url, wanted: wanted.section.url }]
  })
  rows.push(
    await Trial.row("(d) no version named: in force, the newest", newest, engines, { figure: "first", least: 0.9 })
  )
  return rows
}

interface Named {
  readonly kind: string
  readonly words: string
}

const namesOf = (one: Placed, all: ReadonlyArray<Placed>): ReadonlyArray<Named> => {
  const { section } = one
  const others = all.filter((other) => other !== one)
  const isOwn = section.version !== "" && others.every((other) => other.section.version !== section.version)
  const names: Array<Named> = []
  if (section.status === "bill" && isOwn) names.push({ kind: "stage of a bill", words: section.version.toLowerCase() })
  else if (isOwn && /^[a-z]+$/.test(section.version)) names.push({ kind: "kind of law", words: section.version })
  else if (isOwn) names.push({ kind: "publisher's version", words: section.version })
  const day = dayWhenNewest(one, all)
  if (day !== undefined) {
    names.push({ kind: "as of 2012-06-01", words: `as of ${day}` })
    names.push({ kind: "in effect on June 1, 2012", words: `as in effect on ${inWords(day)}` })
  }
  return names
}

const dateOf = ({ section }: Placed): string | undefined => section.effective ?? section.versionDate

/** A day behind its own date and before the next version's; undefined where dates do not tell versions apart. */
const dayWhenNewest = (one: Placed, all: ReadonlyArray<Placed>): string | undefined => {
  const own = dateOf(one)
  if (own === undefined || all.some((other) => dateOf(other) === undefined)) return undefined
  const dates = all.flatMap((other) => dateOf(other) ?? [])
  if (new Set(dates).size < all.length) return undefined
  const next = dates.filter((date) => date > own).toSorted()[0]
  const day = new Date(
    Date.parse(own) + (next === undefined ? 90 : Math.max(1, daysBetween(own, next) / 2)) * dayMillis
  )
  return day.toISOString().slice(0, 10)
}

const dayMillis = 86_400_000
const daysBetween = (one: string, other: string): number => (Date.parse(other) - Date.parse(one)) / dayMillis

const inWords = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" })

/** Undefined: nothing tells which it is. */
const newestOf = (all: ReadonlyArray<Placed>): Placed | undefined => {
  const inForce = all.filter(({ section }) => section.status === "in force")
  const among = inForce.length > 0 ? inForce : all
  if (among.length === 1) return among[0]
  if (among.some((one) => dateOf(one) === undefined)) return undefined
  const [first, second] = among.toSorted((a, b) => ((dateOf(a) ?? "") > (dateOf(b) ?? "") ? -1 : 1))
  return first !== undefined && second !== undefined && dateOf(first) === dateOf(second) ? undefined : first
}
