/**
 * Compares two texts line by line, in a time that depends on their length and not on the number of differences.
 *
 * If the texts differ in few lines, the result is the shortest edit. Otherwise, lines that each text has exactly once serve
 * as anchors, and the lines between two anchors are replaced as a whole if they differ too much. In any case, the unchanged
 * and removed lines are the old text, and the unchanged and added lines are the new text.
 */
import type { ArrayChange, DiffArraysOptionsAbortable } from "diff"

/** Consecutive lines of one kind. */
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

/** The maximum number of edits to search for: in the whole texts, and between two anchors. */
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

/** The minimum number of edits: the lines that one side has more often, whatever their order. It is fast to compute. */
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

/** The longest sequence of lines that each text has exactly once, in the same order in both. */
const anchors = (before: Lines, after: Lines): ReadonlyArray<Anchor> => {
  const places = once(after)
  const shared = Array.from(once(before), ([line, inBefore]) => ({ inBefore, inAfter: places.get(line) ?? -1 })).filter(
    ({ inAfter }) => inAfter >= 0
  )
  /** The last anchor of the best sequence of each length; `previous`: the anchor before each anchor in its sequence. */
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

/** The lines that a text has exactly once, with their positions. */
const once = (lines: Lines): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const [at, line] of lines.entries()) found.set(line, found.has(line) ? -1 : at)
  for (const [line, at] of found) if (at < 0) found.delete(line)
  return found
}
