/**
 * What a source reports beside its rows: counts, why rows could not be read, and warnings.
 *
 * Warnings that differ only in a URL or a number are of one kind: a site with a thousand pages that are empty without a
 * browser has one kind of warning, a thousand times.
 */
import type { Progress, UnknownKeys, Warning } from "../SourceElement.ts"
import type * as Wholeness from "./Wholeness.ts"

export interface Remarks {
  /** The last counts of the source. */
  readonly facts: Readonly<Record<string, number>>
  /** The parts that the source could not read, in its words. */
  readonly unread: string | undefined
  /** Why rows could not be read. */
  readonly causes: ReadonlyMap<string, Wholeness.Cause>
  /** The kinds of warnings, the most frequent first. */
  readonly warnings: () => ReadonlyArray<WarningKind>
  readonly take: (element: Progress | UnknownKeys | Warning) => void
}

/** A kind of warnings, and how many there were. */
export interface WarningKind {
  /** The message of the first warning. */
  readonly message: string
  /** How many things the warnings are about. */
  readonly count: number
  /** What the first one is about, such as the URL of a page; undefined: the reading as a whole. */
  readonly first?: string
}

/** This many kinds are counted separately; all later kinds are counted together. */
const maxKinds = 100
const others = "warnings of more kinds than a run shows; the tables have all of them"

export const empty = (): Remarks => {
  let facts: Readonly<Record<string, number>> = {}
  let unread: string | undefined
  const causes = new Map<string, Wholeness.Cause>()
  const kinds = new Map<string, WarningKind>()

  const warn = ({ about, message }: Warning) => {
    const [kind, text] =
      kinds.has(kindOf(message)) || kinds.size < maxKinds ? [kindOf(message), message] : [others, others]
    const [first] = about
    const warning = kinds.get(kind) ?? { message: text, count: 0, ...(first === undefined ? {} : { first }) }
    kinds.set(kind, { ...warning, count: warning.count + Math.max(1, about.length) })
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
