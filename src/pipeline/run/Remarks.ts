/**
 * What a source says beside its rows: what it has counted, why keys could not be learned, and what it warns of.
 *
 * Warnings that differ in an address or a number are of one kind: a site whose thousand pages are empty shells has one
 * warning, a thousand times.
 */
import type { Progress, UnknownKeys, Warning } from "../SourceElement.ts"
import type * as Wholeness from "./Wholeness.ts"

export interface Remarks {
  /** What the source counted last. */
  readonly facts: Readonly<Record<string, number>>
  /** What the source could not look into, in its words. */
  readonly unread: string | undefined
  /** Why keys could not be learned. */
  readonly causes: ReadonlyMap<string, Wholeness.Cause>
  /** What it warns of, the most frequent first. */
  readonly warnings: () => ReadonlyArray<Said>
  readonly take: (element: Progress | UnknownKeys | Warning) => void
}

/** A kind of warnings. */
export interface Said {
  /** The first of them. */
  readonly message: string
  readonly count: number
  /** What the first one is about, such as the URL of a page; undefined: the reading as a whole. */
  readonly first?: string
}

/** Kinds that are counted each for itself; those that come later are counted together. */
const maxKinds = 100
const others = "warnings of more kinds than a run shows; the tables have all of them"

export const make = (): Remarks => {
  let facts: Readonly<Record<string, number>> = {}
  let unread: string | undefined
  const causes = new Map<string, Wholeness.Cause>()
  const kinds = new Map<string, Said>()

  const warn = ({ about, message }: Warning) => {
    const [kind, text] =
      kinds.has(kindOf(message)) || kinds.size < maxKinds ? [kindOf(message), message] : [others, others]
    const [first] = about
    const said = kinds.get(kind) ?? { message: text, count: 0, ...(first === undefined ? {} : { first }) }
    kinds.set(kind, { ...said, count: said.count + Math.max(1, about.length) })
  }
  const blame = ({ keys, why }: UnknownKeys) => {
    const [key] = keys
    if (why === undefined || key === undefined) return
    const { count, first } = causes.get(why) ?? { count: 0, first: Object.values(key).join(", ") }
    causes.set(why, { count: count + keys.length, first })
  }
  return {
    get facts() {
      return facts
    },
    get unread() {
      return unread
    },
    causes,
    warnings: () => [...kinds.values()].sort((a, b) => b.count - a.count),
    take: (element) => {
      switch (element._tag) {
        case "Progress":
          facts = { ...facts, ...element.facts }
          unread = element.unread ?? unread
          break
        case "UnknownKeys":
          blame(element)
          break
        case "Warning":
          warn(element)
      }
    }
  }
}

const kindOf = (message: string): string => message.replaceAll(/https?:\/\/[^\s;,]+|\d+(?:[.,]\d+)*/g, "*")
