/**
 * The work behind `millrace preview`: reads until there are enough rows of the main table, then stops the source (a
 * crawl is cancelled) and shows them. Nothing is written.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Table from "../pipeline/Table.ts"
import { failed } from "./CliFailure.ts"
import { loadPipeline } from "./loadPipeline.ts"
import { rowsAsText } from "./rowsAsText.ts"
import { type NetworkFlags, services } from "./services.ts"

export interface Options extends NetworkFlags {
  readonly file: string
  readonly vars: Readonly<Record<string, string>>
  readonly rows: number
  readonly json: boolean
}

export const previewPipeline = Effect.fn("previewPipeline")(function* (options: Options) {
  const { file, pipeline } = yield* loadPipeline(options.file, options.vars)
  const [main] = pipeline.source.tables
  const rows = yield* pipeline.source
    .read(Option.none(), { ...pipeline.limits, ...budget(pipeline.limits.credits, options.rows) })
    .pipe(
      Stream.map(
        (element): ReadonlyArray<Table.Row> =>
          element._tag === "Batch" && element.table.name === main.name ? element.rows : []
      ),
      Stream.flattenIterable,
      Stream.take(options.rows),
      Stream.runCollect,
      Effect.provide(services(file.service, file.network, options)),
      Effect.mapError((error) => (error._tag === "CliFailure" ? error : failed(`${pipeline.name}: ${error.message}`)))
    )
  if (options.json) {
    for (const row of rows) process.stdout.write(`${JSON.stringify(row, bigintAsNumber)}\n`)
    return
  }
  process.stdout.write(
    `${rowsAsText(
      main.columns.map(({ name }) => name),
      rows
    )}\n${rows.length} rows of ${main.name}, nothing written\n`
  )
}, Effect.scoped)

/** A preview should not cost more than it shows. */
const budget = (credits: number | undefined, rows: number) => ({ credits: Math.min(credits ?? rows, rows) })

const bigintAsNumber = (_key: string, value: unknown) => (typeof value === "bigint" ? Number(value) : value)
