/**
 * What is asked about the lists of a page as a whole. If there are very many, only the largest are examined, in their
 * order.
 */
import type { Group, Thing } from "../Candidates.ts"

export const largest = (groups: ReadonlyArray<Group>, most: number): ReadonlyArray<Group> => {
  if (groups.length <= most) return groups
  const some = new Set(groups.toSorted((a, b) => b.things.length - a.things.length).slice(0, most))
  return groups.filter((group) => some.has(group))
}

/** Whether a list stands in each of the first parts of a page, as where lists of lists are wanted. */
export const holdLists = (things: ReadonlyArray<Thing>, groups: ReadonlyArray<Group>): boolean =>
  things.slice(0, 2).every(({ source: { kind, span } }) => {
    const isIn = (group: Group) =>
      group.source.span[0] >= span[0] && group.source.span[1] <= span[1] && group.things !== things
    return kind === "heading" && groups.some(isIn)
  })
