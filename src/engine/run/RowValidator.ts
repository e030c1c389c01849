/**
 * Checks the rows of the source against their tables.
 *
 * Guarantee: a row that does not fit its table is never dropped and never changed. It is rejected with its reason, or fails
 * the run if the contract is `freeze`. Every sink accepts rows that pass.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Column from "../Column.ts"
import type * as Rejects from "../output/Rejects.ts"
import type * as Pipeline from "../Pipeline.ts"
import type * as Source from "../Source.ts"
import type * as Table from "../Table.ts"
import { rowValidator } from "../validateRow.ts"
import * as OrphanFilter from "./OrphanFilter.ts"
import * as RowChunk from "./RowChunk.ts"

/**
 * A run that broke the `contract` of a table. Nothing was committed.
 *
 * @example
 * ```ts
 * import { Run } from "millrace"
 *
 * console.log(new Run.ContractError({ message: "table pages is frozen, and column lang is new" })._tag) // "ContractError"
 * ```
 */
export class ContractError extends Schema.TaggedError<ContractError>()("ContractError", { message: Schema.String }) {}

export interface RowValidator {
  /** The rows of a batch that fit, and what is wrong with the others. */
  readonly take: (
    table: Table.Table,
    rows: ReadonlyArray<Table.Row>,
    at: number
  ) => Effect.Effect<Validated, ContractError>
  /** A row that the source itself could not make. */
  readonly reject: (reject: Source.Reject, at: number) => Effect.Effect<Rejects.Rejected, ContractError>
}

interface Validated {
  readonly fit: RowChunk.RowChunk
  readonly rejected: ReadonlyArray<Rejects.Rejected>
}

export const of = (tables: ReadonlyArray<Table.Table>, contract: Pipeline.Contract): RowValidator => {
  const checks = new Map(tables.map((table) => [table.name, rowValidator(table)]))
  const absent = new Map(tables.map((table) => [table.name, inheritedIn(table)]))
  const orphans = OrphanFilter.of(tables)
  let ordinal = 0

  const frozen = (table: string, reason: string) =>
    Effect.fail(
      new ContractError({
        message: `table ${table} is frozen, and a row does not fit it: ${reason}; correct the source, or set the contract to quarantine`
      })
    )

  return {
    take: Effect.fnUntraced(function* (table, came, at) {
      const check = checks.get(table.name)
      const nulls = absent.get(table.name)
      const rows = nulls === undefined ? came : came.map((row) => ({ ...nulls, ...row }))
      // Undefined while all rows so far fit, because mostly the list of the source can be used as it is.
      let fit: Array<Table.Row> | undefined
      const rejected: Array<Rejects.Rejected> = []
      let place = 0
      for (const given of rows) {
        let row = given
        let rowError = check?.(row)
        if (rowError !== undefined) {
          row = withMoments(table, given)
          rowError = row === given ? rowError : check?.(row)
          if (row !== given) fit ??= rows.slice(0, place)
        }
        if (rowError !== undefined) {
          fit ??= rows.slice(0, place)
          if (contract === "freeze") return yield* frozen(table.name, rowError.message)
          orphans.takeOut(table, [row])
          rejected.push({
            table: table.name,
            reason: rowError.message,
            path: rowError.column,
            raw: row,
            at,
            ordinal: ordinal++
          })
        } else if (orphans.isOrphan(table, row)) fit ??= rows.slice(0, place)
        else {
          fit?.push(row)
          orphans.stay(table, [row])
        }
        place++
      }
      return { fit: RowChunk.withPresence(table, fit ?? rows), rejected }
    }),
    reject: ({ answer, path, raw, reason, table }, at) =>
      contract === "freeze"
        ? frozen(table.name, reason)
        : Effect.sync(() => ({
            table: table.name,
            reason,
            raw,
            at,
            ordinal: ordinal++,
            ...(path === undefined ? {} : { path }),
            ...(answer === undefined ? {} : { answer })
          }))
  }
}

/** A row whose dates of JavaScript are moments as cells hold them, where columns are times. The same row: it has none. */
const withMoments = ({ columns }: Table.Table, row: Table.Row): Table.Row => {
  let copy: Record<string, unknown> | undefined
  for (const { name, type } of columns) {
    const cell = momentsOf(type, row[name])
    if (cell !== row[name]) (copy ??= { ...row })[name] = cell
  }
  return copy ?? row
}

/** The same value: it has no dates, or its type has no times. */
const momentsOf = (type: Column.ColumnType, cell: unknown): unknown => {
  if (type._tag === "TIMESTAMP") {
    return cell instanceof Date && !Number.isNaN(cell.getTime()) ? Column.timestampFromMillis(cell.getTime()) : cell
  }
  if (type._tag === "LIST" && Array.isArray(cell)) {
    const items = cell.map((item) => momentsOf(type.of.type, item))
    return items.some((item, index) => item !== cell[index]) ? items : cell
  }
  if (type._tag !== "STRUCT" || !Predicate.isObject(cell) || Array.isArray(cell)) return cell
  const members = Object.entries(cell).map(([name, member]: [string, unknown]) => {
    const field = type.fields.find((one) => one.name === name)
    return [name, field === undefined ? member : momentsOf(field.type, member)] as const
  })
  return members.some(([name, member]) => member !== Reflect.get(cell, name)) ? Object.fromEntries(members) : cell
}

/** Nulls for columns such as `constructor`: a row without it would otherwise have the member that every object inherits. */
const inheritedIn = ({ columns }: Table.Table): Table.Row | undefined => {
  const names = columns.flatMap(({ name }) => (name in {} ? [[name, null] as const] : []))
  return names.length === 0 ? undefined : Object.fromEntries(names)
}
