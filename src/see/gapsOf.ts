/** The columns that must have a value, and how many rows of a run have none; those that most rows lack first. */
export const gapsOf = (
  facts: Readonly<Record<string, number>>
): ReadonlyArray<readonly [column: string, rows: number]> =>
  Object.entries(facts)
    .flatMap(([fact, rows]) =>
      fact.startsWith(prefix) && rows > 0 ? [[fact.slice(prefix.length), rows] as const] : []
    )
    .toSorted(([, a], [, b]) => b - a)

/** Sources count them so: `lacking_price`. */
const prefix = "lacking_"
