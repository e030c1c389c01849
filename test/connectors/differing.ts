/** Loads runs into a destination, one after the other, and asks what two of them differ in. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as Difference from "#engine/Difference"
import * as Pipeline from "#engine/Pipeline"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"

export const articles = Pipeline.withRunId(
  Table.make({
    name: "articles",
    description: "one row an article",
    key: ["url"],
    schema: Schema.Struct({
      url: Schema.String,
      title: Schema.NullOr(Schema.String),
      stars: Schema.NullOr(Schema.Int),
      tags: Schema.NullOr(Schema.Array(Schema.String))
    })
  })
)

export interface Article {
  readonly url: string
  readonly title: string | null
  readonly stars?: number
  readonly tags?: ReadonlyArray<string>
}

export const record = (at: number): Sink.RunRecord => ({
  runId: `run-${at}`,
  pipeline: "p",
  startedAt: BigInt(at) * 1_000_000n,
  committedAt: BigInt(at) * 1_000_000n + 500_000n,
  facts: {},
  rows: {}
})

/** Run 1, 2, 3 ... with these rows each. */
export const loads = <R>(
  destination: Sink.Destination<R>,
  directory: string,
  runs: ReadonlyArray<ReadonlyArray<Article>>,
  { first = 1, table = articles, write = destination.writeOf(articles) } = {}
) =>
  Effect.forEach(runs, (rows, at) =>
    Effect.scoped(
      Effect.gen(function* () {
        const run = record(first + at)
        const planned = { table, write, fingerprint: ["title", "stars", "tags"] }
        const plan = { pipeline: "p", runId: run.runId, directory, evolve: true, tables: [planned] }
        const writer = yield* destination.open(plan)
        const made = rows.map((row) => ({ ...row, _run_id: run.runId }))
        if (made.length > 0) yield* writer.write(Table.batch(table, made))
        yield* writer.commit({ checkpoint: { runId: run.runId, state: at }, run, checks: [], complete: true })
      })
    )
  )

/** What differs, with the changes read to their end. */
export const differ = <R>(
  destination: Sink.Destination<R>,
  directory: string,
  [from, to]: readonly [number, number],
  ask: Partial<Difference.DiffRequest> = {}
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const runs = yield* destination.runs(directory)
      if (destination.differences === undefined) return yield* Effect.die("it cannot tell")
      const differences = yield* destination.differences(directory, {
        table: articles,
        write: destination.writeOf(articles),
        compared: ["title", "stars", "tags"],
        incremental: false,
        runs,
        from: record(from),
        to: record(to),
        ...ask
      })
      const { changes, ...rest } = differences
      return { ...rest, changes: (yield* Stream.runCollect(changes)).map(shown) }
    })
  )

/** A change in a line: "changed /a title: one > two". */
const shown = ({ fields, key, kind, new: now, old }: Difference.Change): string => {
  const text = (value: unknown) => (value === undefined ? "" : JSON.stringify(value))
  const told = fields.map((name) => `${name}: ${text(old[name])} > ${text(now[name])}`)
  return [`${kind} ${Object.values(key).join()}`, ...told].join(" | ")
}

/** The same, where titles are read by a program that has a version: the stars. */
export const readArticles: Table.Table = { ...articles, reading: { version: "stars", columns: { title: true } } }

/** What a first version has read, a second one after it, and the second one again. */
export const readings: ReadonlyArray<ReadonlyArray<Article>> = [
  [
    { url: "/same", title: "old", stars: 1 },
    { url: "/tags", title: "old", stars: 1, tags: ["a"] }
  ],
  [
    { url: "/same", title: "new", stars: 2 },
    { url: "/tags", title: "new", stars: 2, tags: ["b"] }
  ],
  [
    { url: "/same", title: "newer", stars: 2 },
    { url: "/tags", title: "new", stars: 2, tags: ["b"] }
  ]
]

/** Two states of which every kind of change can be told. */
export const before: ReadonlyArray<Article> = [
  { url: "/same", title: "same", tags: [] },
  { url: "/text", title: "one\u0000two 'three'", stars: 1 },
  { url: "/list", title: "list", tags: [] },
  { url: "/null", title: null },
  { url: "/gone", title: "gone" }
]
export const after: ReadonlyArray<Article> = [
  { url: "/same", title: "same", tags: [] },
  { url: "/text", title: "one four", stars: 1 },
  { url: "/list", title: "list" },
  { url: "/null", title: "" },
  { url: "/new", title: "new", stars: 5 }
]
export const between = {
  counts: { added: 1, removed: 1, changed: 3, written: 0 },
  rows: { from: 5, to: 5 },
  fields: { title: 2, tags: 1 },
  changes: [
    'removed /gone | title: "gone" > ',
    "changed /list | tags: [] > null",
    'added /new | title:  > "new" | stars:  > 5',
    'changed /null | title: null > ""',
    'changed /text | title: "one\\u0000two \'three\'" > "one four"'
  ]
}
