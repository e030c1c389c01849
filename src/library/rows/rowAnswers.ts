/**
 * Rows of a program as the answers of a source: lines of JSON, a thousand rows each, with the number of rows before them.
 *
 * The journal has the rows before anything is made of them, so a run that fails later is finished from there, and `replay`
 * gives the same rows. A row that does not fit its table is in the rejects, with its reason.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import * as CellJson from "../../pipeline/CellJson.ts"
import * as Checkpoint from "../../pipeline/Checkpoint.ts"
import { cellFromJson } from "../../pipeline/cellFromJson.ts"
import type { Element, Fetched, ResumePoint } from "../../pipeline/Source.ts"
import { SourceError } from "../../pipeline/Source.ts"
import * as Table from "../../pipeline/Table.ts"
import type { Inferred } from "./inferColumns.ts"
import { valueJson } from "./valueJson.ts"

/** Rows, all at once or as they come. */
export type RowIterable = Iterable<unknown> | AsyncIterable<unknown>

/** The table of the rows, and how the rows call its columns, where that is another name. */
export interface RowTable {
  readonly table: Table.Table
  readonly renamed: ReadonlyMap<string, string>
}

const rowsPerAnswer = 1000
const charactersPerAnswer = 4_000_000

/** Under the names that the rows have, or under those that columns can have. */
export const rowTable = (table: Omit<Table.Table, "columns">, columns: ReadonlyArray<Inferred>): RowTable => ({
  table: { ...table, columns: columns.map(({ column }) => column) },
  renamed: new Map(columns.flatMap(({ column, from }) => (column.name === from ? [] : [[from, column.name]])))
})

/** Asks for rows from the beginning, and gives those behind the ones that the journal has. */
export const fetchRows = (
  source: string,
  { renamed, table }: RowTable,
  from: Pick<ResumePoint<null, number>, "after">,
  open: (signal: AbortSignal) => RowIterable
): Stream.Stream<Fetched<number>, SourceError> => {
  const types = new Map(table.columns.map(({ name, type }) => [name, type]))
  const line = (row: unknown): string => {
    if (!isRow(row)) return JSON.stringify(CellJson.ofAnything(row))
    const cells = Object.entries(row).flatMap(([own, value]) => {
      const name = renamed.get(own) ?? own
      const type = types.get(name)
      // Nothing is lost with a column that has only nulls.
      return type === undefined && (value === null || value === undefined) ? [] : [[name, valueJson(value, type)]]
    })
    return JSON.stringify(Object.fromEntries(cells))
  }
  async function* answers(signal: AbortSignal): AsyncGenerator<Fetched<number>> {
    const skipped = Option.getOrElse(from.after, () => 0)
    let [count, characters] = [0, 0]
    let lines: Array<string> = []
    const answer = (kind: "rows" | "end"): Fetched<number> => ({
      kind,
      at: Date.now(),
      text: lines.join("\n"),
      cursor: count
    })
    for await (const row of open(signal)) {
      if (++count <= skipped) continue
      const text = line(row)
      lines.push(text)
      characters += text.length
      if (lines.length < rowsPerAnswer && characters < charactersPerAnswer) continue
      yield answer("rows")
      lines = []
      characters = 0
    }
    if (lines.length > 0) yield answer("rows")
    lines = []
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

const isRow = (row: unknown): row is object =>
  Predicate.isObject(row) && !Array.isArray(row) && !(row instanceof Date) && !(row instanceof Uint8Array)

const failure = (source: string, cause: unknown) =>
  new SourceError({
    source,
    message: `the rows cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    retryable: false,
    cause
  })

/** The rows of an answer; behind the last one, the checkpoint. */
export const decodeRows = ({ table }: RowTable): ((answer: Fetched<number>) => ReadonlyArray<Element<null>>) => {
  const cells = new Map(table.columns.map(({ name, type }) => [name, cellFromJson(type)]))
  return ({ kind, text }) => {
    if (kind === "end") return [Checkpoint.make(null)]
    const elements: Array<Element<null>> = []
    let batch: Array<Table.Row> = []
    for (const line of text.split("\n")) {
      const json: unknown = JSON.parse(line)
      if (Predicate.isObject(json) && !Array.isArray(json)) {
        const row = Object.entries(json).map(([name, value]) => [name, (cells.get(name) ?? asItIs)(value)] as const)
        batch.push(Object.fromEntries(row))
        continue
      }
      elements.push(...Table.batches(table, batch))
      batch = []
      elements.push({ _tag: "Reject", table, reason: "a row must be an object of names and values", raw: json })
    }
    return [...elements, ...Table.batches(table, batch)]
  }
}

const asItIs = (value: unknown): unknown => value
