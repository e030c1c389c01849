/**
 * What has happened to the site up to a revision: which prices changed, what came, what went, what was reworded.
 *
 * Revision N is revision N - 1 and a few known events more. Revision 1 is the beginning.
 */
import * as Dice from "./Dice.ts"
import * as Draft from "./Draft.ts"
import type { Edition } from "./Html.ts"

export interface History extends Edition {
  /** The day on which this revision came out. */
  readonly today: string
  /** How often a thing's price, text or so has changed. 0: never. */
  readonly times: (event: Event, index: number) => number
  /** The day of the last revision in which this happened to it, or of the first. */
  readonly lastDay: (thing: Thing, index: number) => string
  /** The latest of the last days of so many things in a row. */
  readonly lastDayOf: (thing: Thing, first: number, count: number) => string
  /** The dice of a thing. */
  readonly dice: (...keys: ReadonlyArray<string | number>) => Dice.Dice
}

type Thing = (typeof events)[number]["thing"]
type Event = (typeof events)[number]["event"]

/** What happens in every revision from the second on: to which things, to how many of them, and how many may go in all. */
const events = [
  { event: "product repriced", thing: "product", of: 120, each: 3 },
  { event: "product sold out or back", thing: "product", of: 120, each: 1 },
  { event: "product removed", thing: "product", of: 120, each: 1, most: 60 },
  { event: "docs page reworded", thing: "docs", of: 30, each: 2 },
  { event: "section amended", thing: "section", of: 30, each: 1 },
  { event: "section unlinked", thing: "section", of: 30, each: 1, most: 8 },
  { event: "job closed", thing: "job", of: 30, each: 1, most: 15 },
  { event: "post corrected", thing: "post", of: 50, each: 1 }
] as const

export const make = ({ revision, seed }: Edition): History => {
  const counts = new Map<string, number>()
  const lasts = new Map<string, number>()
  for (let r = 2; r <= revision; r++) {
    for (const kind of events) {
      const { each, event, of, thing } = kind
      const once = "most" in kind
      const indices = Array.from({ length: of }, (_, index) => index)
      const open = once ? indices.filter((index) => !counts.has(`${event} ${index}`)) : indices
      if (once && of - open.length >= kind.most) continue
      for (const index of Dice.make(seed, "revision", r, event).sample(open, each)) {
        counts.set(`${event} ${index}`, (counts.get(`${event} ${index}`) ?? 0) + 1)
        lasts.set(`${thing} ${index}`, r)
      }
    }
  }
  const lastDay = (thing: Thing, index: number) => Draft.dayOfRevision(lasts.get(`${thing} ${index}`) ?? 1)
  return {
    seed,
    revision,
    today: Draft.dayOfRevision(revision),
    times: (event, index) => counts.get(`${event} ${index}`) ?? 0,
    lastDay,
    lastDayOf: (thing, first, count) =>
      Draft.latest(Array.from({ length: count }, (_, i) => lastDay(thing, first + i))),
    dice: (...keys) => Dice.make(seed, ...keys)
  }
}
