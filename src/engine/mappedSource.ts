/**
 * A source whose rows a function of the user changes: the step `map`.
 *
 * Guarantee: one row makes one row. If the function throws for a row, the row becomes a reject with the reason, and the run
 * continues. The columns are known without a run. The presence of a row is that of the row before the function. If the
 * function changes the key of a row, its children in the same answer get the new key: the links of a page have its new URL.
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as CellJson from "./CellJson.ts"
import * as Column from "./Column.ts"
import { cellFromJson } from "./cellFromJson.ts"
import type { Element, Reader } from "./Source.ts"
import * as Table from "./Table.ts"

/** A function of a row, and the columns of the rows that it gives. */
export interface Mapping {
  /** Its name in messages, such as the path of its module: "./clean.ts". */
  readonly name: string
  /** The table of the source whose rows it changes; default: the main table. */
  readonly table?: string | undefined
  /** The columns of the rows that `map` gives. */
  readonly columns: ReadonlyArray<Column.Column>
  /** The columns that identify a row; default: those of the source. */
  readonly key?: ReadonlyArray<string> | undefined
  /** Makes a new row of a row. The row has JSON values, as `millrace preview --format json` shows them. */
  readonly map: (row: Readonly<Record<string, unknown>>) => unknown
}

/** Why a mapping cannot be used with a source; undefined: it can. */
export const mappingFault = ({ tables }: Pick<Reader<never>, "tables">, mapping: Mapping): string | undefined => {
  const table = tableOf(tables, mapping)
  if (table === undefined) {
    return `the source has no table ${mapping.table}; tables: ${tables.map(({ name }) => name).join(", ")}`
  }
  if (table.mergePartialRows === true) return `the rows of ${table.name} come in parts, and map takes whole rows`
  const needed = [
    ...(mapping.key ?? table.key),
    ...Object.keys(table.parent?.on ?? {}),
    ...tables.flatMap(({ parent }) => (parent?.table === table.name ? Object.values(parent.on) : []))
  ]
  const lacking = needed.find((name) => !mapping.columns.some((column) => column.name === name))
  return lacking === undefined
    ? undefined
    : `its columns have no ${lacking}, which identifies the rows of ${table.name}; add it, or export another \`key\``
}

const tableOf = (tables: ReadonlyArray<Table.Table>, { table }: Mapping): Table.Table | undefined =>
  table === undefined ? tables[0] : tables.find(({ name }) => name === table)

/**
 * The source with its rows changed by a function, as the step `map` of a pipeline file does. A row for which the function
 * throws becomes a reject.
 *
 * @example
 * ```ts
 * import { rows, run, Source } from "millrace"
 * import { Database, memory } from "millrace/connectors/memory"
 *
 * const shout = Source.mapped(rows([{ name: "Ada" }], { table: "people" }), {
 *   name: "shout",
 *   columns: [{ name: "name", type: { _tag: "VARCHAR" }, nullable: true }],
 *   map: ({ name }) => ({ name: String(name).toUpperCase() })
 * })
 * await run({ source: shout, sinks: { out: memory.with({ name: "loud" }) } })
 * console.log(Database.rows("loud", "people").map(({ name }) => name)) // ["ADA"]
 * ```
 */
export const mappedSource = <R>(reader: Reader<R>, mapping: Mapping): Reader<R> => {
  const before = tableOf(reader.tables, mapping)
  if (before === undefined) return reader
  const came = new WeakMap<Table.Row, Table.Row>()
  const { presence } = before
  const after: Table.Table = {
    ...before,
    columns: mapping.columns,
    key: mapping.key ?? before.key,
    ...(presence === undefined ? {} : { presence: (row) => presence(came.get(row) ?? row) })
  }
  const make = rowMaker(before, after, mapping)
  let isRekeyed = false
  const inPlace = (table: Table.Table): Table.Table => (table === before || table.name === before.name ? after : table)
  const [main, ...others] = reader.tables
  const children = childrenOf(reader.tables, before, after)
  const changed = (element: Element<unknown>, moves: Moves): ReadonlyArray<Element<unknown>> => {
    if (!("table" in element)) return [element]
    if (element.table.name !== before.name) return [followed(element, children.get(element.table.name), moves)]
    if (element._tag !== "Batch") return [{ ...element, table: after }]
    const rows: Array<Table.Row> = []
    const rejects: Array<Element<unknown>> = []
    for (const row of element.rows) {
      const made = make(row)
      if (typeof made === "string") {
        rejects.push({ _tag: "Reject", table: after, reason: made, raw: asJson(before, row) })
        continue
      }
      isRekeyed ||= before === reader.tables[0] && Table.keyText(row, after.key) !== Table.keyText(made, after.key)
      came.set(made, row)
      for (const columns of parented) noteMove(moves, columns, row, made)
      rows.push(made)
    }
    return [...Table.batches(after, rows), ...rejects]
  }
  const parented = [...new Map(Array.from(children.values(), ({ theirs }) => [theirs.join(), theirs])).values()]
  const { keyed: _, revalidates: __, ...rest } = reader
  return {
    ...rest,
    tables: [inPlace(main), ...others.map(inPlace)],
    maps: [...(reader.maps ?? []), mapping.name],
    rekeys: () => isRekeyed || reader.rekeys?.() === true,
    decode: (answer) =>
      Effect.map(reader.decode(answer), (elements) => {
        const moves: Moves = new Map()
        return elements.flatMap((element) => changed(element, moves))
      })
  }
}

/** How a child table refers to the mapped table: its own columns, and the columns of the mapped table. */
interface Child {
  readonly ours: ReadonlyArray<string>
  readonly theirs: ReadonlyArray<string>
}

/** The rows whose columns, to which children refer, have changed: the new row by the columns and their old values. */
type Moves = Map<string, Table.Row>

/** The child tables of the mapped table, without those that refer to columns whose types change. */
const childrenOf = (
  tables: ReadonlyArray<Table.Table>,
  before: Table.Table,
  after: Table.Table
): ReadonlyMap<string, Child> => {
  const typeIn = (table: Table.Table, name: string) => {
    const column = Column.named(table.columns, name)
    return column === undefined ? undefined : Column.toSql(column.type)
  }
  const isSame = (name: string) => typeIn(before, name) === typeIn(after, name)
  return new Map(
    tables.flatMap(({ name, parent }) => {
      if (parent?.table !== before.name) return []
      const [ours, theirs] = [Object.keys(parent.on), Object.values(parent.on)]
      return theirs.every(isSame) ? [[name, { ours, theirs }]] : []
    })
  )
}

const noteMove = (moves: Moves, columns: ReadonlyArray<string>, row: Table.Row, made: Table.Row): void => {
  const was = Table.keyText(row, columns)
  if (was !== Table.keyText(made, columns)) moves.set(`${columns.join()} ${was}`, made)
}

/** Rows of a child table, each with the new values of its parent. */
const followed = (element: Element<unknown>, child: Child | undefined, moves: Moves): Element<unknown> => {
  if (element._tag !== "Batch" || child === undefined || moves.size === 0) return element
  const { ours, theirs } = child
  const rows = element.rows.map((row) => {
    const parent = moves.get(`${theirs.join()} ${Table.keyText(row, ours)}`)
    if (parent === undefined) return row
    return { ...row, ...Object.fromEntries(ours.map((name, at) => [name, parent[theirs[at] ?? ""]])) }
  })
  return { ...element, rows }
}

/** Makes the function that gives the new row, or the reason why there is none. */
const rowMaker = (before: Table.Table, after: Table.Table, { map, name }: Mapping) => {
  const cells = new Map(after.columns.map((column) => [column.name, cellFromJson(column.type)]))
  return (row: Table.Row): Table.Row | string => {
    let made: unknown
    try {
      made = map(asJson(before, row))
    } catch (cause) {
      return `${name}: ${cause instanceof Error ? cause.message : String(cause)}`
    }
    if (made instanceof Promise) {
      // The promise is not awaited. Without this, its rejection would end the process.
      made.catch(() => undefined)
      return `${name}: it gave a promise; a map gives its row at once`
    }
    if (!Predicate.isObject(made) || Array.isArray(made)) return `${name}: it gave no row`
    const members = Object.entries(made).map(([column, value]) => {
      const convert = cells.get(column)
      const json = value instanceof Date ? CellJson.ofAnything(value) : value
      return [column, convert === undefined ? json : convert(json)] as const
    })
    return Object.fromEntries(members)
  }
}

const asJson = ({ columns }: Table.Table, row: Table.Row): Record<string, unknown> =>
  Object.fromEntries(columns.map(({ name, type }) => [name, CellJson.ofCell(type)(row[name])]))
