/** The laws of scd2 about children: they have the versions of their row. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Bench, type Law, law } from "../SinkBench.ts"
import { commitAt, minute } from "./history.ts"

const things = Table.make({
  name: "things",
  description: "things with tags",
  key: ["id"],
  schema: Schema.Struct({
    id: Schema.String,
    tags: Schema.NullOr(Schema.String),
    reader: Schema.NullOr(Schema.String),
    _run_id: Schema.String
  }),
  reading: { version: "reader", columns: { tags: true } }
})
const tags = Table.make({
  name: "things__tags",
  description: "their tags",
  key: ["of", "at"],
  schema: Schema.Struct({ of: Schema.String, at: Schema.Int, value: Schema.String, _run_id: Schema.String }),
  parent: { table: "things", on: { of: "id" } }
})

/** The tags of each thing. */
type Things = Readonly<Record<string, ReadonlyArray<string>>>

interface How {
  readonly write?: "merge" | "scd2"
  readonly complete?: boolean
  readonly again?: boolean
  readonly shared?: boolean
  /** The version of the program that read the things. */
  readonly reader?: string
}

/** A run that began at a minute, and sees these things: one commit for each of them. */
const load = <R>({ session }: Bench<R>, at: number, commits: ReadonlyArray<Things>, how: How = {}) => {
  const { complete = true, reader = null, write = "scd2", ...more } = how
  const of = more.shared === true ? { _pipeline: "suite" } : {}
  const own = (table: Table.Table): Table.Table =>
    more.shared !== true
      ? table
      : {
          ...Table.extend(table, [Sink.pipelineColumn]),
          key: ["_pipeline", ...table.key],
          ...(table.parent === undefined
            ? {}
            : { parent: { ...table.parent, on: { _pipeline: "_pipeline", ...table.parent.on } } })
        }
  return session(
    `run-${at}`,
    [
      [own(things), write, ["tags"]],
      [own(tags), write]
    ],
    (writer) =>
      Effect.forEach(commits, (some, nth) =>
        Effect.gen(function* () {
          const rows = Object.entries(some).map(([id, values]) => ({
            ...of,
            id,
            tags: String(values),
            reader,
            _run_id: `run-${at}`
          }))
          const children = Object.entries(some).flatMap(([id, values]) =>
            values.map((value, index) => ({ ...of, of: id, at: index, value, _run_id: `run-${at}` }))
          )
          if (rows.length > 0) yield* writer.write(Table.batch(own(things), rows))
          if (children.length > 0) yield* writer.write(Table.batch(own(tags), children))
          return yield* writer.commit({ ...commitAt(at), complete: complete && nth === commits.length - 1 })
        })
      ),
    more
  )
}

/** Every version with its children: "a x,y from 1 to 2 by run-1". It fails where a child is not of a version. */
const versions = <R>({ seen }: Bench<R>) =>
  Effect.gen(function* () {
    const parents = yield* seen(Table.extend(things, Sink.historyColumns))
    const children = yield* seen(Table.extend(tags, Sink.historyColumns))
    const timesOf = (row: Table.Row) => [row["valid_from"], row["valid_to"], row["is_current"], row["_run_id"]].join()
    const lines = parents.map((row) => {
      const own = children.filter((child) => child["of"] === row["id"] && timesOf(child) === timesOf(row))
      const values = own.toSorted((a, b) => Number(a["at"]) - Number(b["at"])).map(({ value }) => value)
      const [from, to] = [row["valid_from"], row["valid_to"]].map((time) => (time === null ? "now" : minute(time)))
      return { count: own.length, line: `${row["id"]} ${values.join()} from ${from} to ${to} by ${row["_run_id"]}` }
    })
    const lost = children.length - lines.reduce((sum, { count }) => sum + count, 0)
    return [...lines.map(({ line }) => line).toSorted(), ...(lost === 0 ? [] : [`${lost} children of no version`])]
  })

export const sinkChildVersionLaws: ReadonlyArray<Law> = [
  law(
    "children begin and end with the version of their row, and stay where it has no new version",
    (bench) =>
      Effect.gen(function* () {
        const [first] = yield* load(bench, 1, [{ a: ["x", "y"], b: ["z"], c: [] }])
        const [second] = yield* load(bench, 2, [{ a: ["x"], b: ["z"], c: ["x"] }])
        yield* load(bench, 3, [{ a: ["x", "y"], c: [] }])

        expect(yield* versions(bench)).toEqual([
          "a x from 2 to 3 by run-2",
          "a x,y from 1 to 2 by run-1",
          "a x,y from 3 to now by run-3",
          "b z from 1 to now by run-1",
          "c  from 1 to 2 by run-1",
          "c  from 3 to now by run-3",
          "c x from 2 to 3 by run-2"
        ])
        expect(first?.tables["things__tags"]).toMatchObject({ received: 3, written: 3, unchanged: 0, superseded: 0 })
        expect(second?.tables["things__tags"]).toMatchObject({ received: 3, written: 2, unchanged: 1, superseded: 0 })
      }),
    "scd2"
  ),

  law(
    "of a row that comes several times in a run, in one commit or in several, the last has children",
    (bench) =>
      Effect.gen(function* () {
        yield* load(bench, 1, [{ a: ["x"], b: ["x"] }])
        yield* load(bench, 2, [{ a: ["y", "z"], b: ["x"] }, { a: ["z"] }, { a: ["z"], b: ["y"] }])

        expect(yield* versions(bench)).toEqual([
          "a x from 1 to 2 by run-1",
          "a z from 2 to now by run-2",
          "b x from 1 to 2 by run-1",
          "b y from 2 to now by run-2"
        ])
      }),
    "scd2"
  ),

  law(
    "a run that is written again has its children again, and those that it ended",
    (bench) =>
      Effect.gen(function* () {
        yield* load(bench, 1, [{ a: ["x"], b: ["x"] }])
        yield* load(bench, 2, [{ a: ["y"], b: ["y"] }])
        yield* load(bench, 3, [{ a: ["z"] }])

        yield* load(bench, 2, [{ a: ["x"], b: ["w"] }], { again: true })

        expect(yield* versions(bench)).toEqual([
          "a x from 1 to 3 by run-1",
          "a z from 3 to now by run-3",
          "b w from 2 to now by run-2",
          "b x from 1 to 2 by run-1"
        ])
      }),
    "scd2"
  ),

  law(
    "a run of an earlier time has its children between those of others",
    (bench) =>
      Effect.gen(function* () {
        yield* load(bench, 1, [{ a: ["x"] }])
        yield* load(bench, 5, [{ a: ["z"], b: ["z"] }])

        yield* load(bench, 3, [{ a: ["y"], b: ["y"] }])

        expect(yield* versions(bench)).toEqual([
          "a x from 1 to 3 by run-1",
          "a y from 3 to 5 by run-3",
          "a z from 5 to now by run-5",
          "b y from 3 to 5 by run-3",
          "b z from 5 to now by run-5"
        ])
      }),
    "scd2"
  ),

  law(
    "children that were merged become those of first versions, and end with these",
    (bench) =>
      Effect.gen(function* () {
        yield* load(bench, 1, [{ a: ["x", "y"], b: ["x"] }], { write: "merge" })

        yield* load(bench, 2, [{ a: ["y"], b: ["x"] }])

        expect(yield* versions(bench)).toEqual([
          "a x,y from 0 to 2 by run-1",
          "a y from 2 to now by run-2",
          "b x from 0 to now by run-1"
        ])
      }),
    "scd2"
  ),

  law(
    "children that another version of a program reads take the place of those that it read before",
    (bench) =>
      Effect.gen(function* () {
        yield* load(bench, 1, [{ a: ["x", "y"], b: ["x"] }], { reader: "1" })

        const [result] = yield* load(bench, 2, [{ a: ["y"], b: ["x"] }], { reader: "2" })
        yield* load(bench, 3, [{ a: ["z"] }], { reader: "2" })

        expect(yield* versions(bench)).toEqual([
          "a y from 1 to 3 by run-1",
          "a z from 3 to now by run-3",
          "b x from 1 to now by run-1"
        ])
        expect(result?.tables["things__tags"]).toMatchObject({ received: 2, written: 0, unchanged: 2, superseded: 0 })
      }),
    "scd2"
  ),

  law(
    "children end with the row that a complete run does not have",
    (bench) =>
      Effect.gen(function* () {
        yield* load(bench, 1, [{ a: ["x"], b: ["x", "y"] }])
        yield* load(bench, 2, [{ a: ["x"] }], { complete: false })
        yield* load(bench, 3, [{ a: ["y"] }])

        expect(yield* versions(bench)).toEqual([
          "a x from 1 to 3 by run-1",
          "a y from 3 to now by run-3",
          "b x,y from 1 to 3 by run-1"
        ])
      }),
    "scd2",
    "close"
  )
]

/** The same where several pipelines write. */
export const sinkSharedChildVersionLaws: ReadonlyArray<Law> = [
  law(
    "in a shared table the children of others stay",
    (bench) =>
      Effect.gen(function* () {
        yield* load(bench, 1, [{ a: ["x"], b: ["x"] }], { shared: true })
        yield* load(bench, 2, [{ a: ["y"] }], { shared: true })

        expect(yield* versions(bench)).toEqual([
          "a x from 1 to 2 by run-1",
          "a y from 2 to now by run-2",
          "b x from 1 to 2 by run-1"
        ])
      }),
    "scd2",
    "close"
  )
]
