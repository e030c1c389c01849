/**
 * The rows of a history after a commit: every version of a key, from `valid_from` until `valid_to`. The last is current.
 *
 * If the fingerprint of a row differs from that of the version in force, the row becomes a new version and closes that
 * version. Two versions that begin at the same moment are of one run, so the later one replaces the earlier one. Children have the
 * versions of their row.
 */
import { type Compared, rowText } from "../comparedColumns.ts"
import * as Table from "../Table.ts"
import {
  AmbiguousKey,
  currentChildren,
  isSameReread,
  lastOfEach,
  type Merged,
  type Reread,
  rereadRow,
  type Staged
} from "./mergeRows.ts"

type Rows = ReadonlyArray<Table.Row>

interface Visit {
  readonly key: ReadonlyArray<string>
  readonly fingerprint: ReadonlyArray<Compared>
  readonly reread: Reread
  /** When the run began. */
  readonly at: bigint
  /** The keys whose versions stay open, as texts; undefined: all. */
  readonly seen: ReadonlySet<string> | undefined
}

/** What a run did to the versions of the rows of a table, by their keys as texts. */
export interface Versions {
  /** Those that it wrote. */
  readonly writtenVersions: ReadonlyMap<string, Table.Row>
  /** Those that it closed or replaced: since when they are in force. */
  readonly versionEnds: ReadonlyMap<string, { readonly since: bigint; readonly isReplaced: boolean }>
  /** When the versions of later runs begin. */
  readonly later: ReadonlyMap<string, bigint>
}

/** Adds the rows of a run to a history. `written` counts the new versions. */
export const addVersions = (
  present: Rows,
  staged: Rows,
  { reread, key, fingerprint, at, seen }: Visit
): Merged & { readonly versions: Versions } => {
  const coming = lastOfEach(key, staged)
  const valid = present.filter(holdsAt(at)).map((row) => [Table.keyText(row, key), row] as const)
  const inForce = new Map(valid)
  if (valid.some(([name, row]) => coming.has(name) && inForce.get(name) !== row)) throw new AmbiguousKey()
  const later = laterVersions(present, key, at)
  const read = new Map(
    [...coming].filter(([name, row]) => {
      const old = inForce.get(name)
      return old !== undefined && isSameReread(reread, old, row)
    })
  )
  const isNews = (row: Table.Row, name: string): boolean => {
    const old = inForce.get(name)
    return old === undefined || (!read.has(name) && rowText(old, fingerprint) !== rowText(row, fingerprint))
  }
  const news = new Map([...coming].filter(([name, row]) => isNews(row, name)))
  const writtenVersions = new Map<string, Table.Row>()
  const versionEnds = new Map<string, { readonly since: bigint; readonly isReplaced: boolean }>()
  const retained = present.flatMap((row) => {
    const name = Table.keyText(row, key)
    if (inForce.get(name) !== row) return [row]
    const again = read.get(name)
    const isMade = news.has(name)
    if (again === undefined && !isMade && seen?.has(name) !== false) return [row]
    const isReplaced = again !== undefined || (isMade && row["valid_from"] === at)
    versionEnds.set(name, { since: micros(row["valid_from"]), isReplaced })
    if (again === undefined) return isReplaced ? [] : [{ ...row, valid_to: at, is_current: false }]
    const whole = version(rereadRow(row, again), row["valid_from"], row["valid_to"])
    writtenVersions.set(name, whole)
    return [whole]
  })
  for (const [name, row] of news) {
    writtenVersions.set(name, version(row, at, inForce.has(name) ? inForce.get(name)?.["valid_to"] : later.get(name)))
  }
  const newRows = [...writtenVersions].flatMap(([name, row]) => (news.has(name) ? [row] : []))
  return {
    rows: [...retained, ...newRows],
    written: newRows.length,
    unchanged: coming.size - newRows.length,
    versions: { writtenVersions, versionEnds, later }
  }
}

/** Adds the children of the versions that a run wrote to those of others. `written` counts them, but for those that were read again. */
export const addChildren = (
  present: Rows,
  {
    key,
    parents,
    staged
  }: { readonly key: ReadonlyArray<string>; readonly parents: Parents; readonly staged: ReadonlyArray<Staged> },
  at: bigint
): Merged => {
  const { keyOf, versions } = parents
  const retained = present.flatMap((row) => {
    const end = versions.versionEnds.get(keyOf(row))
    if (end === undefined || !holdsAt(end.since)(row)) return [row]
    return end.isReplaced ? [] : [{ ...row, valid_to: at, is_current: false }]
  })
  const coming = currentChildren(key, staged, parents)
  const children = coming.flatMap((row) => {
    const above = versions.writtenVersions.get(keyOf(row))
    return above === undefined ? [] : [rereadRow(above, version(row, above["valid_from"], above["valid_to"]))]
  })
  const written = children.filter((row) => row["valid_from"] === at).length
  return { rows: [...retained, ...children], written, unchanged: coming.length - written }
}

/** The rows that children belong to: those that were staged with them, and what became of their versions. */
export interface Parents {
  readonly staged: ReadonlyArray<Staged>
  /** The key of a row, and of the row that a child belongs to. */
  readonly nameOf: (row: Table.Row) => string
  readonly keyOf: (child: Table.Row) => string
  readonly versions: Versions
}

/** A history as it was before a run: without the versions of that run, and with the versions open that the run closed. */
export const withoutVersionsOf = (
  present: Rows,
  runId: string,
  key: ReadonlyArray<string>,
  startedAt: bigint,
  parents?: Parents
): Rows => {
  const others = present.filter((row) => row["_run_id"] !== runId)
  const later = parents?.versions.later ?? laterVersions(others, key, startedAt)
  const keyOf = parents?.keyOf ?? ((row) => Table.keyText(row, key))
  return others.map((row) =>
    row["valid_to"] === startedAt ? version(row, row["valid_from"], later.get(keyOf(row))) : row
  )
}

/** The rows of a table that was not a history, as first versions. They begin at 1970-01-01, because nobody knows when. */
export const asFirstVersions = (rows: Rows): Rows => rows.map((row) => version(row, 0n, null))

const version = (row: Table.Row, from: unknown, to: unknown): Table.Row => ({
  ...row,
  valid_from: from,
  valid_to: to ?? null,
  is_current: (to ?? null) === null
})

const holdsAt = (at: bigint) => (row: Table.Row) =>
  micros(row["valid_from"]) <= at && (row["valid_to"] === null || micros(row["valid_to"]) > at)

/** When the next version of each key begins, for keys of which a later run has already written a version. */
const laterVersions = (rows: Rows, key: ReadonlyArray<string>, at: bigint): ReadonlyMap<string, bigint> => {
  const later = new Map<string, bigint>()
  for (const row of rows) {
    const [name, from] = [Table.keyText(row, key), micros(row["valid_from"])]
    if (from > at && from < (later.get(name) ?? from + 1n)) later.set(name, from)
  }
  return later
}

const micros = (cell: unknown): bigint => BigInt(String(cell))
