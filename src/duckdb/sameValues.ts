import * as Column from "../pipeline/Column.ts"

/** The condition that two rows have the same values in columns of theirs, which go by the names that each has. */
export const sameValues = (
  ours: ReadonlyArray<string>,
  our: string,
  theirs: ReadonlyArray<string>,
  their: string
): string =>
  ours
    .map((column, at) => `${our}.${Column.quote(column)} = ${their}.${Column.quote(theirs[at] ?? column)}`)
    .join(" AND ")
