/** The tables of a pipeline file as one of its sinks has them, without a run. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Check from "#engine/Check"
import type * as OutputTables from "#engine/OutputTables"
import type * as Pipeline from "#engine/Pipeline"
import { sinkTables } from "#engine/planOf"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { historyColumns } from "#engine/WriteDisposition"
import { wrong } from "../CliFailure.ts"
import { layoutOf } from "../layoutOf.ts"
import { loadPipeline } from "../loadPipeline.ts"

export interface Options {
  readonly file: string
  readonly vars: Readonly<Record<string, string>>
  readonly sink: Option.Option<string>
}

export interface SinkTable {
  /** With the columns that the way of writing adds. */
  readonly table: Table.Table
  readonly write: Sink.TablePlan["write"]
  /** What must hold of it before a commit. */
  readonly checks: ReadonlyArray<Check.Check>
}

export const tablesOfSink = Effect.fn("tablesOfSink")(function* (options: Options) {
  const loaded = yield* loadPipeline(options.file, options.vars)
  const { pipeline } = loaded
  const sinks = Object.entries(pipeline.sinks)
  const chosen = Option.match(options.sink, {
    onNone: () => sinks[0],
    onSome: (wanted) => sinks.find(([name]) => name === wanted)
  })
  if (chosen === undefined) {
    const wanted = Option.getOrElse(options.sink, () => "")
    return yield* wrong(`${pipeline.name} has no sink ${wanted}; sinks: ${sinks.map(([name]) => name).join(", ")}`)
  }
  const layout = yield* layoutOf(loaded)
  const [name, sink] = chosen
  return {
    pipeline,
    name,
    sink,
    schema: schemaOf(sink, pipeline.directory),
    tables: sinkTablesOf(pipeline, sink, layout)
  }
})

/** The schema of the tables as other programs find it: of the database, or `main` where views of DuckDB stand for them. */
const schemaOf = <R>({ readers }: Pick<Sink.Destination<R>, "readers">, directory: string): string => {
  const place = readers?.(directory)
  return place === undefined || place._tag === "SqlScript" ? "main" : place.schema
}

export const sinkTablesOf = <R>(
  pipeline: Pick<Pipeline.Pipeline<R>, "checks">,
  sink: Sink.Destination<R>,
  layout: OutputTables.OutputTables
): ReadonlyArray<SinkTable> =>
  sinkTables(sink, layout).map(({ table, write }) => {
    const isMain = table.name === layout.main.name
    return {
      table: write === "scd2" ? { ...table, columns: [...table.columns, ...historyColumns] } : table,
      write,
      checks: pipeline.checks.filter((check) => (check.table === undefined ? isMain : check.table === table.name))
    }
  })
