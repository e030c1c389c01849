/**
 * Some rows of one table on their way through a run, with the presence of each.
 *
 * Mostly, every row is "seen". Then a chunk has no list of presences and is often the list that the source gave, so it costs
 * nothing per row. That list must not be changed.
 */
import type * as Stage from "../Stage.ts"
import type * as Table from "../Table.ts"

export interface RowChunk {
  readonly rows: ReadonlyArray<Table.Row>
  /** The presence of each row, in the same order; undefined: every row is "seen". */
  readonly presences: ReadonlyArray<Table.Presence> | undefined
}

/** Rows that are all "seen". */
export const seen = (rows: ReadonlyArray<Table.Row>): RowChunk => ({ rows, presences: undefined })

/** Makes a chunk of rows. `presence` of their table decides the presence of each. */
export const withPresence = ({ presence }: Table.Table, rows: ReadonlyArray<Table.Row>): RowChunk =>
  presence === undefined
    ? seen(rows)
    : of(
        rows,
        rows.map((row) => presence(row))
      )

const of = (rows: ReadonlyArray<Table.Row>, presences: ReadonlyArray<Table.Presence>): RowChunk =>
  presences.every((presence) => presence === "seen") ? seen(rows) : { rows, presences }

/** Makes a chunk of rows from a stage. */
export const fromStaged = (staged: ReadonlyArray<Stage.Staged>): RowChunk =>
  of(
    staged.map(({ row }) => row),
    staged.map(({ presence }) => presence)
  )

/** The rows with their presences, for a stage. */
export const toStaged = ({ presences, rows }: RowChunk): ReadonlyArray<Stage.Staged> =>
  rows.map((row, at) => ({ row, presence: presences?.[at] ?? "seen" }))

/** The rows of what was read. */
export const written = ({ presences, rows }: RowChunk): ReadonlyArray<Table.Row> =>
  presences === undefined ? rows : rows.filter((_, at) => presences[at] === "seen" || presences[at] === "gone")

/** The number of rows of each presence. */
export const count = ({ presences, rows }: RowChunk): Readonly<Record<Table.Presence, number>> => {
  const counts = { seen: 0, gone: 0, failed: 0, unread: 0 }
  if (presences === undefined) return { ...counts, seen: rows.length }
  for (const presence of presences) counts[presence] += 1
  return counts
}
