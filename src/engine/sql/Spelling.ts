/** A dialect with its defaults: how each piece of a statement is spelled. */
import * as Column from "../Column.ts"
import { storing } from "../SqlCell.ts"
import type { SqlDialect, SqlValue, UpdateParts } from "../SqlDialect.ts"
import type { Reads } from "../SqlPort.ts"
import type { Step } from "./Step.ts"
import * as Steps from "./Step.ts"

export interface Spelling {
  readonly table: (name: string) => string
  readonly temporary: (name: string) => string
  readonly literal: (value: SqlValue) => string
  readonly moment: (micros: bigint) => string
  readonly same: (one: string, other: string, type: Column.ColumnType) => string
  readonly comparable: (value: string, type: Column.ColumnType) => string
  /** Values that are compared together: one for all, or each. */
  readonly digest: (values: ReadonlyArray<string>, types: ReadonlyArray<Column.ColumnType>) => ReadonlyArray<string>
  /** The sum of the hashes of rows; undefined: the database has none. */
  readonly rowsHash: SqlDialect["rowsHash"]
  /** Whether whole rows are neither joined nor changed in their place. */
  readonly isColumnar: boolean
  /** Whether cells of two SQL types are compared as they are. */
  readonly areAlike: (one: string, other: string) => boolean
  readonly selected: (value: string, type: Column.ColumnType) => string
  readonly text: (value: string) => string
  readonly withoutMembers: (value: string, members: ReadonlyArray<string>) => string
  readonly drop: (table: string) => string
  readonly update: (parts: UpdateParts) => string
  /** ORDER BY, where the database keeps the order of rows. */
  readonly inOrder: (by: string) => string
  /** The name of a table, equal for names of one table. */
  readonly fold: (name: string) => string
  /** Counts the rows of a temporary table, for the plans of queries. */
  readonly analyzed: (name: string) => ReadonlyArray<Step>
  /** Makes a temporary table of a query; replaces an older one. */
  readonly keep: (name: string, query: string, reads?: Reads) => ReadonlyArray<Step>
  /** Makes an empty temporary table; replaces an older one. */
  readonly createTemporary: (name: string, columns: ReadonlyArray<string>) => ReadonlyArray<Step>
}

export const of = (dialect: SqlDialect): Spelling => {
  const literal = dialect.literal ?? standardLiteral
  const create = dialect.createTemporary ?? standardTemporary
  const drop = (name: string) =>
    dialect.createTemporary === undefined ? [Steps.run(`DROP TABLE IF EXISTS ${name}`)] : []
  const momentOf = storing(dialect, { _tag: "TIMESTAMP" })
  const { analyze, digest } = dialect
  const analyzed = (name: string) => (analyze === undefined ? [] : [Steps.run(analyze(name))])
  return {
    analyzed,
    digest: digest === undefined ? (values) => values : (values, types) => [digest(values, types)],
    rowsHash: dialect.rowsHash,
    isColumnar: dialect.isColumnar === true,
    areAlike: dialect.areAlike ?? ((one, other) => one === other),
    selected: dialect.selected ?? ((value) => value),
    inOrder: dialect.isUnordered === true ? () => "" : (by) => ` ORDER BY ${by}`,
    fold: dialect.isCaseSensitive === true ? (name) => name : (name) => name.toLowerCase(),
    literal,
    table: dialect.table ?? Column.quote,
    temporary: dialect.temporary ?? Column.quote,
    moment: dialect.moment ?? ((micros) => literal(momentOf(micros))),
    same: dialect.same ?? ((one, other) => `${one} IS NOT DISTINCT FROM ${other}`),
    comparable: dialect.comparable ?? ((value) => value),
    text: dialect.text ?? ((value) => `CAST(${value} AS VARCHAR)`),
    withoutMembers: dialect.withoutMembers ?? ((value) => value),
    drop: dialect.drop ?? ((name) => `DROP TABLE ${(dialect.table ?? Column.quote)(name)}`),
    update: dialect.update ?? standardUpdate,
    keep: (name, query, reads) => [
      ...drop(name),
      Steps.run(create(name, { query }), undefined, reads),
      ...analyzed(name)
    ],
    createTemporary: (name, columns) => [...drop(name), Steps.run(create(name, { columns: columns.join(", ") }))]
  }
}

const standardLiteral = (value: SqlValue): string => {
  if (value === null) return "NULL"
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString("hex")}'`
  return typeof value === "boolean" ? (value ? "TRUE" : "FALSE") : String(value)
}

const standardTemporary = (name: string, of: { readonly columns: string } | { readonly query: string }): string =>
  `CREATE TEMPORARY TABLE ${name} ${"query" in of ? `AS ${of.query}` : `(${of.columns})`}`

const standardUpdate = ({ from, set, target, where }: UpdateParts): string =>
  `UPDATE ${target} AS t SET ${set.map(([column, value]) => `${column} = ${value}`).join(", ")} FROM ${from} WHERE ${where}`
