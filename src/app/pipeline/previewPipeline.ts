/**
 * The work behind `millrace preview`: reads until there are enough rows of the main table, then stops the source (a
 * crawl is cancelled), takes the steps, and shows them. Nothing is written.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as CellJson from "#engine/CellJson"
import type * as Column from "#engine/Column"
import * as PartialRowMerger from "#engine/PartialRowMerger"
import * as Source from "#engine/Source"
import type * as Stage from "#engine/Stage"
import type * as Table from "#engine/Table"
import type { Row } from "#engine/Table"
import { engine, type NetworkFlags, withService } from "#library/services"
import { failed } from "#see/CliFailure"
import { type Format, forTerminal } from "#see/format"
import { layoutOf } from "#see/layoutOf"
import { loadPipeline } from "#see/loadPipeline"
import { jsonLine, printableLine } from "#see/printable"
import { failureOf } from "#see/runReport"

interface Options extends NetworkFlags {
  readonly file: string
  readonly vars: Readonly<Record<string, string>>
  readonly rows: number
  readonly format: Format
}

export const previewPipeline = Effect.fn("previewPipeline")(
  function* (options: Options) {
    yield* forTerminal(options.format)
    const loaded = yield* loadPipeline(options.file, options.vars)
    const { file } = loaded
    const { stage, main } = yield* layoutOf({ file, pipeline: { ...loaded.pipeline, checks: [] } })
    const { limits, source } = yield* withService(file, loaded.pipeline, options, false)
    const came = yield* Source.read(source, { limits: { ...limits, ...budget(limits.credits, options.rows) } }).pipe(
      Stream.map(
        (element): ReadonlyArray<Table.Row> =>
          element._tag === "Batch" && element.table.name === source.tables[0].name ? element.rows : []
      ),
      Stream.flattenIterable,
      Stream.take(options.rows),
      Stream.runCollect,
      Effect.mapError((error) => failureOf(file, error, false))
    )
    const read = whole(source.tables[0], came)
    const rows =
      stage === undefined
        ? read
        : yield* stepped(stage, main.name, read).pipe(Effect.mapError((error) => failureOf(file, error, false)))
    const { columns } = stage?.tables[0] ?? source.tables[0]
    if (options.format === "arrow") {
      const { asArrow } = yield* Effect.promise(() => import("#see/answerArrow"))
      const written = asArrow({ columns, rows: Stream.make(rows) }, process.stdout)
      return yield* Effect.mapError(written, ({ message }) => failed(message))
    }
    const shown = rows.map(shownBy(columns))
    if (options.format === "json") {
      for (const row of shown) process.stdout.write(jsonLine(row))
      return
    }
    const names = main.columns.map(({ name }) => name).filter((name) => name !== "_run_id")
    const many = rows.length === 1 ? "1 row" : `${rows.length} rows`
    process.stdout.write(`${rowsAsText(names, shown)}\n${many} of ${main.name}, nothing written\n`)
  },
  Effect.scoped,
  Effect.provide(engine)
)

/** Rows that the source gives in parts; a run makes one row of them. */
const whole = (table: Table.Table, rows: ReadonlyArray<Table.Row>): ReadonlyArray<Table.Row> => {
  const parts = PartialRowMerger.of([table])
  if (!parts.holds(table)) return rows
  parts.take(
    table,
    rows.map((row) => ({ row, presence: "seen" }))
  )
  return parts.release().flatMap(([, staged]) => staged.map(({ row }) => row))
}

const stepped = Effect.fnUntraced(function* (stage: Stage.Stage, main: string, rows: ReadonlyArray<Table.Row>) {
  yield* stage.write(
    main,
    rows.map((row) => ({ row, presence: "seen" }))
  )
  yield* stage.finish
  const chunks = yield* Stream.runCollect(stage.rows(main))
  return chunks.flat().map(({ row }) => row)
})

/** A preview should not cost more than it shows. */
const budget = (credits: number | undefined, rows: number) => ({ credits: Math.min(credits ?? rows, rows) })

/** Rows with their cells as JSON has them: a time is a text in UTC, and not a number of microseconds. */
const shownBy = (columns: ReadonlyArray<Column.Column>) => {
  const cells = columns.map(({ name, type }) => [name, CellJson.ofCell(type)] as const)
  return (row: Table.Row): Table.Row => Object.fromEntries(cells.map(([name, convert]) => [name, convert(row[name])]))
}

/**
 * Rows as a person reads them on a terminal: one line a cell, cut to the width, rows apart.
 *
 * The cells of the rows are JSON values: numbers, texts, times as text.
 */
const rowsAsText = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>,
  width = process.stdout.columns ?? 100
): string => {
  const margin = Math.max(...columns.map((name) => printableLine(name).length))
  const line = (row: Row, name: string) => cut(`  ${printableLine(name).padEnd(margin)}  ${cell(row[name])}`, width)
  return rows
    .map((row, index) => {
      const filled = columns.filter((name) => row[name] !== null && row[name] !== undefined)
      return [`${index + 1}.`, ...filled.map((name) => line(row, name))].join("\n")
    })
    .join("\n")
}

const cell = (value: unknown): string => printableLine(typeof value === "string" ? value : JSON.stringify(value))

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)
