/** A sink at one place, and the few things that its laws do with it. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Column from "#engine/Column"
import { lastOf } from "#engine/onceRun"
import type * as Sink from "#engine/Sink"
import type { SinkAbility } from "#engine/SinkAbility"
import * as Table from "#engine/Table"
import { canonical } from "./specimens.ts"

/** The sink under test, and what its tests need. */
export interface Subject<R> {
  /** The sink under test, with its options, at a place of its own for each folder. */
  readonly destination: (directory: string) => Sink.Destination<R>
  /** The same with `removed: close`; every sink that has scd2 has it. */
  readonly closing?: (directory: string) => Sink.Destination<R>
  /**
   * What a reader sees that is not part of the sink: the committed rows of a table; none where there is no such table.
   * It is only asked for columns that are there. Absent: the sink itself is asked for its rows.
   */
  readonly read?: (directory: string, table: Table.Table) => Effect.Effect<ReadonlyArray<Table.Row>, unknown, R>
  /** What the sink needs; default: `Layer.empty`, nothing. */
  readonly layer?: Layer.Layer<R>
  /** How a second writer learns that there is one: at once (default), or when it has lost the race to commit. */
  readonly secondWriter?: "fails to open" | "fails to commit"
  /** At how many moments a commit is interrupted; default: 24. */
  readonly interruptions?: number
}

/** A law: a sentence, and how to see whether a sink keeps it. It fails where the sink does not. */
export interface Law {
  /** What it asks of a sink, as the test is called. */
  readonly sentence: string
  /** The write disposition that the law is about, if it is about one. */
  readonly of: Sink.WriteDisposition
  /** Whether the law is about a destination with `removed: close`. */
  readonly closing: boolean
  /** What a sink must be able to do for it; absent: nothing that a sink may lack. */
  readonly needs?: SinkAbility
  /** Tries it, on what `check` makes of a subject. It fails with the assertion that does not hold. */
  readonly run: <R>(bench: Bench<R>) => Effect.Effect<void, unknown, R>
}

export const law = (
  sentence: string,
  run: Law["run"],
  write: Sink.WriteDisposition = "append",
  removed: "keep" | "close" = "keep"
): Law => ({ sentence, of: write, closing: removed === "close", run })

/** Laws that only a sink with this ability can keep. */
export const needing = (ability: SinkAbility, laws: ReadonlyArray<Law>): ReadonlyArray<Law> =>
  laws.map((one) => ({ ...one, needs: ability }))

export interface Bench<R> {
  readonly secondWriter: NonNullable<Subject<R>["secondWriter"]>
  readonly interruptions: number
  /** The folder of this law alone. */
  readonly folder: string
  readonly open: (runId: string, tables: Tables, more?: More) => ReturnType<Sink.Destination<R>["open"]>
  /** Opens, uses and closes a writer. */
  readonly session: <A, E>(
    runId: string,
    tables: Tables,
    use: (writer: Sink.Writer) => Effect.Effect<A, E>,
    more?: More
  ) => Effect.Effect<A, E | Sink.SinkError, R>
  /** Opens, writes the rows in batches, commits and closes. */
  readonly load: (
    runId: string,
    table: Table.Table,
    write: Sink.WriteDisposition,
    rows: ReadonlyArray<Table.Row>,
    state: unknown,
    more?: More
  ) => Effect.Effect<Sink.CommitResult, Sink.SinkError, R>
  /** The runs that a reader finds. */
  readonly runs: Effect.Effect<ReadonlyArray<Sink.RunRecord>, Sink.SinkError, R>
  /** What the destination keeps of these runs; undefined where it does not tell. */
  readonly details: (
    runIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Sink.RunDetails> | undefined, unknown, R>
  /** The pipeline that each table belongs to, as the destination says. */
  readonly owners: Effect.Effect<Readonly<Record<string, string>>, Sink.SinkError, R>
  /** The run that committed under a caller's key, as the destination says. */
  readonly ranOnce: (of: Sink.OnceKey) => Effect.Effect<Option.Option<Sink.RunRecord>, Sink.SinkError, R>
  /** The newest runs of the suite's pipeline, as the destination says. */
  readonly newestRuns: (count: number) => Effect.Effect<ReadonlyArray<Sink.RunRecord>, Sink.SinkError, R>
  /** The rows as the subject's own reader has them. */
  readonly rows: (table: Table.Table) => Effect.Effect<ReadonlyArray<Table.Row>, unknown, R>
  /** The rows as the destination says that readers see them. */
  readonly seen: (table: Table.Table) => Effect.Effect<ReadonlyArray<Table.Row>, Sink.SinkError, R>
}

type Tables = ReadonlyArray<
  readonly [
    table: Table.Table,
    write: Sink.WriteDisposition,
    fingerprint?: ReadonlyArray<string>,
    absent?: Sink.TablePlan["absent"]
  ]
>

/** Other parts of a plan. Columns evolve by default. */
type More = Partial<Pick<Sink.Plan, "pipeline" | "evolve" | "again" | "shared">>

export const bench = <R>(subject: Subject<R>, directory: string): Bench<R> => {
  const open: Bench<R>["open"] = (runId, tables, more = {}) =>
    subject.destination(directory).open({
      pipeline: "suite",
      evolve: true,
      runId,
      directory,
      tables: tables.map(([table, write, fingerprint, absent]) => ({
        table,
        write,
        ...(fingerprint === undefined ? {} : { fingerprint }),
        ...(absent === undefined ? {} : { absent })
      })),
      ...more
    })
  const session: Bench<R>["session"] = (runId, tables, use, more) =>
    Effect.scoped(Effect.flatMap(open(runId, tables, more), use))
  return {
    secondWriter: subject.secondWriter ?? "fails to open",
    interruptions: subject.interruptions ?? 24,
    folder: directory,
    open,
    session,
    load: (runId, table, write, rows, state, more) =>
      session(
        runId,
        [[table, write]],
        (writer) =>
          Effect.gen(function* () {
            for (let at = 0; at < rows.length; at += 700) {
              yield* writer.write(Table.batch(table, rows.slice(at, at + 700)))
            }
            return yield* writer.commit(commitOf(runId, state))
          }),
        more
      ),
    runs: Effect.suspend(() => subject.destination(directory).runs(directory)),
    details: (runIds) =>
      Effect.suspend(() => {
        const { details } = subject.destination(directory)
        return details === undefined ? Effect.succeed(undefined) : details(directory, runIds)
      }),
    owners: Effect.suspend(() => {
      const { owners } = subject.destination(directory)
      if (owners === undefined) return Effect.die(new Error("the destination does not tell whose its tables are"))
      return Effect.map(owners(directory), (map) => Object.fromEntries(map))
    }),
    ranOnce: (of) =>
      Effect.suspend(() => {
        const { ranOnce, runs } = subject.destination(directory)
        return ranOnce === undefined ? Effect.map(runs(directory), (all) => lastOf(all, of)) : ranOnce(directory, of)
      }),
    newestRuns: (count) =>
      Effect.suspend(() => {
        const { newestRuns, runs } = subject.destination(directory)
        return newestRuns === undefined
          ? Effect.map(runs(directory), (all) => all.slice(-count))
          : newestRuns(directory, { pipeline: "suite", count })
      }),
    rows: (table) =>
      Effect.suspend(() => {
        const { read = subject.destination(directory).rows } = subject
        const found: Effect.Effect<ReadonlyArray<Table.Row>, unknown, R> = read(directory, table)
        return Effect.map(found, (rows) => rows.map((row) => canonical(table, row)))
      }),
    seen: (table) =>
      Effect.suspend(() =>
        Effect.map(subject.destination(directory).rows(directory, table), (rows) =>
          rows.map((row) => canonical(table, row))
        )
      )
  }
}

export const commitOf = (runId: string, state: unknown): Sink.Commit => ({
  checkpoint: { runId, state },
  run: { runId, pipeline: "suite", startedAt: 1_000_000n, committedAt: 2_000_000n, facts: { discovered: 1 }, rows: {} },
  checks: [],
  complete: true
})

export const page = (url: string, version: number): Table.Row => ({ url, title: `Page ${url}`, version })
export const link = (page_url: string, at: number): Table.Row => ({ page_url, at, href: `${page_url}#${at}` })

/** Columns by name and type; a destination need not know which of them are never null. */
export const typed = (columns: ReadonlyArray<Column.Column>): ReadonlyArray<string> =>
  columns.map(({ name, type }) => `${name} ${Column.toSql(type)}`)

/** Lets everything that is ready, promises and I/O included, have one turn. */
export const nextTurn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
