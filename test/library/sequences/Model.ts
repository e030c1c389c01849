/**
 * What the documentation says of a sequence of runs (docs/write-dispositions.md, docs/columns.md, docs/wholeness.md): the
 * columns, rows, versions and rejects of each sink, and whether a run is done, held or refused.
 */
import {
  asColumn,
  type Cells,
  cellOf,
  columnsAfter,
  digestOf,
  endsOf,
  fitsInto,
  inJson,
  isNested,
  json,
  keyText,
  type Named,
  named,
  reshaped,
  seenIn,
  shown,
  survives,
  type Type,
  takes,
  Unfit,
  widened
} from "./values.ts"

export interface Place {
  readonly name: string
  readonly write: "append" | "replace" | "merge" | "scd2"
  readonly closes: boolean
}

export interface Table {
  readonly key: ReadonlyArray<string>
  readonly contract: "evolve" | "quarantine" | "freeze"
  readonly nested: "struct" | "json" | "tables"
  /** The columns whose change makes a version; undefined: all. */
  readonly fingerprint: ReadonlyArray<string> | undefined
}

/** The rows of a run under the names of their columns, and the types of columns that are given. */
export interface Reading {
  /** Undefined is no row. */
  readonly rows: ReadonlyArray<Cells | undefined>
  readonly types: ReadonlyArray<Named> | undefined
  /** How many rows an answer has, and after how many rows a part is committed. */
  readonly parts: { readonly answer: number; readonly commit: number } | undefined
}

export interface Version {
  readonly cells: Cells
  /** The run that wrote it, and when scd2 closed it. */
  readonly run: number
  readonly to: number | undefined
}

export interface Reject {
  readonly run: number
  readonly by: "source" | "destination"
  /** The columns of which one is named. */
  readonly columns: ReadonlyArray<string>
}

export interface State {
  readonly columns: ReadonlyArray<Named>
  readonly rows: ReadonlyArray<Version>
  readonly rejects: ReadonlyArray<Reject>
  /** How many rows its last run has written. */
  readonly last: number
  /** The tables of its lists, by the columns that these were. */
  readonly lists: ReadonlyMap<string, Items>
}

/** The table of the items of lists. */
export type Items = Pick<State, "columns" | "rows">

export interface Outcome {
  readonly status: "done" | "held" | "refused"
  /** Each sink's after the run, and after each of its parts. */
  readonly states: ReadonlyMap<string, ReadonlyArray<State>>
}

/** A row of a run: its cells, the columns that do not fit, and its key if it has one. */
interface Came {
  readonly cells: Map<string, unknown>
  readonly faults: ReadonlyArray<string>
  readonly key: string | undefined
  readonly items: ReadonlyMap<string, ReadonlyArray<unknown>>
}

export const run = (
  places: ReadonlyArray<Place>,
  table: Table,
  before: ReadonlyMap<string, State>,
  reading: Reading,
  number: number
): Outcome => {
  const nothing: Outcome = { status: "refused", states: new Map() }
  const seen = reading.types ?? seenIn(reading.rows)
  const columns = seen.map(({ name, type }): Named => ({ name, type: asColumn(type) }))
  const hasRowIds = table.key.length === 0 && columns.some(({ type }) => isList(table, type))
  const came = reading.rows.map((row) => cameOf(row, columns, table))
  if (hasRowIds) for (const [at, { cells }] of came.filter(fits).entries()) cells.set(rowId.name, `${number}-${at}`)
  const isFrozen = table.contract === "freeze"
  const columnsFor = ({ write }: Place, of: ReadonlyArray<Named>) => [
    ...of.flatMap((column) => columnsIn(table, column, write === "scd2")),
    ...(hasRowIds ? [rowId] : [])
  ]
  /** The columns of the run, with the types of those that a sink has where the rows show none. */
  const ownOf = (place: Place) => {
    const typeIn = (name: string) => named(before.get(place.name)?.columns ?? [], name)?.type
    const own = seen.map(({ name, type }) => ({ name, type: asColumn(type, typeIn(name)) }))
    return columnsFor(place, own)
  }
  const itemsOf = (place: Place, list: string) => before.get(place.name)?.lists.get(list)
  const listsOf = (place: Place): Incoming["lists"] =>
    new Map(
      seen.flatMap(({ name, type }) =>
        isList(table, type) ? [[name, asColumn(type.of.type, itemType(itemsOf(place, name)))] as const] : []
      )
    )
  const refuses = (state: Items | undefined, own: ReadonlyArray<Named>) =>
    state !== undefined &&
    !own.every(({ name, type }) => {
      const there = named(state.columns, name)
      return there !== undefined && fitsInto(type, there.type)
    })
  const knows = (state: State | undefined, name: string) =>
    [columns, state?.columns ?? []].some((some) => named(some, name) !== undefined)
  const isLacking = ({ name, write }: Place) =>
    write === "scd2" &&
    table.fingerprint?.every((column) => [column, digestName(column)].some((one) => knows(before.get(name), one))) ===
      false
  if (places.some(isLacking)) return nothing
  const isRefusedBy = (place: Place) =>
    refuses(before.get(place.name), ownOf(place)) ||
    [...listsOf(place)].some(([name, type]) => refuses(itemsOf(place, name), [{ name: "value", type }]))
  if (isFrozen && (came.some(isUnfit) || places.some(isRefusedBy))) return nothing
  const fit = came.filter(fits)
  const removes = ({ closes, write }: Place) => write === "replace" || closes
  const known = places.flatMap(({ name }) => before.get(name) ?? [])
  const isEmpty = fit.length === 0 && (came.length > 0 || ((known[0]?.last ?? 0) > 0 && places.some(removes)))
  const all = places.map((place) => ({
    place,
    taken: came.map((row) => taken(row, place, table, before.get(place.name), columnsFor(place, columns)))
  }))
  const isRefused = fit.length > 0 && all.every(({ taken }) => taken.every(isUnfit))
  if (isEmpty || isRefused) return { status: "held", states: new Map() }
  if (isFrozen && all.some(({ taken }) => taken.some(isUnfit))) return nothing
  const fitting = all.map(({ taken }) => taken.map(fits))
  const ends = endsOf(fitting, reading.parts, reading.rows.length)
  return {
    status: "done",
    states: new Map(
      all.map(({ place, taken }) => {
        const states: Array<State> = []
        let [state, from] = [before.get(place.name), 0]
        for (const end of ends) {
          const some = taken.slice(from, end)
          // Without rows a sink commits no part, only the end of the run.
          const isPart = end < taken.length
          if (isPart && some.every(isUnfit)) continue
          from = end
          const incoming = { own: ownOf(place), from: columnsFor(place, columns), lists: listsOf(place) }
          state = commit(place, table, state, incoming, some, number)
          states.push(state)
        }
        return [place.name, states]
      })
    )
  }
}

const isList = ({ nested }: Table, type: Type): type is Extract<Type, { _tag: "LIST" }> =>
  nested === "tables" && type._tag === "LIST"
const countName = (column: string) => `${column}__count`
/** The key of rows without one, which have items in tables. */
const rowId: Named = { name: "_row_id", type: { _tag: "VARCHAR" } }
const digestName = (column: string) => `${column}__digest`

/** The columns that a column of the rows becomes. */
const columnsIn = (table: Table, column: Named, isHistory: boolean): ReadonlyArray<Named> => {
  if (table.nested === "json" && isNested(column.type)) return [{ ...column, type: json }]
  if (!isList(table, column.type)) return [column]
  const digest: Named = { name: digestName(column.name), type: { _tag: "VARCHAR" } }
  return [{ name: countName(column.name), type: { _tag: "BIGINT" } }, ...(isHistory ? [digest] : [])]
}

const fits = ({ faults }: Came): boolean => faults.length === 0
const isUnfit = ({ faults }: Came): boolean => faults.length > 0

const cameOf = (row: Cells | undefined, columns: ReadonlyArray<Named>, table: Table): Came => {
  const { key, nested } = table
  const items = new Map<string, ReadonlyArray<unknown>>()
  if (row === undefined) return { cells: new Map(), faults: ["null"], key: undefined, items }
  const cells = new Map<string, unknown>()
  const faults: Array<string> = []
  for (const [name, value] of row) {
    if ((value ?? null) !== null && named(columns, name) === undefined) faults.push(name)
  }
  for (const { name, type } of columns) {
    try {
      const cell = cellOf(type, row.get(name))
      cells.set(name, nested === "json" && isNested(type) ? inJson(cell, type, undefined, true) : cell)
      if (!isList(table, type) || !Array.isArray(cell)) continue
      items.set(name, cell)
      cells.set(countName(name), BigInt(cell.length)).set(digestName(name), digestOf(cell))
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      faults.push(name)
    }
  }
  const isWhole = key.length > 0 && key.every((name) => (cells.get(name) ?? null) !== null)
  return { cells, faults, key: isWhole ? keyText(key, columns, cells) : undefined, items }
}

type Taken = Came & Pick<Reject, "by">

/** The row as a sink takes it, or why it does not. */
const taken = (
  came: Came,
  { write }: Place,
  { contract, key }: Table,
  state: State | undefined,
  columns: ReadonlyArray<Named>
): Taken => {
  if (!fits(came)) return { ...came, by: "source" }
  const isLacking = (name: string) => (came.cells.get(name) ?? null) === null
  const misfits = columns.filter(({ name, type }) => {
    if (state === undefined) return false
    const there = named(state.columns, name)
    if (contract === "evolve")
      return (
        write !== "replace" &&
        there !== undefined &&
        !survives(came.cells.get(name), type, widened(there, type, state.rows))
      )
    return there === undefined ? !isLacking(name) : !takes(there.type, type, came.cells.get(name) ?? null)
  })
  const absent = write === "merge" || write === "scd2" ? key.filter(isLacking) : []
  return { ...came, faults: [...misfits.map(({ name }) => name), ...absent], by: "destination" }
}

/** The columns of a run as they are stored, and as its cells are; and the types of the items of its lists. */
interface Incoming extends Record<"own" | "from", ReadonlyArray<Named>> {
  readonly lists: ReadonlyMap<string, Type>
}

const commit = (
  place: Place,
  table: Table,
  before: State | undefined,
  { from, lists, own }: Incoming,
  some: ReadonlyArray<Taken>,
  run: number
): State => {
  const fresh = some.filter(fits)
  const keyOf = (columns: ReadonlyArray<Named>, { cells }: { cells: Cells }) => keyText(table.key, columns, cells)
  // A history has no rows without a key, so a row without one is none that is stored.
  const isComplete = some.every(
    (row) => fits(row) || row.key !== undefined || (row.by === "destination" && place.write === "scd2")
  )
  const retained = new Set(some.flatMap((row) => (fits(row) || row.key === undefined ? [] : [row.key])))
  const isFixed = table.contract !== "evolve" && before !== undefined
  const stored = before?.columns ?? []
  let kept = before?.rows ?? []
  if (place.write === "replace") {
    const goes = new Set(fresh.map((row) => keyOf(own, row)))
    kept =
      table.key.length === 0
        ? []
        : kept.filter((row) =>
            table.key.some((name) => (row.cells.get(name) ?? null) === null)
              ? !isComplete
              : !goes.has(keyOf(stored, row)) && (!isComplete || retained.has(keyOf(stored, row)))
          )
  }
  const columns = isFixed ? stored : columnsAfter(place, stored, own, kept)
  const old = kept.map((row) => ({ ...row, cells: reshaped(row.cells, stored, columns) }))
  const made = fresh.map(({ cells, items }) => ({ cells: reshaped(cells, from, columns), run, to: undefined, items }))
  const ownKey = (row: Version) => keyOf(columns, row)
  const rows = merged(place, table, old, made, { columns, isComplete, retained, keyOf: ownKey, run })
  const last = new Map(made.map((row) => [ownKey(row), row]))
  const counting = made.filter(
    (row) =>
      !/merge|scd2/.test(place.write) ||
      (last.get(ownKey(row)) === row && (place.write === "merge" || rows.includes(row)))
  )
  const rowKey = table.key.length === 0 ? [rowId.name] : table.key
  const key = rowKey.map((of) => {
    return { name: `_parent_${of.replace(/^_/, "")}`, of, type: named(columns, of)?.type ?? rowId.type }
  })
  const family = { rows, kept: old, keyOf: (row: Version) => keyText(rowKey, columns, row.cells), counting, run, table }
  const parts = [...new Set([...(before?.lists.keys() ?? []), ...lists.keys()])].map((name) => {
    const there = before?.lists.get(name)
    return [name, itemsAfter(place, there, key, { name, type: lists.get(name) }, family)] as const
  })
  const odd = made.flatMap(({ items }) =>
    [...items].flatMap(([name, some]) => some.filter(isOdd(table, before?.lists.get(name), lists.get(name))))
  )
  return {
    columns,
    rows,
    lists: new Map(parts),
    rejects: [
      ...(before?.rejects ?? []),
      ...some.filter(isUnfit).map(({ by, faults }) => ({ run, by, columns: faults })),
      ...odd.map(() => ({ run, by: "destination" as const, columns: ["value"] }))
    ],
    last: fresh.length
  }
}

const itemType = (items: Items | undefined) => named(items?.columns ?? [], "value")?.type
/** Whether a table of items that stays as it is does not take an item. */
const isOdd =
  ({ contract }: Table, before: Items | undefined, type: Type = json, there = itemType(before)) =>
  (item: unknown): boolean =>
    contract !== "evolve" && there !== undefined && !takes(there, type, item)

/** The rows that items belong to, after a run; those that it kept, and those of its own that count. */
interface Family extends Record<"rows" | "kept", ReadonlyArray<Version>> {
  readonly keyOf: (row: Version) => string
  readonly run: number
  readonly counting: ReadonlyArray<Version & Pick<Came, "items">>
  readonly table: Table
}

/** The items of lists after a run. `type`: of the items; undefined: the run has no such lists. */
const itemsAfter = (
  place: Place,
  before: Items | undefined,
  key: ReadonlyArray<Named & { readonly of: string }>,
  { name, type }: { readonly name: string; readonly type: Type | undefined },
  { counting, keyOf, kept: keptRows, rows, run, table }: Family
): Items => {
  const stored = before?.columns ?? []
  const item = [{ name: "_index", type: { _tag: "BIGINT" } } as const, { name: "value", type: type ?? json }]
  const keyNames = key.map(({ name }) => name)
  // Without lists the run has the stored columns, but for the key of its rows.
  const own = [...key, ...(type === undefined ? stored.filter(({ name }) => !keyNames.includes(name)) : item)]
  const ownerOf = ({ cells }: { cells: Cells }, of: ReadonlyArray<Named>) => keyText(keyNames, of, cells)
  const staying = new Set(keptRows.map((row) => keyOf(row)))
  const kept = (before?.rows ?? []).filter((row) => place.write !== "replace" || staying.has(ownerOf(row, stored)))
  const columns = table.contract !== "evolve" && before !== undefined ? stored : columnsAfter(place, stored, own, kept)
  const old = kept.map((row) => ({ ...row, cells: reshaped(row.cells, stored, columns) }))
  const made = counting.flatMap(({ cells, items }) =>
    (items.get(name) ?? []).flatMap((value, at): ReadonlyArray<Version> => {
      if (isOdd(table, before, type)(value)) return []
      const parent = key.map((own) => [own.name, cells.get(own.of)] as const)
      const row = new Map<string, unknown>([...parent, ["_index", BigInt(at)], ["value", value]])
      return [{ cells: reshaped(row, own, columns), run, to: undefined }]
    })
  )
  if (place.write === "append" || place.write === "replace") return { columns, rows: [...old, ...made] }
  if (place.write === "scd2") {
    const ends = new Map(rows.map((row) => [`${row.run} ${keyOf(row)}`, row.to]))
    const ended = old.map((row) => ({ ...row, to: ends.get(`${row.run} ${ownerOf(row, columns)}`) }))
    return { columns, rows: [...ended, ...made] }
  }
  const textOf = ({ cells }: Version) => String(columns.map(({ name, type }) => shown(type, cells.get(name))))
  const owners = new Set(counting.map(keyOf))
  const [oldTexts, newTexts] = [new Set(old.map(textOf)), new Set(made.map(textOf))]
  const stays = (row: Version) => !owners.has(ownerOf(row, columns)) || newTexts.has(textOf(row))
  return { columns, rows: [...old.filter(stays), ...made.filter((row) => !oldTexts.has(textOf(row)))] }
}

const merged = (
  { closes, write }: Place,
  { fingerprint, key }: Table,
  old: ReadonlyArray<Version>,
  made: ReadonlyArray<Version>,
  of: Pick<Family, "keyOf" | "run"> & {
    readonly columns: ReadonlyArray<Named>
    readonly isComplete: boolean
    readonly retained: ReadonlySet<string>
  }
): ReadonlyArray<Version> => {
  if (write === "append" || write === "replace") return [...old, ...made]
  const last = new Map(made.map((row) => [of.keyOf(row), row]))
  const compared = of.columns.filter(
    ({ name }) =>
      write === "merge" || (fingerprint?.some((one) => name === one || name === digestName(one)) ?? !key.includes(name))
  )
  const textOf = ({ cells }: Version) =>
    String(compared.map(({ name, type }) => shown(type, cells.get(name)).replace(`"-0"`, `"0"`)))
  const current = new Map(old.filter(({ to }) => to === undefined).map((row) => [of.keyOf(row), row]))
  const isNews = (row: Version, there = current.get(of.keyOf(row))) =>
    there === undefined || textOf(there) !== textOf(row)
  const news = [...last.values()].filter((row) => isNews(row))
  const stays = (row: Version) => !news.some((one) => of.keyOf(one) === of.keyOf(row))
  if (write === "merge") return [...old.filter(stays), ...news]
  const isSeen = (row: Version) =>
    !closes || !of.isComplete || last.has(of.keyOf(row)) || of.retained.has(of.keyOf(row))
  return [
    ...old.map((row) => (row.to !== undefined || (stays(row) && isSeen(row)) ? row : { ...row, to: of.run })),
    ...news
  ]
}
