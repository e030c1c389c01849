/**
 * Makes child tables of the lists of a table (`nested: tables`).
 *
 * Each LIST column becomes the table `<table>__<column>` with one row per item, and so do lists inside of a STRUCT
 * (`<table>__<column>__<field>`), inside of items, and inside of lists (`...__value`). STRUCTs without lists stay. A child has,
 * in this order: the key of its main row, `_parent_<key>`; the positions of the items around it, `_parent_index` for the
 * nearest, `_parent_index_2` for the next; its own position, `_index`, from 0; the item, as `value` or as the fields of its
 * STRUCT; and the system columns of the main table. The main table has `<column>__count` instead of the list: null for null,
 * 0 for an empty list. For a history it also has `<column>__digest` (`ListDigest`): a change of the lists is a change of the row.
 *
 * Every child belongs to the main row by its key, at any depth, so merging the main row replaces all its children. A
 * main table without a key gets one: `_row_id`, from the run and the row's number in it. Names of the structure come
 * first; a field with the same name is numbered. A null item is a row of nulls, and so is a STRUCT of only nulls: the
 * two are the same.
 */
import type { Column } from "../Column.ts"
import * as ColumnName from "../ColumnName.ts"
import * as ListDigest from "../ListDigest.ts"
import * as Table from "../Table.ts"

export interface NestedColumns {
  /** The main table, and after it its child tables. */
  readonly tables: readonly [Table.Table, ...ReadonlyArray<Table.Table>]
  /** The columns with the digests of others, by the names of these: a history compares them. */
  readonly digests: ReadonlyMap<string, string>
  /** Splits rows of the table into batches of these tables, parents before their children. */
  readonly split: (rows: ReadonlyArray<Table.Row>, from: From) => ReadonlyArray<Table.Batch>
}

/** The position of a chunk in its run, from which `_row_id` is made. */
export interface From {
  readonly runId: string
  /** How many rows of the table this run has already split. */
  readonly ordinal: number
}

/** `isHistory`: whether a sink keeps a history of the table. */
export const childTables = (table: Table.Table, isHistory: boolean): NestedColumns => {
  if (!table.columns.some(({ name, type }) => !table.key.includes(name) && hasList(type))) {
    return { tables: [table], digests: new Map(), split: (rows) => Table.batches(table, rows) }
  }
  const named = table.key.length > 0 ? table : withRowId(table)
  const children: Array<Table.Table> = []
  const plan: Plan = { main: named, link: linkOf(named), children }
  const { columns, cut } = cutColumns(plan, named.name, named.columns, 0, { whole: new Set(named.key) })
  const digests = isHistory ? digestsOf(named, columns) : []
  const main = withDigests({ ...named, columns }, digests)

  const batchesOf = (rows: ReadonlyArray<Table.Row>): ReadonlyArray<Table.Batch> => {
    const out: Out = children.map(() => [])
    const mains = rows.map((row) => {
      const cells = cut(row, { cells: plan.link.cellsOf(row), system: plan.link.systemOf(row), above: [] }, out)
      for (const { digest, name, of } of digests) cells[name] = digest(row[of])
      return cells
    })
    const batches = children.map((child, at) => Table.batch(child, out[at] ?? []))
    return [Table.batch(main, mains), ...batches.filter((batch) => batch.rows.length > 0)]
  }
  return {
    tables: [main, ...children],
    digests: new Map(digests.map(({ name, of }) => [of, name])),
    split: (rows, from) => {
      const keyed = named === table ? rows : rows.map((row, at) => ({ ...row, [rowId]: rowIdOf(from, at) }))
      return withoutRepeats(named.key, keyed).flatMap(batchesOf)
    }
  }
}

/** A column with the digests of another. */
interface Digest {
  readonly of: string
  readonly name: string
  readonly from: string
  readonly digest: (cell: unknown) => string | null
}

const digestsOf = ({ columns, key }: Table.Table, taken: ReadonlyArray<Column>): ReadonlyArray<Digest> => {
  const nested = columns.filter(({ name, type }) => !key.includes(name) && hasList(type))
  const names = ColumnName.distinct(
    nested.map(({ name }) => ListDigest.nameOf(name)),
    taken.map(({ name }) => name)
  )
  return nested.map(({ from, name, type }, at) => ({
    of: name,
    name: names[at] ?? name,
    from: ListDigest.nameOf(from ?? name),
    digest: ListDigest.ofCell(type)
  }))
}

const withDigests = (table: Table.Table, digests: ReadonlyArray<Digest>): Table.Table => {
  const { reading } = table
  const columns = digests.map(
    ({ from, name, of }): Column => ({
      name,
      from,
      type: { _tag: "VARCHAR" },
      nullable: true,
      description: `the SHA-256 of ${of} as JSON: it is another one if an item has changed`
    })
  )
  const read = digests.flatMap(({ name, of }) => (reading?.columns[of] === true ? [[name, true] as const] : []))
  return {
    ...Table.extend(table, columns),
    ...(reading === undefined
      ? {}
      : { reading: { ...reading, columns: { ...reading.columns, ...Object.fromEntries(read) } } })
  }
}

const rowId = "_row_id"

const withRowId = (table: Table.Table): Table.Table => ({
  ...Table.extend(table, [
    // A run without lists gives its rows none.
    { name: rowId, type: { _tag: "VARCHAR" }, nullable: true, description: "the run, and the number of the row in it" }
  ]),
  key: [rowId]
})

const rowIdOf = ({ runId, ordinal }: From, at: number): string => `${runId}-${ordinal + at}`

interface Plan {
  readonly main: Table.Table
  readonly link: Link
  /** The child tables found so far: each table comes before the tables of its own lists. */
  readonly children: Array<Table.Table>
}

/** What child rows get from their main row, and the positions of the items around them, the nearest first. */
interface ParentRow {
  readonly cells: Table.Row
  readonly system: Table.Row
  readonly above: ReadonlyArray<number>
}

/** Rows of each child, in the order of the tables. */
type Out = ReadonlyArray<Array<Table.Row>>

type Cut = (row: object, place: ParentRow, out: Out) => Record<string, unknown>

const runId = "_run_id"

/**
 * The columns with counts instead of lists, and the function that splits a row. `depth` counts the lists around them. `root`: the column
 * of the main table that they are in.
 */
const cutColumns = (
  plan: Plan,
  path: string,
  columns: ReadonlyArray<Column>,
  depth: number,
  { root, whole = new Set() }: { readonly root?: string; readonly whole?: ReadonlySet<string> }
): { readonly columns: ReadonlyArray<Column>; readonly cut: Cut } => {
  const isList = ({ name, type }: Column) => type._tag === "LIST" && !whole.has(name)
  const wanted = columns.map((column) => (isList(column) ? `${column.name}__count` : column.name))
  const names = ColumnName.distinct(wanted, [], (at) => wanted[at] === columns[at]?.name)
  const parts = columns.map((column, at): { readonly column: Column; readonly cut: CutCell } => {
    const { type, nullable } = column
    const name = names[at] ?? column.name
    if (type._tag === "LIST" && isList(column)) {
      const { cut, table } = cutList(plan, `${path}__${column.name}`, { ...column, type }, depth, root ?? column.name)
      const description = `the number of items that ${column.name} has in ${table}`
      const from = `${column.from ?? column.name}__count`
      return { column: { name, type: { _tag: "BIGINT" }, nullable, description, from }, cut }
    }
    if (type._tag !== "STRUCT" || !hasList(type) || whole.has(column.name)) return { column, cut: (cell) => cell }
    const inner = cutColumns(plan, `${path}__${column.name}`, type.fields, depth, { root: root ?? column.name })
    return {
      column: { ...column, name, type: { _tag: "STRUCT", fields: inner.columns } },
      cut: (cell, place, out) => (typeof cell === "object" && cell !== null ? inner.cut(cell, place, out) : null)
    }
  })
  return {
    columns: parts.map(({ column }) => column),
    cut: (row, place, out) => {
      const cells: Record<string, unknown> = {}
      parts.forEach(({ column, cut }, at) => {
        const from = columns[at]?.name ?? column.name
        const cell: unknown = Object.hasOwn(row, from) ? Reflect.get(row, from) : null
        cells[column.name] = cut(cell ?? null, place, out)
      })
      return cells
    }
  }
}

type CutCell = (cell: unknown, place: ParentRow, out: Out) => unknown

interface ListColumn extends Column {
  readonly type: Extract<Column["type"], { readonly _tag: "LIST" }>
}

/** Makes the table of a list, and the function that adds its items there and returns their count. */
const cutList = (
  plan: Plan,
  path: string,
  { description, type: { of } }: ListColumn,
  depth: number,
  root: string
): { readonly cut: CutCell; readonly table: string } => {
  const { main, link, children } = plan
  const isStruct = of.type._tag === "STRUCT"
  const item = of.type._tag === "STRUCT" ? of.type.fields : [{ ...of, name: "value" }]
  const positions = Array.from({ length: depth }, (_, level) => `_parent_index${level === 0 ? "" : `_${level + 1}`}`)
  const linkNames = link.columns.map(({ name }) => name)
  const indexes = ColumnName.distinct([...positions, "_index"], linkNames)
  const table: Table.Table = {
    name: nameOf(plan, path),
    description: `the items of ${path.slice(main.name.length + 2).replaceAll("__", ".")} of ${main.name}, one row per item${description === undefined ? "" : `: ${description}`}`,
    key: [...link.key, ...indexes],
    columns: [],
    parent: { ...link.parent, list: root }
  }
  const at = children.push(table) - 1
  const inner = cutColumns(plan, table.name, item, depth + 1, { root })
  const itemNames = ColumnName.distinct(
    inner.columns.map(({ name }) => name),
    [...linkNames, ...indexes, runId]
  )
  const used = new Set([...linkNames, ...indexes, ...itemNames].map((name) => name.toLowerCase()))
  const system = link.system.filter(({ name }) => !used.has(name))
  children[at] = {
    ...table,
    columns: [
      ...link.columns,
      ...indexes.map(
        (name, index): Column => ({
          name,
          type: { _tag: "BIGINT" },
          nullable: false,
          description: `the place of the item${index + 1 < indexes.length ? " around it" : ""} in its list, from 0`
        })
      ),
      ...inner.columns.map((column, position) => ({
        ...column,
        name: itemNames[position] ?? column.name,
        nullable: column.nullable || of.nullable
      })),
      ...system
    ]
  }

  const rowOf = (value: unknown, index: number, { cells, system: shared, above }: ParentRow, out: Out): Table.Row => {
    const row: Record<string, unknown> = { ...cells }
    above.forEach((position, level) => (row[indexes[level] ?? ""] = position))
    row[indexes[above.length] ?? ""] = index
    const source = !isStruct ? { value } : typeof value === "object" && value !== null ? value : {}
    const item = inner.cut(source, { cells, system: shared, above: [index, ...above] }, out)
    inner.columns.forEach(({ name }, position) => (row[itemNames[position] ?? name] = item[name]))
    for (const { name } of system) row[name] = shared[name]
    return row
  }
  return {
    table: table.name,
    cut: (cell, place, out) => {
      if (!Array.isArray(cell)) return null
      cell.forEach((value: unknown, index) => out[at]?.push(rowOf(value, index, place, out)))
      return cell.length
    }
  }
}

/** A name for a child table that no other table of this plan has. */
const nameOf = ({ main, children }: Plan, path: string): string => {
  const taken = [main, ...children].map(({ name }) => name)
  return ColumnName.distinct([path], taken)[0] ?? path
}

const hasList = (type: Column["type"]): boolean =>
  type._tag === "LIST" || (type._tag === "STRUCT" && type.fields.some((field) => hasList(field.type)))

/** Splits rows so that no chunk has two rows of one key, because the children of each row must follow their own row. */
const withoutRepeats = (
  key: ReadonlyArray<string>,
  rows: ReadonlyArray<Table.Row>
): ReadonlyArray<ReadonlyArray<Table.Row>> => {
  const chunks: Array<Array<Table.Row>> = []
  let seen = new Set<string>()
  for (const row of rows) {
    const name = Table.keyText(row, key)
    if (chunks.length === 0 || seen.has(name)) {
      chunks.push([])
      seen = new Set()
    }
    seen.add(name)
    chunks.at(-1)?.push(row)
  }
  return chunks
}

/**
 * The columns of child tables that refer to a row of the main table: its key, and the system columns that they copy.
 */
interface Link {
  readonly columns: ReadonlyArray<Column>
  /** Those of them that hold the key of the main table. */
  readonly key: ReadonlyArray<string>
  readonly parent: Table.Parent
  readonly cellsOf: (row: Table.Row) => Table.Row
  readonly system: ReadonlyArray<Column>
  readonly systemOf: (row: Table.Row) => Table.Row
}

const systemNames: ReadonlySet<string> = new Set(["_run_id", "_fetched_at", "_source_url", "_job_id"])

/** If the main table itself has a parent, its children refer to that parent, because merging the parent replaces them all. */
const linkOf = ({ name, key, columns, parent }: Table.Table): Link => {
  const belongs = Object.keys(parent?.on ?? {})
  const linked = columns.filter((column) => key.includes(column.name) || belongs.includes(column.name))
  const names = ColumnName.distinct(linked.map((column) => `_parent_${column.name.replace(/^_+/, "")}`))
  const pairs = linked.map((column, at) => [column.name, names[at] ?? column.name] as const)
  const system = columns.filter((column) => systemNames.has(column.name))
  const on = pairs
    .filter(([ours]) => (parent === undefined ? key : belongs).includes(ours))
    .map(([ours, theirs]) => [theirs, parent?.on[ours] ?? ours] as const)
  return {
    columns: linked.map((column, at) => ({
      ...column,
      name: names[at] ?? column.name,
      description: `${column.name} of the row of ${name} that the item belongs to`
    })),
    key: pairs.filter(([ours]) => key.includes(ours)).map(([, theirs]) => theirs),
    parent: { table: parent?.table ?? name, on: Object.fromEntries(on), isList: true },
    cellsOf: (row) => Object.fromEntries(pairs.map(([ours, theirs]) => [theirs, row[ours]])),
    system,
    systemOf: (row) => Object.fromEntries(system.map((column) => [column.name, row[column.name] ?? null]))
  }
}
