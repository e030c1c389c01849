/**
 * Where the lists of a page stand: a price in one of them is one of many, and not the price of the page.
 *
 * Facts with names of their own, "Portions: 12" beside "Time: 25 minutes", are not a list of things.
 */
import type { Group, Thing } from "../Candidates.ts"

export const listSpans = (groups: ReadonlyArray<Group>): ReadonlyArray<readonly [from: number, to: number]> =>
  outermost(
    groups.flatMap(({ source, things }) =>
      things.length >= 3 && (source.kind === "block" || source.kind === "table") && !areFacts(things)
        ? [source.span]
        : []
    )
  )

/** Whether each says one thing under a name of its own: "Portions: 12" in a list of such is no one of many. */
const areFacts = (things: ReadonlyArray<Thing>): boolean => {
  const names = things.flatMap(({ properties }) => {
    const labels = properties.filter(({ value }) => value._tag === "Value" && value.source.kind === "label")
    return labels.length === 1 && properties.length <= 4 ? [labels[0]?.name] : []
  })
  return names.length === things.length && new Set(names).size === names.length
}

/** Spans in order, those in others left out. */
const outermost = (spans: ReadonlyArray<readonly [number, number]>): ReadonlyArray<readonly [number, number]> => {
  const found: Array<readonly [number, number]> = []
  for (const span of spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = found.at(-1)
    if (last === undefined || span[0] >= last[1]) found.push(span)
  }
  return found
}
