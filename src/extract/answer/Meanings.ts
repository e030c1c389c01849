/**
 * The meanings of a passage: the concepts of its words for sums and durations, and the days of the week whose opening hours it
 * states. "Mon–Fri: 9–18" states those of five days.
 */
import { byPhrase, type Concept, type ConceptKind, generic, weekdays } from "../match/Concepts.ts"
import { withoutMarks } from "../match/withoutMarks.ts"
import { areHours, daysIn } from "../value/WeekHours.ts"

export interface Meanings {
  readonly concepts: ReadonlySet<string>
  /** Monday is 0. */
  readonly days: ReadonlySet<number>
  /** The hours; undefined: the passage does not state the hours of days. */
  readonly hours: string | undefined
}

export const of = (text: string, language: string | undefined): Meanings => {
  const [, label = "", hours = ""] = text.length > maxLine ? [] : (dayLine.exec(text) ?? [])
  const days = areHours(hours.trim()) ? daysIn(label, language) : []
  if (days.length > 0) return { concepts: ofHours, days: new Set(days), hours }
  const concepts = new Set<string>()
  for (const word of withoutMarks(text.slice(0, maxText))
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []) {
    const concept = byPhrase.get(word) ?? byPhrase.get(word.replace(/s$/, ""))
    if (concept !== undefined && kinds.has(concept.kind) && !generic.has(concept.id)) concepts.add(concept.id)
  }
  return { concepts, days: none, hours: undefined }
}

/** The day of the week that a word of a question means; undefined: it means no day. */
export const dayOf = (concept: Concept | undefined): number | undefined => {
  const day = concept === undefined ? -1 : days.indexOf(concept.id)
  return day === -1 ? undefined : day
}

const days = [...weekdays]
const maxLine = 100
const maxText = 700
const dayLine = /^([^:：]{2,40})[:：]\s*(.+)$/s
const none: ReadonlySet<number> = new Set()
const ofHours: ReadonlySet<string> = new Set(["opens", "closes", "time"])
/** Words of other kinds have too many meanings. */
const kinds: ReadonlySet<ConceptKind> = new Set(["money", "duration"])
