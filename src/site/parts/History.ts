/** What has happened to the site up to a revision: which prices changed, what came, what went, what was reworded. */
import * as Dice from "../Dice.ts"
import * as Draft from "./Draft.ts"
import type { Edition } from "./Html.ts"

export type History = ReturnType<typeof make>

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

export const make = ({ revision, seed }: Edition) => {
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
  /** The day of the last revision in which something happened to one of so many things in a row, or of the first. */
  const lastDay = (thing: Thing, first: number, count = 1): string =>
    Draft.dayOfRevision(Math.max(...Array.from({ length: count }, (_, i) => lasts.get(`${thing} ${first + i}`) ?? 1)))
  return {
    revision,
    /** The day on which this revision came out. */
    today: Draft.dayOfRevision(revision),
    /** How often a thing's price, text or so has changed. 0: never. */
    times: (event: Event, index: number) => counts.get(`${event} ${index}`) ?? 0,
    lastDay,
    /** The dice of a thing. */
    dice: (...keys: ReadonlyArray<string | number>) => Dice.make(seed, ...keys)
  }
}
