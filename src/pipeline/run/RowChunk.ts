/**
 * Some rows of one table on their way through a run, with what each says of its thing.
 *
 * Mostly every row is "seen". Then the rows are all there is, often in the very list that the source gave, so a chunk costs
 * nothing for each of its rows. Nobody changes that list.
 */
import type * as Stage from "../Stage.ts"
import type * as Table from "../Table.ts"

export interface RowChunk {
  readonly rows: ReadonlyArray<Table.Row>
  /** What each row says, at its place; undefined: every row is "seen". */
  readonly presences: ReadonlyArray<Table.Presence> | undefined
}

/** Rows that are all "seen". */
export const seen = (rows: ReadonlyArray<Table.Row>): RowChunk => ({ rows, presences: undefined })

/** Rows as their table reads what they say. */
export const make = ({ presence }: Table.Table, rows: ReadonlyArray<Table.Row>): RowChunk =>
  presence === undefined
    ? seen(rows)
    : of(
        rows,
        rows.map((row) => presence(row))
      )

const of = (rows: ReadonlyArray<Table.Row>, presences: ReadonlyArray<Table.Presence>): RowChunk =>
  presences.every((presence) => presence === "seen") ? seen(rows) : { rows, presences }

/** Rows as they came out of a stage. */
export const fromStaged = (staged: ReadonlyArray<Stage.Staged>): RowChunk =>
  of(
    staged.map(({ row }) => row),
    staged.map(({ presence }) => presence)
  )

/** Rows as they go into a stage, each with what it says. */
export const toStaged = ({ presences, rows }: RowChunk): ReadonlyArray<Stage.Staged> =>
  rows.map((row, at) => ({ row, presence: presences?.[at] ?? "seen" }))

/** The rows that a sink may write: those of which something was learned. */
export const written = ({ presences, rows }: RowChunk): ReadonlyArray<Table.Row> =>
  presences?.includes("failed") === true ? rows.filter((_, at) => presences[at] !== "failed") : rows

/** How many rows say each. */
export const count = ({ presences, rows }: RowChunk): Readonly<Record<Table.Presence, number>> => {
  const counts = { seen: 0, gone: 0, failed: 0 }
  if (presences === undefined) return { ...counts, seen: rows.length }
  for (const presence of presences) counts[presence] += 1
  return counts
}
