/** A source that says what a test tells it to, sinks that write down what is done to them, and runs of both. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as Checkpoint from "#engine/Checkpoint"
import * as Journals from "#engine/Journals"
import * as Pipeline from "#engine/Pipeline"
import * as Run from "#engine/Run"
import * as Sink from "#engine/Sink"
import * as Source from "#engine/Source"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"

export const notes = Table.make({
  name: "notes",
  description: "notes",
  key: ["id"],
  schema: Schema.Struct({ id: Schema.Int }),
  presence: ({ id }) => (Number(id) >= 900 ? "failed" : Number(id) >= 800 ? "gone" : "seen")
})
export const lines = Table.make({
  name: "lines",
  description: "lines of notes",
  key: ["note", "n"],
  parent: { table: "notes", on: { note: "id" } },
  suffix: "_lines",
  schema: Schema.Struct({ note: Schema.Int, n: Schema.Int })
})

export type Element = Source.Element<number>
export type Elements = Stream.Stream<Element, Source.SourceError>

/** A source that says what it is told to, an answer for each element, and goes on behind any of them. */
export const sourceOf = (read: (start: Option.Option<number>, from: Source.ResumePoint<number, number>) => Elements) =>
  Source.make({
    type: "scripted",
    description: "says what a test tells it to",
    options: Schema.Struct({ of: Schema.optionalKey(Schema.String) }),
    state: Schema.Int,
    cursor: Schema.Int,
    tables: () => [notes, lines],
    fetch: (_options, from) => {
      const said = Option.getOrElse(from.after, () => 0)
      return read(from.start, from).pipe(
        Stream.drop(said),
        Stream.zipWithIndex,
        Stream.map(([element, at]) => ({
          kind: "element",
          at: 0,
          text: JSON.stringify(element),
          cursor: said + at + 1
        }))
      )
    },
    decode: (_options, { text }) => Effect.sync((): ReadonlyArray<Element> => [revived(JSON.parse(text))])
  })

/** An element as it was before it went through JSON: tables are known by name. */
const revived = (element: Element): Element => {
  if (!("table" in element)) return element
  const table = [notes, lines].find(({ name }) => name === element.table.name) ?? element.table
  return { ...element, table }
}

export const stream = (...elements: ReadonlyArray<Element>): Elements => Stream.fromIterable(elements)

export interface Log {
  readonly events: Array<string>
  readonly committed: Array<Sink.Commit>
  readonly plans: Array<Sink.Plan>
  /** The place of its last commit, as a destination keeps it. */
  resume?: Checkpoint.Stored
}

export const emptyLog = (): Log => ({ events: [], committed: [], plans: [] })

export interface Script {
  readonly resume?: Checkpoint.Stored
  readonly failsAt?: () => "open" | "write" | "commit" | undefined
  readonly writes?: ReadonlyArray<Sink.WriteDisposition>
  readonly owners?: Readonly<Record<string, string>>
  /** What a receipt says of its tables. */
  readonly tables?: Readonly<Record<string, Sink.TableResult>>
}

/** A sink that writes down what is done to it, and keeps its place. */
export const sinkOf = (log: Log, script: Script = {}) => {
  const broken = Effect.fail(new Sink.SinkError({ sink: "scripted", message: "the disk is full", retryable: false }))
  if (script.resume !== undefined) log.resume = script.resume
  const said = (rows: ReadonlyArray<Table.Row>) =>
    JSON.stringify(
      rows.map(({ _run_id, ...row }) => row),
      (_, cell) => (typeof cell === "bigint" ? Number(cell) : cell)
    )
  return Sink.make({
    type: "scripted",
    description: "writes down what is done to it",
    options: Schema.Struct({ write: Sink.writeOption, shared: Sink.sharedOption }),
    writes: script.writes ?? ["append", "replace", "merge", "scd2"],
    defaultWrite: () => "merge",
    runs: () => Effect.sync(() => log.committed.map(({ run }) => run)),
    rows: () => Effect.succeed([]),
    owners: () => Effect.sync(() => new Map(Object.entries(script.owners ?? {}))),
    open: (_options, plan) =>
      Effect.acquireRelease(
        Effect.suspend(() => {
          if (script.failsAt?.() === "open") return broken
          log.plans.push(plan)
          log.events.push(`open ${plan.tables.map(({ table, write }) => `${table.name}:${write}`).join(" ")}`)
          return Effect.succeed<Sink.Writer>({
            resume: Option.fromUndefinedOr(log.resume),
            columns: () => Option.none(),
            retainKeys: (table, keys) => Effect.sync(() => log.events.push(`keep ${table} ${said(keys)}`)),
            write: ({ table, rows }) =>
              Effect.suspend(() => {
                if (script.failsAt?.() === "write") return broken
                log.events.push(`write ${table.name} ${said(rows)}`)
                return Effect.void
              }),
            commit: (commit) =>
              Effect.suspend(() => {
                if (script.failsAt?.() === "commit") return broken
                log.events.push("commit")
                log.committed.push(commit)
                log.resume = commit.checkpoint
                return Effect.succeed({ location: "nowhere", rows: commit.run.rows, tables: script.tables ?? {} })
              })
          })
        }),
        () => Effect.sync(() => log.events.push("close"))
      )
  })
}

export const pipelineOf = <R>(
  source: Source.Reader<R>,
  sinks: Record<string, Sink.Destination<R>>,
  more: Partial<Pipeline.Pipeline<R>> = {}
) => Pipeline.make({ name: "test", source, sinks, directory: "/", ...more })

export const two: Elements = stream(
  Table.batch(notes, [{ id: 1 }, { id: 2 }]),
  Table.batch(lines, [{ note: 1, n: 1 }]),
  Source.progress({ discovered: 3, blocked: 1, credits: 2 }),
  { _tag: "Checkpoint", state: 7 }
)

/** Runs with a journal that is gone afterwards. */
export const run = <R>(pipeline: Pipeline.Pipeline<R>, options?: Run.Options) =>
  Effect.provide(Run.run(pipeline, options), parts)

const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
