/**
 * Rows of a program as the answers of a source: lines of JSON, a thousand rows each, with what has been read till then.
 *
 * The journal has the rows before anything is made of them, so a run that fails later is finished from there, and `replay`
 * gives the same rows. A row that does not fit its table is in the rejects, with its reason.
 *
 * Guarantee: a run is of one reading. Reading continues after the rows that the journal has only where they come again as
 * they were; otherwise some rows would be in the run twice, and others not at all.
 */
import { crc32 } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as CellJson from "#engine/CellJson"
import * as Checkpoint from "#engine/Checkpoint"
import type { ColumnType } from "#engine/Column"
import { cellFromJson } from "#engine/cellFromJson"
import * as Instant from "#engine/Instant"
import type { Element, Fetched, ResumePoint } from "#engine/Source"
import { SourceError } from "#engine/Source"
import { setCell } from "#engine/setCell"
import * as Table from "#engine/Table"

/** Rows, all at once or as they come. */
export type RowIterable = Iterable<unknown> | AsyncIterable<unknown>

/** The table of the rows, and the names of its columns in the rows if they differ. */
export interface RowTable {
  readonly table: Table.Table
  readonly renamed: ReadonlyMap<string, string>
}

/** What has been read: how many rows, and a checksum of their lines. */
export const RowsRead = Schema.Struct({ rows: Schema.Int, sum: Schema.Int })
export type RowsRead = typeof RowsRead.Type

const rowsPerAnswer = 1000
const charactersPerAnswer = 4_000_000

/** Under the names that the rows have, or under those that columns can have. */
export const rowTable = (table: Table.Table): RowTable => ({
  table,
  renamed: new Map(table.columns.flatMap(({ from, name }) => (from === undefined ? [] : [[from, name]])))
})

/** Reads the rows from the beginning, and returns those after the rows that the journal has. */
export const fetchRows = (
  source: string,
  { renamed, table }: RowTable,
  from: Pick<ResumePoint<null, RowsRead>, "after">,
  open: (signal: AbortSignal) => RowIterable
): Stream.Stream<Fetched<RowsRead>, SourceError> => {
  const types = new Map(table.columns.map(({ name, type }) => [name, type]))
  const line = (given: unknown): string => {
    const row = Predicate.isObject(given) ? CellJson.inItsOwnWords(given) : given
    if (!isRow(row)) return JSON.stringify(CellJson.ofAnything(row))
    const cells: Record<string, unknown> = {}
    for (const own of Object.keys(row)) {
      const name = renamed.get(own) ?? own
      const type = types.get(name)
      const value = row[own]
      // Nothing is lost with a column that has only nulls.
      if (type !== undefined || (value !== null && value !== undefined)) setCell(cells, name, valueJson(value, type))
    }
    return JSON.stringify(cells)
  }
  async function* answers(signal: AbortSignal): AsyncGenerator<Fetched<RowsRead>> {
    const before = Option.getOrElse(from.after, (): RowsRead => ({ rows: 0, sum: 0 }))
    let [count, sum, characters] = [0, 0, 0]
    let lines: Array<string> = []
    const add = (text: string) => {
      sum = crc32("\n", crc32(text, sum))
    }
    /** Takes a row. Returns true if the answer is full. */
    const isFull = (row: unknown): boolean => {
      const text = line(row)
      if (++count <= before.rows) {
        add(text)
        if (count === before.rows && sum !== before.sum) throw changed(source)
        return false
      }
      lines.push(text)
      characters += text.length
      return lines.length >= rowsPerAnswer || characters >= charactersPerAnswer
    }
    const answer = (kind: "rows" | "end"): Fetched<RowsRead> => {
      const text = lines.join("\n")
      if (lines.length > 0) add(text)
      lines = []
      characters = 0
      return { kind, at: Date.now(), text, cursor: { rows: count, sum } }
    }
    const all = open(signal)
    if (Symbol.asyncIterator in all) {
      for await (const row of all) if (isFull(row)) yield answer("rows")
    } else {
      // What is there is not waited for: that would cost as much as the row.
      for (const row of all) if (isFull(row instanceof Promise ? await row : row)) yield answer("rows")
    }
    if (count < before.rows) throw changed(source)
    if (lines.length > 0) yield answer("rows")
    yield answer("end")
  }
  const stopped = Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort())
  )
  return Stream.unwrap(
    Effect.map(stopped, ({ signal }) =>
      Stream.fromAsyncIterable(answers(signal), (cause) =>
        cause instanceof SourceError ? cause : failure(source, cause)
      )
    )
  )
}

const isRow = (row: unknown): row is Table.Row =>
  Predicate.isObject(row) && !Array.isArray(row) && !(row instanceof Date) && !(row instanceof Uint8Array)

const failure = (source: string, cause: unknown) =>
  new SourceError({
    source,
    message: `the rows cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    retryable: false,
    cause
  })

const changed = (source: string) =>
  new SourceError({
    source,
    message: "other rows came than those that this run had read before it was interrupted; a new run reads them all",
    retryable: false,
    over: true
  })

/** The rows of an answer; after the last one, the checkpoint. */
export const decodeRows = ({ table }: RowTable): ((answer: Fetched<RowsRead>) => ReadonlyArray<Element<null>>) => {
  const cells = new Map(table.columns.map(({ name, type }) => [name, cellFromJson(type)]))
  return ({ kind, text }) => {
    if (kind === "end") return [Checkpoint.make(null)]
    const elements: Array<Element<null>> = []
    let batch: Array<Table.Row> = []
    for (const line of text.split("\n")) {
      const json: unknown = JSON.parse(line)
      if (Predicate.isObject(json) && !Array.isArray(json)) {
        for (const name of Object.keys(json)) {
          const convert = cells.get(name)
          if (convert !== undefined) setCell(json, name, convert(json[name]))
        }
        batch.push(json)
        continue
      }
      elements.push(...Table.batches(table, batch))
      batch = []
      elements.push({ _tag: "Reject", table, reason: "a row must be an object of names and values", raw: json })
    }
    return [...elements, ...Table.batches(table, batch)]
  }
}

/**
 * Values of a program as JSON values, each by the type of its column: what the journal keeps of a row.
 *
 * A value of another type than its column stays one: a Date in a column of texts is `{ "date": "..." }` here, and not a text,
 * so that the check of the row refuses it with its reason.
 */

/** `type`: of the column; undefined: there is no such column. */
const valueJson = (value: unknown, type: ColumnType | undefined): unknown => {
  if (type === undefined || type._tag === "JSON") return CellJson.ofAnything(value)
  switch (typeof value) {
    case "string":
      // A sink that writes UTF-8 would change it.
      return value.isWellFormed() ? value : { "text with half a surrogate pair": value.toWellFormed() }
    case "boolean":
      return value
    case "number":
      return ofNumber(value, type)
    case "bigint":
      return ofBigint(value, type)
    case "undefined":
      return null
    case "object":
      return value === null ? null : ofObject(value, type)
    case "function":
    case "symbol":
      return { [typeof value]: String(value) }
  }
}

const ofNumber = (value: number, type: ColumnType): unknown => {
  if (type._tag === "DECIMAL" && Number.isSafeInteger(value)) return String(value)
  if (!Number.isFinite(value)) return type._tag === "DOUBLE" ? String(value) : { number: String(value) }
  return type._tag === "DOUBLE" && Object.is(value, -0) ? negativeZero : value
}

/** JSON text has a -0 and `JSON.parse` reads it, but `JSON.stringify` writes 0. */
const negativeZero = JSON.rawJSON("-0")

const ofBigint = (value: bigint, type: ColumnType): unknown => {
  // As cells hold them: microseconds, and exact digits.
  if (type._tag === "TIMESTAMP" && BigInt.asIntN(64, value) === value) return Instant.textOf(value)
  if (type._tag === "DECIMAL") return String(value)
  const json = CellJson.ofAnything(value)
  return typeof json === "number" || type._tag === "BIGINT" ? json : { bigint: json }
}

const ofObject = (value: object, type: ColumnType): unknown => {
  if (value instanceof Date) {
    const text = CellJson.ofAnything(value)
    return type._tag === "TIMESTAMP" && !Number.isNaN(value.getTime()) ? text : { date: text }
  }
  if (value instanceof Uint8Array) return CellJson.ofAnything(value)
  const words = CellJson.inItsOwnWords(value)
  if (words !== value) return valueJson(words, type)
  if (Array.isArray(value)) {
    return type._tag === "LIST" ? value.map((item) => valueJson(item, type.of.type)) : CellJson.ofAnything(value)
  }
  if (type._tag !== "STRUCT") return CellJson.ofAnything(value)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
      const field = type.fields.find((one) => one.name === name)
      // Nothing is lost with a member that has only nulls.
      if (field === undefined && (member === null || member === undefined)) return []
      return [[name, valueJson(member, field?.type)]]
    })
  )
}
