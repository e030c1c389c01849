/** A sink at one place, and the few things that its laws do with it. */
import * as Effect from "effect/Effect"
import type * as Sink from "../pipeline/Sink.ts"
import * as Table from "../pipeline/Table.ts"
import type { Subject } from "./SinkSuite.ts"
import { canonical } from "./specimens.ts"

/** A law: a sentence, and how to see whether a sink keeps it. It fails where the sink does not. */
export interface Law {
  readonly sentence: string
  /** The write disposition that it speaks of, where it speaks of one. */
  readonly of: Sink.WriteDisposition
  readonly run: <R>(bench: Bench<R>) => Effect.Effect<void, unknown, R>
}

export const law = (sentence: string, run: Law["run"], of: Sink.WriteDisposition = "append"): Law => ({
  sentence,
  of,
  run
})

export interface Bench<R> {
  readonly secondWriter: Subject<R>["secondWriter"]
  readonly open: (runId: string, tables: Tables, pipeline?: string) => ReturnType<Sink.Destination<R>["open"]>
  /** Opens, uses and closes a writer. */
  readonly session: <A, E>(
    runId: string,
    tables: Tables,
    use: (writer: Sink.Writer) => Effect.Effect<A, E>,
    pipeline?: string
  ) => Effect.Effect<A, E | Sink.SinkError, R>
  /** Opens, writes the rows in batches, commits and closes. */
  readonly load: (
    runId: string,
    table: Table.Table,
    write: Sink.WriteDisposition,
    rows: ReadonlyArray<Table.Row>,
    state: unknown
  ) => Effect.Effect<Sink.Receipt, Sink.SinkError, R>
  /** The runs that a reader finds. */
  readonly runs: Effect.Effect<ReadonlyArray<Sink.RunRecord>, Sink.SinkError, R>
  readonly rows: (table: Table.Table) => Effect.Effect<ReadonlyArray<Table.Row>, unknown, R>
}

type Tables = ReadonlyArray<readonly [Table.Table, Sink.WriteDisposition]>

export const bench = <R>(subject: Subject<R>, directory: string): Bench<R> => {
  const open: Bench<R>["open"] = (runId, tables, pipeline = "suite") =>
    subject
      .destination(directory)
      .open({ pipeline, runId, directory, tables: tables.map(([table, write]) => ({ table, write })) })
  const session: Bench<R>["session"] = (runId, tables, use, pipeline) =>
    Effect.scoped(Effect.flatMap(open(runId, tables, pipeline), use))
  return {
    secondWriter: subject.secondWriter,
    open,
    session,
    load: (runId, table, write, rows, state) =>
      session(runId, [[table, write]], (writer) =>
        Effect.gen(function* () {
          for (let at = 0; at < rows.length; at += 700) {
            yield* writer.write(Table.batch(table, rows.slice(at, at + 700)))
          }
          return yield* writer.commit(commitOf(runId, state))
        })
      ),
    runs: Effect.suspend(() => subject.destination(directory).runs(directory)),
    rows: (table) => Effect.map(subject.read(directory, table), (rows) => rows.map((row) => canonical(table, row)))
  }
}

export const commitOf = (runId: string, state: unknown): Sink.Commit => ({
  checkpoint: { runId, state },
  run: { runId, pipeline: "suite", startedAt: 1_000_000n, committedAt: 2_000_000n, facts: { discovered: 1 }, rows: {} }
})

export const page = (url: string, version: number): Table.Row => ({ url, title: `Page ${url}`, version })
export const link = (page_url: string, at: number): Table.Row => ({ page_url, at, href: `${page_url}#${at}` })

/** Lets everything that is ready, promises and I/O included, have one turn. */
export const nextTurn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
