/**
 * Which lines of a text stay, go and come in the next, in time that grows with the texts and not with their differences.
 *
 * Texts that differ in few lines are compared as well as can be. Others are held together by the lines that both have once:
 * what stands between two of these, and differs too much to be compared, goes and comes whole. The result is true in any
 * case: what stays and goes is the old text, and what stays and comes is the new one.
 */
import type { ArrayChange, DiffArraysOptionsAbortable } from "diff"

/** So many lines, one after the other. */
export interface Edit {
  readonly kind: "same" | "removed" | "added"
  readonly count: number
}

type Lines = ReadonlyArray<string>
type DiffArrays = (
  before: Array<string>,
  after: Array<string>,
  options: DiffArraysOptionsAbortable<string>
) => ReadonlyArray<ArrayChange<string>> | undefined

/** What is looked for: differences of whole texts, and of what stands between two lines that both have. */
const maxEdits = { whole: 600, between: 100 }

export const lineEdits = async (before: Lines, after: Lines): Promise<ReadonlyArray<Edit>> => {
  const { diffArrays } = await import("diff")
  const edits: Array<Edit> = []
  const add = (kind: Edit["kind"], count: number) => {
    const last = edits.at(-1)
    if (count === 0) return
    if (last?.kind === kind) edits[edits.length - 1] = { kind, count: last.count + count }
    else edits.push({ kind, count })
  }
  const replace = (from: Lines, to: Lines) => {
    add("removed", from.length)
    add("added", to.length)
  }
  const start = sharedStart(before, after)
  const end = sharedEnd(before.slice(start), after.slice(start))
  const [from, to] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const tell = (changes: ReadonlyArray<Edit>) => {
    for (const { count, kind } of changes) add(kind, count)
  }

  add("same", start)
  const whole = compared(diffArrays, from, to, maxEdits.whole)
  if (whole !== undefined) tell(whole)
  else {
    let [a, b] = [0, 0]
    for (const { inAfter, inBefore } of [...anchors(from, to), { inBefore: from.length, inAfter: to.length }]) {
      const [gone, come] = [from.slice(a, inBefore), to.slice(b, inAfter)]
      const between = compared(diffArrays, gone, come, maxEdits.between)
      if (between === undefined) replace(gone, come)
      else tell(between)
      if (inBefore < from.length || inAfter < to.length) add("same", 1)
      ;[a, b] = [inBefore + 1, inAfter + 1]
    }
  }
  add("same", end)
  return edits
}

const compared = (
  diffArrays: DiffArrays,
  before: Lines,
  after: Lines,
  most: number
): ReadonlyArray<Edit> | undefined =>
  leastEdits(before, after) > most
    ? undefined
    : diffArrays([...before], [...after], { maxEditLength: most })?.map(({ added, count, removed }) => ({
        kind: removed ? "removed" : added ? "added" : "same",
        count
      }))

/** As many edits as there are at least, whatever the order: what one side has more often. Known before any is looked for. */
export const leastEdits = (before: Lines, after: Lines): number => {
  const more = new Map<string, number>()
  for (const line of before) more.set(line, (more.get(line) ?? 0) + 1)
  for (const line of after) more.set(line, (more.get(line) ?? 0) - 1)
  let sum = 0
  for (const count of more.values()) sum += Math.abs(count)
  return sum
}

const sharedStart = (before: Lines, after: Lines): number => {
  const most = Math.min(before.length, after.length)
  let length = 0
  while (length < most && before[length] === after[length]) length += 1
  return length
}

const sharedEnd = (before: Lines, after: Lines): number => {
  const most = Math.min(before.length, after.length)
  let length = 0
  while (length < most && before.at(-1 - length) === after.at(-1 - length)) length += 1
  return length
}

interface Anchor {
  readonly inBefore: number
  readonly inAfter: number
}

/** The longest row of lines that each text has once, in the order of both. */
const anchors = (before: Lines, after: Lines): ReadonlyArray<Anchor> => {
  const places = once(after)
  const shared = Array.from(once(before), ([line, inBefore]) => ({ inBefore, inAfter: places.get(line) ?? -1 })).filter(
    ({ inAfter }) => inAfter >= 0
  )
  /** The anchor that each row of this length ends with, and what stands before an anchor in its row. */
  const ends: Array<number> = []
  const previous: Array<number | undefined> = []
  for (const [at, { inAfter }] of shared.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((shared[ends[middle] ?? 0]?.inAfter ?? 0) < inAfter) low = middle + 1
      else high = middle
    }
    previous[at] = ends[low - 1]
    ends[low] = at
  }
  const row: Array<Anchor> = []
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) {
    const anchor = shared[at]
    if (anchor !== undefined) row.push(anchor)
  }
  return row.toReversed()
}

/** The lines that a text has once, in order, by where they stand. */
const once = (lines: Lines): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const [at, line] of lines.entries()) found.set(line, found.has(line) ? -1 : at)
  for (const [line, at] of found) if (at < 0) found.delete(line)
  return found
}
