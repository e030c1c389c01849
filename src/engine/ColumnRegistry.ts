/**
 * What a destination remembers of the columns that runs have written: the name that each has where its values come from, the types that
 * it has had, whether a history compares it, and what runs may change of it. It is committed with the rows.
 *
 * So "Net Price" stays in the column that it got, whichever names come beside it or without it in a later run:
 *
 * - a name that is in the registry goes to its column;
 * - a name that is a column name as it is (`unit_price`) goes to the column of that name, unless another name of the same run is
 *   there: a source that spells `unitPrice` anew goes on in `unit_price`;
 * - any other name goes to a column of its own. Where the one that it would get is another's, it is marked with a hash.
 *
 * Of a column that an older version wrote, the registry does not know where its values come from. It takes the first name that
 * leads to it.
 *
 * A run of a source without types knows only the columns of its own rows. So a destination learns from here which of its tables have the
 * lists that no row of the run has.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Column from "./Column.ts"
import * as ColumnName from "./ColumnName.ts"
import { columnFromSql } from "./columnFromSql.ts"
import { cellConverter } from "./convertCell.ts"
import type { Writer } from "./Sink.ts"
import { absentColumns, type Plan, type TablePlan } from "./SinkPlan.ts"
import { setCell } from "./setCell.ts"
import type * as Table from "./Table.ts"
import { historyColumns, pipelineColumn } from "./WriteDisposition.ts"
import { widen } from "./widen.ts"

/** A column that runs have written. */
export const Registered = Schema.Struct({
  name: Schema.String,
  /** Where its values come from, if not from its name; null: an older version wrote it, which did not record it. */
  from: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Its types, the newest last, each with the run that first wrote it. */
  types: Schema.Array(Schema.Tuple([Schema.String, Schema.String])),
  /** Whether it is of the fingerprint of a history. */
  compared: Schema.optionalKey(Schema.Boolean),
  /** What the last run with it was allowed to change; absent: everything. */
  contract: Schema.optionalKey(Schema.Literals(["quarantine", "freeze"])),
  /** Of items of lists: whether it identifies them, and the table and the column of the row that they belong to. */
  key: Schema.optionalKey(Schema.Boolean),
  parent: Schema.optionalKey(Schema.Tuple([Schema.String, Schema.String]))
})
export type Registered = typeof Registered.Type

/** The columns of a table, in the order in which they came. */
export const Registry = Schema.Array(Registered)
export type Registry = typeof Registry.Type

const version = 1
const Recorded = Schema.Struct({ version: Schema.Int, columns: Registry })
const decodeRecord = Schema.decodeUnknownOption(Schema.fromJsonString(Recorded))
const decodeVersion = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ version: Schema.Int })))
const decodeNames = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.String)))

/** The text of a registry, for a table of the destination. */
export const encode = (columns: Registry): string => JSON.stringify({ version, columns })

/** A registry from its text. Undefined: there is none that can be read, so all columns of the stored table count. */
export const decode = (text: unknown): Registry | undefined =>
  Option.getOrUndefined(decodeRecord(text))?.columns ?? Option.getOrUndefined(decodeNames(text))?.map(unknown)

/** Why a registry must not be written by this version; undefined: it may. */
export const versionFault = (table: string, text: unknown): string | undefined => {
  const written = Option.getOrUndefined(decodeVersion(text))?.version
  return written === undefined || written <= version
    ? undefined
    : `the columns of table ${table} are recorded by a newer version of Millrace; update this one, or write another table`
}

const unknown = (name: string): Registered => ({ name, from: null, types: [] })

/** The registry of a stored table; if it was not recorded, that of the columns which the table has. */
export const ofTable = (
  table:
    | { readonly columns: ReadonlyArray<{ readonly name: string }>; readonly registry?: Registry | undefined }
    | undefined
): Registry => table?.registry ?? (table?.columns ?? []).map(({ name }) => unknown(name))

/** The same plan, with the names that the columns have in the destination. `registryOf`: by the name of a table. */
export const named = (plan: Plan, registryOf: (table: string) => Registry | undefined): Plan => {
  const tables = withListNames(plan.tables, registryOf)
  const names = new Map(
    tables.map(({ table }) => [table.name, namesOf(table, registryOf(table.name) ?? [], listsOf(tables, table))])
  )
  return {
    ...plan,
    tables: tables.map((planned, at) => {
      const registry = registryOf(planned.table.name) ?? []
      const there = renamed(planned, names, registry)
      const notices = [...(at === 0 ? loosening(there.table.name, registry, plan) : []), ...comparing(there, registry)]
      return notices.length === 0 ? there : { ...there, notices }
    })
  }
}

const contracts = ["evolve", "quarantine", "freeze"] as const

/** What is said of a table that runs may change from now on. */
const loosening = (table: string, registry: Registry, { contract = "evolve" }: Plan): ReadonlyArray<string> => {
  const had = contracts.findLast((one) => registry.some((known) => known.contract === one)) ?? "evolve"
  return contracts.indexOf(had) > contracts.indexOf(contract)
    ? [`table ${table} had contract: ${had} until this run, which has contract: ${contract}`]
    : []
}

/** What is said of a history that compares other columns from now on: its versions have them as they were when each began. */
const comparing = (planned: TablePlan, before: Registry): ReadonlyArray<string> => {
  const now = comparedAfter(planned, before)
  if (now === undefined || !before.some(({ compared }) => compared === true)) return []
  const isThere = ({ name }: Registered) => Column.named(planned.table.columns, name) !== undefined
  const came = before.filter((known) => known.compared !== true && isThere(known) && now.has(known.name))
  const went = before.filter(({ compared, name }) => compared === true && planned.absent !== "all" && !now.has(name))
  const list = (some: Registry) => some.map(({ name }) => name).join(", ")
  return [
    ...(came.length === 0 ? [] : [`compares ${list(came)} from this run on, also with values that changed before it`]),
    ...(went.length === 0 ? [] : [`no longer compares ${list(went)}`])
  ].map((what) => `the history of table ${planned.table.name} ${what}`)
}

/** The tables of a plan, of which those of items are called after the columns of their lists. */
export const withListNames = (
  tables: Plan["tables"],
  registryOf: (table: string) => Registry | undefined
): Plan["tables"] => {
  const names = new Map(
    tables.map(({ table }) => [table.name, namesOf(table, registryOf(table.name) ?? [], listsOf(tables, table))])
  )
  const nameOf = ({ name, parent }: Table.Table): string => {
    if (parent?.list === undefined) return name
    const own = names.get(parent.table)
    const [one, other] =
      [...(own ?? [])].find(([column]) => column === parent.list || column === `${parent.list}__count`) ?? []
    const beginning = `${parent.table}__${parent.list}`
    if (one === undefined || other === undefined || !`${name}__`.startsWith(`${beginning}__`)) return name
    const list = one === parent.list ? other : other.slice(0, parent.list.length - one.length)
    return `${parent.table}__${list}${name.slice(beginning.length)}`
  }
  const isSame = tables.every(({ table }) => nameOf(table) === table.name)
  return isSame
    ? tables
    : tables.map((planned) => ({ ...planned, table: { ...planned.table, name: nameOf(planned.table) } }))
}

/** The columns of a table that were lists, or around them. */
const listsOf = (tables: Plan["tables"], { name }: Table.Table): ReadonlyArray<string> =>
  tables.flatMap(({ table: { parent } }) => (parent?.table === name && parent.list !== undefined ? [parent.list] : []))

/** A table of a destination. */
export interface Stored {
  readonly name: string
  readonly columns: ReadonlyArray<Pick<Column.Column, "name"> & { readonly type: Column.ColumnType | undefined }>
  readonly registry: Registry
}

/** Whether a stored table that the plan lacks has items of lists of a row of the plan. */
export const isLacking = ({ tables }: Plan, { name, registry }: Omit<Stored, "columns">): boolean =>
  !tables.some(({ table }) => table.name.toLowerCase() === name.toLowerCase()) &&
  parentIn(tables, registry) !== undefined

/** The same plan, with the stored tables of lists that no row of the run has: rows that it writes have no items there. */
export const withLists = (plan: Plan, stored: ReadonlyArray<Stored>): Plan => {
  const lists = stored.filter((table) => isLacking(plan, table)).flatMap((table) => listPlan(plan, table))
  return lists.length === 0 ? plan : { ...plan, tables: [...plan.tables, ...lists] }
}

/** The table of the rows that items belong to. */
const parentIn = (tables: Plan["tables"], registry: Registry): TablePlan | undefined => {
  const above = registry.find(({ parent }) => parent !== undefined)?.parent?.[0]
  return tables.find(({ table }) => table.name === above)
}

const listPlan = ({ shared, tables }: Plan, { columns, name, registry }: Stored): ReadonlyArray<TablePlan> => {
  const above = parentIn(tables, registry)
  const on = registry.flatMap((known) => (known.parent === undefined ? [] : [[known.name, known.parent[1]] as const]))
  const isJoined = on.every(([, theirs]) => Column.named(above?.table.columns ?? [], theirs) !== undefined)
  const isShared = on.some(([ours]) => ours === pipelineColumn.name)
  // Rows without a key that are replaced leave no row which old items belong to, so these are replaced as a whole too.
  const isWhole = above?.write === "replace" && above.table.key.length === 0
  if (above === undefined || !(isJoined || isWhole) || isShared !== (shared === true)) return []
  const own = registry.flatMap(({ from, name }): ReadonlyArray<Column.Column> => {
    const there = Column.named(columns, name)
    if (there?.type === undefined || Column.named(historyColumns, name) !== undefined) return []
    const theirs = on.find(([ours]) => ours === name)?.[1]
    // A key has the type that it has in this run, so that both tables have one type for it.
    const type = (theirs === undefined ? undefined : Column.named(above.table.columns, theirs)?.type) ?? there.type
    return [{ name: there.name, type, nullable: true, ...(typeof from === "string" ? { from } : {}) }]
  })
  const table: Table.Table = {
    name,
    description: "",
    key: isJoined ? registry.flatMap((known) => (known.key === true ? [known.name] : [])) : [],
    columns: own,
    ...(isJoined && { parent: { table: above.table.name, on: Object.fromEntries(on), isList: true } })
  }
  return [{ table, write: above.write }]
}

/** The columns that have another name in the destination. */
const namesOf = (
  { columns }: Table.Table,
  registry: Registry,
  lists: ReadonlyArray<string>
): ReadonlyMap<string, string> => {
  if (registry.length === 0) return new Map()
  /** What the name of a column has behind that of its list; undefined: it belongs to no list. */
  const endOf = ({ from, name }: Column.Column): string | undefined =>
    lists
      .map((list) => name.slice(list.length))
      .find((end) => end.startsWith("__") && lists.includes(name.slice(0, -end.length)) && from?.endsWith(end) === true)
  const markedName = (column: Column.Column): string => {
    const [origin, end = ""] = [originOf(column), endOf(column)]
    return `${ColumnName.marked(origin.slice(0, origin.length - end.length))}${end}`
  }
  const given = new Map<string, string>()
  const taken = new Set<string>()
  const give = (column: Column.Column, name: string) => {
    given.set(column.name, name)
    taken.add(name.toLowerCase())
  }
  const isFree = (name: string) => !taken.has(name.toLowerCase())
  /** Names of the columns that have none yet, where they are free. */
  const choose = (nameOf: (column: Column.Column) => string | undefined) => {
    for (const column of columns) {
      const name = given.has(column.name) ? undefined : nameOf(column)
      if (name !== undefined && isFree(name)) give(column, name)
    }
  }
  choose(({ from, name }) => (from === undefined && systemColumns.has(name) ? name : undefined))
  choose((column) => registry.find((known) => originIn(known) === originOf(column) && isFree(known.name))?.name)
  // A record that somebody deleted: its hash says whose the column is.
  choose((column) => {
    const name = markedName(column)
    return registry.some((known) => known.name === name && known.from === null) ? name : undefined
  })
  choose((column) => (originOf(column) === column.name ? column.name : undefined))
  choose((column) => {
    const known = Column.named(registry, column.name)
    // Of the counts and digests of lists an older version recorded no origin.
    const isUnknown = known?.from === null || (known?.from === undefined && endOf(column) !== undefined)
    return known === undefined || isUnknown ? column.name : undefined
  })
  const others = columns.filter(({ name }) => !given.has(name))
  const marked = ColumnName.distinct(others.map(markedName), [...taken, ...registry.map(({ name }) => name)])
  others.forEach((column, at) => give(column, marked[at] ?? column.name))
  return new Map([...given].filter(([own, name]) => own.toLowerCase() !== name.toLowerCase()))
}

/** Columns of Millrace keep their names. One of the rows that is called like them has another. */
const systemColumns: ReadonlySet<string> = new Set(["_run_id", pipelineColumn.name])

const originOf = ({ from, name }: Column.Column): string => from ?? name

/** Null: not known. */
const originIn = ({ from, name }: Registered): string | null => (from === undefined ? name : from)

const renamed = (
  planned: TablePlan,
  names: ReadonlyMap<string, ReadonlyMap<string, string>>,
  registry: Registry = []
): TablePlan => {
  const { table } = planned
  const own = names.get(table.name)
  const parents = table.parent === undefined ? undefined : names.get(table.parent.table)
  if (!own?.size && !parents?.size) return planned
  const to = (name: string) => own?.get(name) ?? name
  const all = (some: ReadonlyArray<string>) => some.map(to)
  const keys = <A>(of: Readonly<Record<string, A>>) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [to(name), value] as const))
  const { fingerprint, parent, reading, visit } = table
  const { absent = [] } = planned
  // A column that the user names is that which the history has compared, if the run calls another one so.
  const others = (absent === "all" ? [] : (planned.fingerprint ?? [])).filter(
    (name) => to(name) !== name && Column.named(registry, name)?.compared === true
  )
  const joined = (on: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(on).map(([name, other]) => [to(name), parents?.get(other) ?? other]))
  return {
    ...planned,
    table: {
      ...table,
      columns: table.columns.map((column) =>
        to(column.name) === column.name ? column : { ...column, name: to(column.name), from: originOf(column) }
      ),
      key: all(table.key),
      ...(fingerprint === undefined ? {} : { fingerprint: all(fingerprint) }),
      ...(parent === undefined ? {} : { parent: { ...parent, on: joined(parent.on) } }),
      ...(reading === undefined ? {} : { reading: { version: to(reading.version), columns: keys(reading.columns) } }),
      ...(visit === undefined ? {} : { visit: keys(visit) })
    },
    ...(planned.fingerprint === undefined
      ? {}
      : { fingerprint: planned.fingerprint.map((name) => (others.includes(name) ? name : to(name))) }),
    ...(absent === "all" || others.length === 0 ? {} : { absent: [...absent, ...others] })
  }
}

/** The registry of a table after a run that writes it under the names of the destination. */
export const after = (
  planned: TablePlan,
  before: Registry,
  { contract, runId }: Pick<Plan, "contract" | "runId">
): Registry => {
  const { table, write } = planned
  const own = [...table.columns, ...(write === "scd2" ? historyColumns : [])]
  const all = [
    ...before.map((known) => {
      const column = Column.named(own, known.name)
      if (column === undefined) return known
      const types = typesAfter(known.types, column.type, runId)
      const isUnknown = known.from === null || (known.from === undefined && column.from !== undefined)
      return isUnknown ? registered({ ...column, name: known.name }, types) : { ...known, types }
    }),
    ...own
      .filter(({ name }) => Column.named(before, name) === undefined)
      .map((column) => registered(column, typesAfter([], column.type, runId)))
  ]
  const compared = comparedAfter(planned, before)
  const on = table.parent?.isList === true ? table.parent : undefined
  return all.map(({ compared: was, contract: had, key, parent, ...known }) => {
    const { name } = known
    const now = Column.named(own, name) === undefined ? had : contract === "evolve" ? undefined : contract
    const theirs = on?.on[name]
    return {
      ...known,
      ...((compared === undefined ? was : compared.has(name)) ? { compared: true } : {}),
      ...(now === undefined ? {} : { contract: now }),
      ...(on === undefined ? key && { key } : table.key.includes(name) && { key: true }),
      ...(on === undefined ? parent && { parent } : theirs !== undefined && { parent: [on.table, theirs] as const })
    }
  })
}

/** The columns that a history compares after this run. undefined: the run writes no history, so they stay as they were. */
const comparedAfter = (planned: TablePlan, before: Registry): ReadonlySet<string> | undefined => {
  const { fingerprint, write } = planned
  return write === "scd2" && fingerprint !== undefined
    ? new Set([...fingerprint, ...absentColumns(planned, before)])
    : undefined
}

const registered = ({ from, name }: Column.Column, types: Registered["types"]): Registered => ({
  name,
  ...(from === undefined ? {} : { from }),
  types
})

const typesAfter = (types: Registered["types"], type: Column.ColumnType, run: string): Registered["types"] => {
  const last = types.at(-1)?.[0]
  const stored = last === undefined ? undefined : columnFromSql(last)
  const now = Column.toSql(stored === undefined ? type : widen(stored, type))
  return now === last ? types : [...types, [now, run]]
}

/** The same writer, which takes the tables of a run under the names that they have in the plan. */
export const underNames = ({ tables: planned }: Plan, writer: Writer): Writer => {
  const { tables = [] } = writer
  const there = new Map(planned.map(({ table }, at) => [table.name, tables[at]?.name ?? table.name]))
  if ([...there].every(([own, name]) => own === name)) return writer
  const own = new Map([...there].map(([own, name]) => [name, own]))
  const to = (name: string) => there.get(name) ?? name
  const keyed = <A>(of: Readonly<Record<string, A>>, nameOf: (name: string) => string | undefined) =>
    Object.fromEntries(
      Object.entries(of).flatMap(([name, value]) => {
        const other = nameOf(name)
        return other === undefined ? [] : [[other, value] as const]
      })
    )
  /** A table that the plan lacks, and that is called as one of the plan's would be, is not counted. */
  const ofPlan = (name: string) => own.get(name) ?? (there.has(name) ? undefined : name)
  const { rowError, storedKeys } = writer
  return {
    ...writer,
    tables: tables.map((table) => ({ ...table, name: own.get(table.name) ?? table.name })),
    columns: (table) => writer.columns(to(table)),
    ...(rowError && { rowError: (table, row) => rowError(to(table), row) }),
    ...(storedKeys && { storedKeys: (table) => storedKeys(to(table)) }),
    write: (batch) => writer.write({ ...batch, table: { ...batch.table, name: to(batch.table.name) } }),
    retainKeys: (table, keys) => writer.retainKeys(to(table), keys),
    commit: (commit) =>
      Effect.map(
        writer.commit({ ...commit, run: { ...commit.run, rows: keyed(commit.run.rows, to) } }),
        ({ rows, tables, ...committed }) => ({ ...committed, rows: keyed(rows, ofPlan), tables: keyed(tables, ofPlan) })
      )
  }
}

/** How a destination takes the columns of a run: under which names, and with which types. */
export interface Naming {
  /** The plan with its names and types. */
  readonly plan: Plan
  /** Rows or keys of a table, under its names and with cells of its types. */
  readonly rows: (table: string, rows: ReadonlyArray<Table.Row>) => ReadonlyArray<Table.Row>
}

/** `tables`: those of the plan, as the destination takes their columns; undefined: as they are. */
export const naming = (plan: Plan, tables: ReadonlyArray<Table.Table> | undefined): Naming => {
  const converters = new Map(
    plan.tables.flatMap(({ table }, at) => {
      const cells = cellsOf(table, tables?.[at] ?? table)
      return cells === undefined ? [] : [[table.name, cells] as const]
    })
  )
  if (converters.size === 0) return { plan, rows: (_, rows) => rows }
  const names = new Map([...converters].map(([table, cells]) => [table, namesIn(cells)]))
  const typed = ({ table, ...planned }: TablePlan, at: number): TablePlan => ({
    ...planned,
    table: {
      ...table,
      columns: table.columns.map((column, place) => ({
        ...column,
        type: tables?.[at]?.columns[place]?.type ?? column.type
      }))
    }
  })
  return {
    plan: { ...plan, tables: plan.tables.map((planned, at) => typed(renamed(planned, names), at)) },
    rows: (table, rows) => {
      const cells = converters.get(table)
      return cells === undefined ? rows : rows.map((row) => taken(row, cells))
    }
  }
}

/** The name of a column in the destination, and what a cell becomes there. */
interface Taken {
  readonly name: string
  readonly convert: (cell: unknown) => unknown
}

const cellsOf = ({ columns }: Table.Table, stored: Table.Table): ReadonlyMap<string, Taken> | undefined => {
  const cells = columns.flatMap(({ name, type }, at) => {
    const other = stored.columns[at]
    if (other === undefined || (other.name === name && Column.toSql(other.type) === Column.toSql(type))) return []
    return [[name, { name: other.name, convert: cellConverter(type, other.type) }] as const]
  })
  return cells.length === 0 ? undefined : new Map(cells)
}

const namesIn = (cells: ReadonlyMap<string, Taken>): ReadonlyMap<string, string> =>
  new Map([...cells].map(([own, { name }]) => [own, name]))

const taken = (row: Table.Row, cells: ReadonlyMap<string, Taken>): Table.Row => {
  const made: Record<string, unknown> = {}
  for (const [name, cell] of Object.entries(row)) {
    const there = cells.get(name)
    setCell(made, there?.name ?? name, there === undefined ? cell : there.convert(cell))
  }
  return made
}
