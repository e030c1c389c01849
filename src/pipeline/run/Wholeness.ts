/**
 * Whether a run was complete: what was read, compared with what the source discovered and what the last successful run
 * had.
 *
 * The law: if more than a share is missing, the run is held; below that, a run that could not read something is partial,
 * and a partial run removes nothing anywhere. A limit that was reached does not count as missing. Pages that robots.txt
 * forbids do not count either, unless it forbids more than before.
 */
import type * as Check from "../Check.ts"
import { fractionOf } from "../KeySchemas.ts"
import type * as Sink from "../Sink.ts"
import type * as LastRun from "./LastRun.ts"

/** What the rows of the main table say of what they are rows of, as the source gave them. */
export interface Counts {
  readonly seen: number
  readonly gone: number
  readonly failed: number
  /** Those that do not fit: they are there all the same. */
  readonly rejected: number
  /** Those that are as they were, and are not read again. */
  readonly revalidated?: number
}

/** What kept keys from being learned: how many, and one of them. */
export interface Cause {
  readonly count: number
  readonly first: string
}

export interface Wholeness {
  readonly expected: number
  readonly present: number
  readonly missing: number
  /** Whether more is missing than may be. */
  readonly isLacking: boolean
  /** Whether something could not be read: then nobody knows what is gone. */
  readonly isPartial: boolean
  /** Why, in words: "39 HTTP 503, first https://..."; empty where nothing is known. */
  readonly why: string
  /** What the last run could not look into either, as facts: what hides nothing that was there. */
  readonly unreadBefore: Readonly<Record<string, number>>
  /** What is reported of it as a check; undefined: the user did not ask and nothing is wrong. */
  readonly check: Sink.CheckRecord | undefined
}

/** None where the source does not say how much there is. */
export const judge = (reading: {
  readonly facts: Readonly<Record<string, number>>
  readonly counts: Counts
  readonly causes: ReadonlyMap<string, Cause>
  /** What the source could not look into, in its words. */
  readonly unread?: string | undefined
  readonly last: LastRun.LastRun | undefined
  readonly checks: ReadonlyArray<Check.Check>
  /** The main table, and whether a sink that replaces it cannot tell its rows apart. */
  readonly table: string
  readonly isKeyless: boolean
}): Wholeness | undefined => {
  const {
    blocked = 0,
    discovered,
    doubtful,
    failed = 0,
    left = 0,
    read,
    skipped = 0,
    unread_parts: parts = 0,
    unread_names: names = 0
  } = reading.facts
  if (discovered === undefined) return undefined
  const last = reading.last?.isSame === true ? reading.last : undefined
  const newlyBlocked = last === undefined ? 0 : Math.max(0, blocked - (last.facts["blocked"] ?? 0))
  const present =
    read ?? reading.counts.seen + reading.counts.gone + reading.counts.rejected + (reading.counts.revalidated ?? 0)
  const wasThere = last === undefined || left > 0 || read !== undefined ? 0 : expectedOf(last)
  const expected = Math.max(discovered - skipped - left - blocked + newlyBlocked, wasThere, present)
  const missing = expected - present
  const unread = failed - skipped + reading.counts.failed
  const { unread_parts: partsBefore = 0, unread_names: namesBefore = 0 } = last?.facts ?? {}
  const isNewlyUnread = parts > partsBefore || (parts > 0 && parts === partsBefore && names !== namesBefore)
  // As long as it hides rows they are kept, however many runs that takes.
  const unreadBefore =
    isNewlyUnread && last !== undefined ? { unread_parts: partsBefore, unread_names: namesBefore } : {}
  const isUnread = unread > 0 || newlyBlocked > 0 || isNewlyUnread
  // A source that remembers its keys knows better what may be hidden.
  const isPartial = doubtful === undefined ? isUnread : doubtful > 0

  const asked = reading.checks.find(({ whole }) => whole !== undefined)?.whole
  // What is discovered by jobs is what the user named: the sum tells of it, and nothing else is expected.
  const share = asked ?? (read === undefined ? "10%" : "off")
  const isLacking = share !== "off" && missing > expected * fractionOf(share)
  const cannotKeep = share !== "off" && !isLacking && isPartial && reading.isKeyless
  const causes = [...reading.causes].filter(([why]) => why !== robotsBlocked || newlyBlocked > 0)
  const lost = missing - unread - newlyBlocked
  const why = [
    ...causes.map(
      ([cause, { count, first }]) =>
        `${shown(count)} ${cause === robotsBlocked ? "blocked by robots.txt" : cause}, first ${first}`
    ),
    ...(parts > 0 ? [reading.unread ?? "a sitemap could not be read"] : []),
    ...(lost > 0 && wasThere === expected ? [`${shown(lost)} that run ${last?.runId} had were not reached`] : [])
  ].join("; ")
  const made = { expected, present, missing, isLacking: isLacking || cannotKeep, isPartial, why, unreadBefore }
  if (asked === undefined && !made.isLacking) return { ...made, check: undefined }
  const sum = `${shown(present)} of ${shown(expected)} were read`
  const lacks = missing === 0 ? "" : `, ${shown(missing)} (${percent(missing / expected)}) are missing`
  const because = why === "" ? "" : `: ${why}`
  const advice = isLacking
    ? `; a commit loads what was read and removes nothing; checks: [{ whole: ${enough(missing / expected)} }] allows this much to be missing`
    : cannotKeep
      ? `; table ${reading.table} has no key, so what was not read cannot be kept while the rest is replaced: give it a key, or allow the replacement with checks: [{ whole: off }]`
      : ""
  return {
    ...made,
    check: {
      check: `whole: ${share}`,
      table: reading.table,
      passed: !made.isLacking,
      found: `${sum}${lacks}${because}${advice}`
    }
  }
}

/** As the facts of a run that has committed tell it: that it was partial, and how much was missing, but not why. */
export const ofFacts = (facts: Readonly<Record<string, number>>): Wholeness | undefined => {
  const { gone = 0, loaded = 0, missing_rows: missing = 0, partial, rejected = 0, revalidated = 0 } = facts
  if (partial === undefined) return undefined
  const present = facts["read"] ?? loaded + gone + rejected + revalidated
  const amounts = { expected: present + missing, present, missing }
  return { ...amounts, isLacking: false, isPartial: true, why: "", unreadBefore: {}, check: undefined }
}

/**
 * How many rows a run should reach: the next run still expects what a partial one lacked. Runs of older versions
 * recorded what they loaded.
 */
const expectedOf = ({ facts }: LastRun.LastRun): number =>
  facts["expected"] ?? (facts["loaded"] ?? 0) + (facts["gone"] ?? 0) + (facts["rejected"] ?? 0)

/** The cause that a page is not lost by, where it was blocked before too. */
const robotsBlocked = "ROBOTS_BLOCKED"

const shown = (n: number): string => n.toLocaleString("en-US")
const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`
/** A round share that is not less. */
const enough = (share: number): string => `${Math.min(100, Math.max(10, Math.ceil(share * 20) * 5))}%`
