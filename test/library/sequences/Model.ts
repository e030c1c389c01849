/**
 * What the documentation says of a sequence of runs (docs/write-dispositions.md, docs/columns.md, docs/wholeness.md): the
 * columns, rows, versions and rejects of each sink, and whether a run is done, held or refused.
 */
import {
  asColumn,
  type Cells,
  cellOf,
  convert,
  fitsInto,
  inJson,
  type Named,
  shown,
  survives,
  type Type,
  takes,
  together,
  typeOf,
  Unfit,
  widen
} from "./values.ts"

export interface Place {
  readonly name: string
  readonly write: "append" | "replace" | "merge" | "scd2"
  readonly closes: boolean
}

export interface Table {
  readonly key: ReadonlyArray<string>
  readonly contract: "evolve" | "quarantine" | "freeze"
  readonly isJson: boolean
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
}

export interface Outcome {
  readonly status: "done" | "held" | "refused"
  /** Each sink's after the run, and after each of its parts. */
  readonly states: ReadonlyMap<string, ReadonlyArray<State>>
}

/** A row of a run: its cells, the columns that do not fit, and its key if it has one. */
interface Came {
  readonly cells: Cells
  readonly faults: ReadonlyArray<string>
  readonly key: string | undefined
}

export const run = (
  places: ReadonlyArray<Place>,
  table: Table,
  before: ReadonlyMap<string, State>,
  reading: Reading,
  number: number
): Outcome => {
  const nothing: Outcome = { status: "refused", states: new Map() }
  const columns = columnsOf(reading)
  const came = reading.rows.map((row) => cameOf(row, columns, table))
  const isFrozen = table.contract === "freeze"
  const own = columns.map((column) => (table.isJson && isNested(column.type) ? { ...column, type: asJson } : column))
  const refuses = (state: State | undefined) =>
    state !== undefined &&
    !own.every(({ name, type }) => {
      const there = named(state.columns, name)
      return there !== undefined && fitsInto(type, there.type)
    })
  const knows = (state: State | undefined, name: string) =>
    [columns, state?.columns ?? []].some((some) => named(some, name) !== undefined)
  const isLacking = ({ name, write }: Place) =>
    write === "scd2" && table.fingerprint?.every((column) => knows(before.get(name), column)) === false
  if (places.some(isLacking)) return nothing
  if (isFrozen && (came.some(isUnfit) || places.some(({ name }) => refuses(before.get(name))))) return nothing
  const fit = came.filter(fits)
  const removes = ({ closes, write }: Place) => write === "replace" || closes
  const known = places.flatMap(({ name }) => before.get(name) ?? [])
  const isEmpty = fit.length === 0 && (came.length > 0 || ((known[0]?.last ?? 0) > 0 && places.some(removes)))
  const all = places.map((place) => ({
    place,
    taken: came.map((row) => taken(row, place, table, before.get(place.name), own))
  }))
  const isRefused = fit.length > 0 && all.every(({ taken }) => taken.every(isUnfit))
  if (isEmpty || isRefused) return { status: "held", states: new Map() }
  if (isFrozen && all.some(({ taken }) => taken.some(isUnfit))) return nothing
  const ends = endsOf(
    all.map(({ taken }) => taken),
    reading
  )
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
          state = commit(place, table, state, own, some, number)
          states.push(state)
        }
        return [place.name, states]
      })
    )
  }
}

const named = (columns: ReadonlyArray<Named>, name: string) =>
  columns.find((column) => column.name.toLowerCase() === name.toLowerCase())
const asJson: Type = { _tag: "JSON" }
const isNested = ({ _tag }: Type) => _tag === "LIST" || _tag === "STRUCT"

const columnsOf = ({ rows, types }: Reading): ReadonlyArray<Named> => {
  if (types !== undefined) return types
  const found = new Map<string, ReturnType<typeof typeOf>>()
  for (const row of rows)
    for (const [name, value] of row ?? []) found.set(name, together(found.get(name), typeOf(value)))
  return [...found].flatMap(([name, type]) => (type === undefined ? [] : [{ name, type: asColumn(type) }]))
}

/** The values of the key, as one text. */
const keyText = (key: ReadonlyArray<string>, columns: ReadonlyArray<Named>, cells: Cells): string =>
  String(key.map((name) => shown(named(columns, name)?.type ?? asJson, cells.get(name))))

const fits = ({ faults }: Came): boolean => faults.length === 0
const isUnfit = ({ faults }: Came): boolean => faults.length > 0

const cameOf = (row: Cells | undefined, columns: ReadonlyArray<Named>, { isJson, key }: Table): Came => {
  if (row === undefined) return { cells: new Map(), faults: ["null"], key: undefined }
  const cells = new Map<string, unknown>()
  const faults: Array<string> = []
  for (const [name, value] of row) {
    if ((value ?? null) !== null && named(columns, name) === undefined) faults.push(name)
  }
  for (const { name, type } of columns) {
    try {
      const cell = cellOf(type, row.get(name))
      cells.set(name, isJson && isNested(type) ? inJson(cell, type, undefined, true) : cell)
    } catch (error) {
      if (!(error instanceof Unfit)) throw error
      faults.push(name)
    }
  }
  const isWhole = key.length > 0 && key.every((name) => (cells.get(name) ?? null) !== null)
  return { cells, faults, key: isWhole ? keyText(key, columns, cells) : undefined }
}

interface Taken extends Came {
  readonly by: Reject["by"]
}

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

/** Where parts end: after an answer with which a sink has enough rows. */
const endsOf = (sinks: ReadonlyArray<ReadonlyArray<Taken>>, { parts, rows }: Reading): ReadonlyArray<number> => {
  if (parts === undefined) return [rows.length]
  const ends: Array<number> = []
  const waiting = sinks.map(() => 0)
  for (let at = 0; at < rows.length; at += parts.answer) {
    const end = Math.min(at + parts.answer, rows.length)
    for (const [sink, taken] of sinks.entries())
      waiting[sink] = (waiting[sink] ?? 0) + taken.slice(at, end).filter(fits).length
    if (Math.max(...waiting) < parts.commit) continue
    ends.push(end)
    waiting.fill(0)
  }
  return [...ends.filter((end) => end < rows.length), rows.length]
}

const commit = (
  place: Place,
  table: Table,
  before: State | undefined,
  own: ReadonlyArray<Named>,
  some: ReadonlyArray<Taken>,
  run: number
): State => {
  const isFixed = table.contract !== "evolve" && before !== undefined
  const fresh = some.filter(fits)
  const keyOf = (columns: ReadonlyArray<Named>, { cells }: { cells: Cells }) =>
    String(table.key.map((name) => shown(named(columns, name)?.type ?? asJson, cells.get(name))))
  // A history has no rows without a key, so a row without one is none that is stored.
  const isComplete = some.every(
    (row) => fits(row) || row.key !== undefined || (row.by === "destination" && place.write === "scd2")
  )
  const retained = new Set(some.flatMap((row) => (fits(row) || row.key === undefined ? [] : [row.key])))
  const stored = before?.columns ?? []
  let kept = before?.rows ?? []
  if (place.write === "replace") {
    const goes = new Set(fresh.map((row) => keyOf(own, row)))
    kept =
      table.key.length === 0
        ? []
        : kept.filter((row) => !goes.has(keyOf(stored, row)) && (!isComplete || retained.has(keyOf(stored, row))))
  }
  const isNew = place.write === "replace" && kept.length === 0 && !isFixed
  const columns = isFixed
    ? stored
    : isNew
      ? own
      : [
          ...stored.map((column) => ({
            ...column,
            type: widened(column, named(own, column.name)?.type ?? column.type, kept)
          })),
          ...own.filter(({ name }) => named(stored, name) === undefined)
        ]
  const reshaped = (cells: Cells, from: ReadonlyArray<Named>): Cells =>
    new Map(
      columns.map(({ name, type }) => {
        const source = named(from, name)
        return [name, source === undefined ? null : convert(cells.get(source.name) ?? null, source.type, type)]
      })
    )
  const old = kept.map((row) => ({ ...row, cells: reshaped(row.cells, stored) }))
  const made = fresh.map(({ cells }): Version => ({ cells: reshaped(cells, own), run, to: undefined }))
  return {
    columns,
    rows: merged(place, table, old, made, {
      columns,
      own,
      isComplete,
      retained,
      keyOf: (row) => keyOf(columns, row),
      run
    }),
    rejects: [
      ...(before?.rejects ?? []),
      ...some.filter(isUnfit).map(({ by, faults }) => ({ run, by, columns: faults }))
    ],
    last: fresh.length
  }
}

/** What a stored column becomes: JSON if one of its values would lose digits. */
const widened = ({ name, type }: Named, coming: Type, rows: ReadonlyArray<Version>): Type => {
  const to = widen(type, coming)
  return rows.every(({ cells }) => survives(cells.get(name), type, to)) ? to : asJson
}

interface Merging {
  readonly columns: ReadonlyArray<Named>
  readonly own: ReadonlyArray<Named>
  readonly isComplete: boolean
  readonly retained: ReadonlySet<string>
  readonly keyOf: (row: Version) => string
  readonly run: number
}

const merged = (
  { closes, write }: Place,
  { fingerprint, key }: Table,
  old: ReadonlyArray<Version>,
  made: ReadonlyArray<Version>,
  of: Merging
): ReadonlyArray<Version> => {
  if (write === "append" || write === "replace") return [...old, ...made]
  const last = new Map(made.map((row) => [of.keyOf(row), row]))
  const compared = of.columns.filter(
    ({ name }) => write === "merge" || (fingerprint?.includes(name) ?? !key.includes(name))
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
