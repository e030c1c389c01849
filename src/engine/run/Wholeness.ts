/**
 * Whether a run was complete: what it read, compared with what the source discovered and what the last successful run had.
 *
 * Guarantee: if more than the allowed share is missing, the run is held. If less is missing because something could not be
 * read, the run is partial, and a partial run removes nothing in any destination. What a limit left unread is not missing. A
 * run that left pages because their host was too slow is partial. Pages that robots.txt forbids are not missing either,
 * unless it forbids more than in the last run. A run that came to read only random words is held.
 */
import * as Check from "../Check.ts"
import { fractionOf } from "../KeySchemas.ts"
import type * as LastRun from "../output/LastRun.ts"
import type * as Sink from "../Sink.ts"

/** The rows of the main table as the source gave them, by their presence, and those that it did not give. */
export interface Counts {
  readonly seen: number
  readonly gone: number
  readonly failed: number
  /** Rows of what is there and was not read: nothing is missing, but the run is partial. */
  readonly unread?: number
  /** Rows that do not fit the table; the things that they are about exist. */
  readonly rejected: number
  /** Rows that the source reports as unchanged. */
  readonly revalidated?: number
}

/** How many rows could not be read for one reason, and the key of the first. */
export interface Cause {
  readonly count: number
  readonly first: string
}

export interface Wholeness {
  readonly expected: number
  readonly present: number
  readonly missing: number
  /** Whether too much is missing, so that the run is held. */
  readonly isLacking: boolean
  /** Whether something could not be read, so that nobody knows which stored rows are gone. */
  readonly isPartial: boolean
  /** Why rows are missing: "39 HTTP 503, first https://..."; empty: not known. */
  readonly why: string
  /** `unread_parts` and `unread_names` of the last run, if this run could not read other parts; otherwise empty. */
  readonly unreadBefore: Readonly<Record<string, number>>
  /** The result as a check; undefined: the pipeline has no such check and not too much is missing. */
  readonly check: Sink.CheckRecord | undefined
}

/** What a run is judged by. */
interface Reading {
  readonly facts: Readonly<Record<string, number>>
  readonly counts: Counts
  readonly causes: ReadonlyMap<string, Cause>
  /** The parts that the source could not read, in its words. */
  readonly unread?: string | undefined
  readonly last: LastRun.LastRun | undefined
  readonly checks: ReadonlyArray<Check.Check>
  /** The main table, and whether a sink replaces it although it has no key. */
  readonly table: string
  readonly isKeyless: boolean
}

/** Judges a run; undefined: its source does not report how much it has discovered. */
export const judge = (reading: Reading): Wholeness | undefined => {
  const { discovered, doubtful, read } = reading.facts
  if (discovered === undefined) return undefined
  const last = reading.last?.isSame === true ? reading.last : undefined
  const amounts = amountsOf(reading, discovered, last)
  const { expected, missing, newlyBlocked, present, unread } = amounts
  const { isNewlyUnread, unreadBefore } = unreadPartsOf(reading.facts, last)
  const isUnread = unread > 0 || (reading.counts.unread ?? 0) > 0 || newlyBlocked > 0 || isNewlyUnread
  // A source that remembers its keys reports itself whether something may be hidden.
  const isPartial = doubtful === undefined ? isUnread : doubtful > 0

  const wanted = reading.checks.find(({ whole }) => whole !== undefined)?.whole
  // If `read` is reported, the user named what is discovered, so no share of it is expected by default.
  const share = wanted ?? (read === undefined ? "10%" : "off")
  const lacksRows = share !== "off" && missing > expected * fractionOf(share)
  const isRandomWords = (reading.facts["random_words"] ?? 0) > 0
  const isLacking = lacksRows || (share !== "off" && (isRandomWords || (isPartial && reading.isKeyless)))
  const why = whyOf(reading, amounts, last)
  const made = { expected, present, missing, isLacking, isPartial, why, unreadBefore }
  if (wanted === undefined && !isLacking) return { ...made, check: undefined }
  const said =
    isRandomWords && isLacking && !lacksRows
      ? { check: "whole: pages that are not random words", found: randomWordsFound(made) }
      : { check: Check.inWords({ whole: share }), found: foundOf(made, lacksRows, reading.table) }
  return { ...made, check: { ...said, table: reading.table, passed: !isLacking } }
}

/** How many rows a run should have, how many it has, and why the others are missing. */
const amountsOf = ({ counts, facts }: Reading, discovered: number, last: LastRun.LastRun | undefined) => {
  const { blocked = 0, failed = 0, left = 0, read, skipped = 0, too_slow: tooSlow = 0 } = facts
  const { gone, rejected, revalidated = 0, seen, unread = 0 } = counts
  const newlyBlocked = last === undefined ? 0 : Math.max(0, blocked - (last.facts["blocked"] ?? 0))
  const present = read === undefined ? seen + gone + rejected + revalidated + unread : read + (facts["gone"] ?? 0)
  const wasThere = last === undefined || left > 0 || read !== undefined ? 0 : expectedOf(last)
  const expected = Math.max(discovered - skipped - left - blocked + newlyBlocked, wasThere, present)
  const missing = expected - present
  return { expected, present, missing, newlyBlocked, wasThere, unread: failed - skipped + counts.failed + tooSlow }
}

/** Whether this run could not read other parts than the last one, and then the older facts. */
const unreadPartsOf = (facts: Reading["facts"], last: LastRun.LastRun | undefined) => {
  const { unread_parts: parts = 0, unread_names: names = 0 } = facts
  const { unread_parts: partsBefore = 0, unread_names: namesBefore = 0 } = last?.facts ?? {}
  const isNewlyUnread = parts > partsBefore || (parts > 0 && parts === partsBefore && names !== namesBefore)
  // The older facts are kept, so that later runs stay partial as long as the same parts cannot be read.
  const unreadBefore: Wholeness["unreadBefore"] =
    isNewlyUnread && last !== undefined ? { unread_parts: partsBefore, unread_names: namesBefore } : {}
  return { isNewlyUnread, unreadBefore }
}

const whyOf = (
  { causes, facts, unread: unreadParts }: Reading,
  { expected, missing, newlyBlocked, unread, wasThere }: ReturnType<typeof amountsOf>,
  last: LastRun.LastRun | undefined
): string => {
  const lost = missing - unread - newlyBlocked
  return [
    ...[...causes]
      .filter(([cause]) => cause !== robotsBlocked || newlyBlocked > 0)
      .map(
        ([cause, { count, first }]) =>
          `${shown(count)} ${cause === robotsBlocked ? "blocked by robots.txt" : cause}, first ${first}`
      ),
    ...((facts["unread_parts"] ?? 0) > 0 ? [unreadParts ?? "a sitemap could not be read"] : []),
    ...(lost > 0 && wasThere === expected ? [`${shown(lost)} that run ${last?.runId} had were not reached`] : [])
  ].join("; ")
}

/** What the check says. `lacksRows`: too many rows are missing; a run that is held without that replaces a table without a key. */
const foundOf = (
  { expected, isLacking, missing, present, why }: Omit<Wholeness, "check">,
  lacksRows: boolean,
  table: string
): string => {
  const sum = `${shown(present)} of ${shown(expected)} were read`
  const lacks = missing === 0 ? "" : `, ${shown(missing)} (${percent(missing / expected)}) are missing`
  const because = why === "" ? "" : `: ${why}`
  const advice = lacksRows
    ? `; a commit loads what was read and removes nothing; checks: [{ whole: ${enough(missing / expected)} }] allows this much to be missing`
    : isLacking
      ? `; table ${table} has no key, so what was not read cannot be kept while the rest is replaced: give it a key, or allow the replacement with checks: [{ whole: off }]`
      : ""
  return `${sum}${lacks}${because}${advice}`
}

const randomWordsFound = ({ present }: Omit<Wholeness, "check">): string =>
  `the last of ${shown(present)} that were read are random words that lead only to more of the same; leave them out with ` +
  "excludePaths, or load them all the same with millrace commit, or from now on with checks: [{ whole: off }]"

/** The wholeness of a committed run, from its facts: whether it was partial and how much was missing, but not why. */
export const ofFacts = (facts: Readonly<Record<string, number>>): Wholeness | undefined => {
  const { gone = 0, loaded = 0, missing_rows: missing = 0, partial, rejected = 0, revalidated = 0 } = facts
  if (partial === undefined) return undefined
  const present = (facts["read"] ?? loaded + rejected + revalidated) + gone
  const amounts = { expected: present + missing, present, missing }
  return { ...amounts, isLacking: false, isPartial: true, why: "", unreadBefore: {}, check: undefined }
}

/**
 * How many rows a run should have: after a partial run, the missing rows are still expected. Runs of older versions have no
 * fact `expected`, so what they loaded is used.
 */
const expectedOf = ({ facts }: LastRun.LastRun): number =>
  facts["expected"] ?? (facts["loaded"] ?? 0) + (facts["gone"] ?? 0) + (facts["rejected"] ?? 0)

/** The cause of pages that are not missing if they were blocked in the last run too. */
const robotsBlocked = "ROBOTS_BLOCKED"

const shown = (n: number): string => n.toLocaleString("en-US")
const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`
/** The share, rounded up to the next 5%, and at least 10%. */
const enough = (share: number): string => `${Math.min(100, Math.max(10, Math.ceil(share * 20) * 5))}%`
