/** The pipeline that `millrace explore` shows: its file, its tables, and the sink to query. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as CellJson from "#engine/CellJson"
import type * as Queries from "#engine/Queries"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import type { NetworkFlags } from "#library/services"
import { layoutOf } from "../layoutOf.ts"
import { loadPipeline } from "../loadPipeline.ts"
import { sinkOf } from "../sql/sinkOf.ts"

export interface Options extends NetworkFlags {
  readonly file: string
  readonly vars: Readonly<Record<string, string>>
  readonly sink: Option.Option<string>
}

export type Explorer = Effect.Success<ReturnType<typeof open>>

export const open = Effect.fn("Explorer.make")(function* (options: Options) {
  const loaded = yield* loadPipeline(options.file, options.vars)
  // Checks are for new rows; here they would only run on empty tables.
  const layout = yield* Effect.scoped(layoutOf({ file: loaded.file, pipeline: { ...loaded.pipeline, checks: [] } }))
  const { name, sink } = yield* sinkOf(
    loaded.pipeline,
    Option.orElse(options.sink, () => firstReadable(loaded.pipeline))
  )
  // Postgres sinks use the SQL of Postgres, all others that of DuckDB.
  const isDuckDb = sink.readers?.(loaded.pipeline.directory)._tag !== "Postgres"
  return { path: options.file, network: options, loaded, layout, name, sink, isDuckDb }
})

/** The first sink that DuckDB reads. */
const firstReadable = <R>({
  directory,
  sinks
}: {
  readonly directory: string
  readonly sinks: Readonly<Record<string, Sink.Destination<R>>>
}) => {
  const found = Object.entries(sinks).find(([, sink]) => isReadByDuckDb(sink, directory))
  return Option.map(Option.fromUndefinedOr(found), ([name]) => name)
}

const isReadByDuckDb = <R>({ readers }: Pick<Sink.Destination<R>, "readers">, directory: string): boolean => {
  const opened = readers?.(directory)
  return opened !== undefined && opened._tag !== "Postgres"
}

/**
 * Queries the sink. Each query opens it and closes it again. So it sees the current tables, and an open page does not make a run
 * wait.
 */
export const ask = <A, E, R>(
  { loaded, sink }: Explorer,
  use: (queries: Queries.Queries) => Effect.Effect<A, E | Sink.SinkError, R>
) => Effect.scoped(Effect.flatMap(sink.queries(loaded.pipeline.directory, {}), use))

/** All rows of a small result, as JSON values. */
export const rowsOf = (queries: Queries.Queries, sql: string) =>
  Effect.flatMap(queries.ask(sql), ({ columns, rows }) => {
    const cells = columns.map(({ name, type }) => [name, CellJson.ofCell(type)] as const)
    return Effect.map(Stream.runCollect(rows), (chunks) =>
      chunks
        .flat()
        .map((row): Table.Row => Object.fromEntries(cells.map(([name, convert]) => [name, convert(row[name])])))
    )
  })
