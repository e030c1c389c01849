/** The conditions that a staged row `s` says what the stored row `t` says. Columns of the visit are ignored. */
import * as Column from "../Column.ts"
import { type Compared, comparedColumns, versionColumn, withoutReading } from "../comparedColumns.ts"
import type { WrittenColumn } from "../SqlPort.ts"
import type { StagedTable } from "./StagedTable.ts"

export interface ComparedColumn extends WrittenColumn {
  /** Members of its objects that are ignored. */
  readonly except: ReadonlyArray<string>
}

/** The columns that merge compares, of those that the run writes. */
export const compared = (staged: StagedTable, without: ReadonlyArray<string>): ReadonlyArray<ComparedColumn> =>
  there(staged, comparedColumns(staged.table, staged.table.columns), without)

/** The columns of the fingerprint of a history. */
export const fingerprinted = (staged: StagedTable): ReadonlyArray<ComparedColumn> =>
  there(staged, ofFingerprint(staged), [])

const ofFingerprint = ({ fingerprint = [], table }: StagedTable): ReadonlyArray<Compared> =>
  table.columns.flatMap((column) => (fingerprint.includes(column.name) ? [{ column, except: [] }] : []))

const there = (
  { columns }: StagedTable,
  compared: ReadonlyArray<Compared>,
  without: ReadonlyArray<string>
): ReadonlyArray<ComparedColumn> =>
  compared.flatMap(({ column, except }) => {
    const own = columns.find(({ ours }) => ours === column.name)
    return own === undefined || without.includes(column.name) ? [] : [{ ...own, except }]
  })

/** That two rows have the same values in some columns. */
export const areSame = (
  { spelling }: StagedTable,
  columns: ReadonlyArray<ComparedColumn>,
  one: string,
  other: string
): string =>
  allOf(
    columns.map((column) => spelling.same(valueOf(spelling, column, one), valueOf(spelling, column, other), column.to))
  )

/** The values of a row in some columns, as they are compared where no key joins rows. */
export const digestOf = ({ spelling }: StagedTable, columns: ReadonlyArray<ComparedColumn>, of: string) =>
  spelling.digest(
    columns.map((column) => valueOf(spelling, column, of)),
    columns.map(({ to }) => to)
  )

/** A compared value. */
export const valueOf = (
  { comparable, withoutMembers }: StagedTable["spelling"],
  { except, name, to }: ComparedColumn,
  of: string
): string => {
  const value = `${of}.${Column.quote(name)}`
  return comparable(except.length > 0 ? withoutMembers(value, except) : value, to)
}

/** That a stored row is null in all columns that this run does not write. */
export const isWhole = ({ lacking }: Pick<StagedTable, "lacking">): string =>
  allOf(lacking.map((name) => `t.${Column.quote(name)} IS NULL`))

/**
 * That a staged row is the stored row, read by another version of a program: nothing else differs. Undefined: rows have no
 * version.
 */
export const isReread = (staged: StagedTable, isHistory: boolean): string | undefined => {
  const reread = rereadOf(staged, isHistory)
  if (reread === undefined) return undefined
  const { absent, column, rest } = reread
  const name = Column.quote(column.name)
  const isOther = `NOT ${staged.spelling.same(`t.${name}`, `s.${name}`, column.to)}`
  return `(s.${name} IS NOT NULL AND ${isOther} AND ${areSame(staged, rest, "s", "t")} AND ${absent})`
}

interface Reread {
  /** The column of the version. */
  readonly column: WrittenColumn
  /** What is compared beside it. */
  readonly rest: ReadonlyArray<ComparedColumn>
  /** That a stored row `t` is null in the columns that this run lacks and no version fills. */
  readonly absent: string
}

/** How rows are compared that two versions have read; undefined: rows have no version. */
export const rereadOf = (staged: StagedTable, isHistory: boolean): Reread | undefined => {
  const { columns, lacking, table } = staged
  const version = versionColumn(table, table.columns)
  const column = columns.find(({ ours }) => ours === version)
  if (column === undefined) return undefined
  const all = isHistory ? ofFingerprint(staged) : comparedColumns(table, table.columns)
  return {
    column,
    rest: there(staged, withoutReading(table, all), table.key),
    absent: isWhole({ lacking: lacking.filter((column) => table.reading?.columns[column] !== true) })
  }
}

/** That all conditions hold. A chain of many hundred is a tree that is too deep for some databases, so it is bracketed. */
export const allOf = (conditions: ReadonlyArray<string>): string => {
  if (conditions.length === 0) return "TRUE"
  if (conditions.length <= most) return `(${conditions.join(" AND ")})`
  const groups: Array<string> = []
  for (let at = 0; at < conditions.length; at += most) groups.push(allOf(conditions.slice(at, at + most)))
  return allOf(groups)
}

const most = 100
