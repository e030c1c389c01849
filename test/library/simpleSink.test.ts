import { appendFile, mkdir, readFile } from "node:fs/promises"
import { dirname } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Journals from "#engine/Journals"
import * as Pipeline from "#engine/Pipeline"
import * as Run from "#engine/Run"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { rows } from "#library/rows"
import * as Sink from "#library/Sink"
import { folder } from "#testing/folder"
import { commitOf, page } from "#testing/SinkBench"
import * as SinkSuite from "#testing/SinkSuite"
import { pages } from "#testing/specimens"

const jsonl = Sink.simple({
  type: "jsonl",
  options: Schema.Struct({ path: Schema.String }),
  batch: (_, { rows, table }) => ({ name: table.name, text: rows.map((row) => `${JSON.stringify(row)}\n`).join("") }),
  commit: async ({ path }, { pieces, resolve }) => {
    for (const { name, text } of pieces) {
      const file = resolve(`${path}/${name}.jsonl`)
      await mkdir(dirname(file), { recursive: true })
      await appendFile(file, text)
    }
  },
  read: async ({ path }, { resolve, table }) => {
    const text = await readFile(resolve(`${path}/${table.name}.jsonl`), "utf8").catch(() => "")
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
  }
})

SinkSuite.suite("a sink of two functions", { destination: () => jsonl.with({ path: "rows" }) })

const plan = (directory: string, runId: string) => ({
  pipeline: "suite",
  runId,
  directory,
  evolve: true,
  tables: [{ table: pages, write: "append" as const }]
})

it.effect("a commit that throws fails the run, moves no checkpoint, and lets the next run commit", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    let broken = true
    const seen: Array<unknown> = []
    const sink = Sink.simple({
      type: "moody",
      batch: (_, { rows }) => rows,
      commit: (_, { pieces }) => {
        if (broken) throw new Error("no room")
        seen.push(...pieces.flat())
      }
    }).with({})
    const write = (runId: string) =>
      Effect.scoped(
        Effect.gen(function* () {
          const writer = yield* sink.open(plan(directory, runId))
          yield* writer.write(Table.batch(pages, [page("/a", 1)]))
          yield* writer.commit(commitOf(runId, runId))
        })
      )

    const error = yield* Effect.flip(write("run-1"))

    expect(error).toMatchObject({ _tag: "SinkError", message: "cannot commit: no room" })
    const { resume } = yield* Effect.scoped(sink.open(plan(directory, "look")))
    expect(resume).toEqual(Option.none())
    broken = false
    yield* write("run-2")
    expect(seen).toEqual([{ url: "/a", title: "Page /a", version: 1 }])
    expect((yield* Effect.scoped(sink.open(plan(directory, "look")))).resume).toEqual(
      Option.some({ runId: "run-2", state: "run-2" })
    )
  })
)

it.effect("refuses what it cannot do before a row is read: a replay, and a contract on columns", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const sink = jsonl.with({ path: "rows" })

    const again = yield* Effect.flip(Effect.scoped(sink.open({ ...plan(directory, "run-1"), again: true })))
    const fixed = yield* Effect.flip(Effect.scoped(sink.open({ ...plan(directory, "run-1"), evolve: false })))

    expect(again.message).toContain("jsonl: it cannot write a run a second time")
    expect(fixed.message).toContain("jsonl: it keeps no columns, so no contract can hold")
    expect(sink.lacks).toEqual(["exactlyOnce", "columns", "names", "again", "details", "shared"])
  })
)

it.effect("takes the rows of a run, with the run that wrote them", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const source = rows([{ id: 1, at: new Date(0) }, { id: 2 }], { table: "things" })
    const pipeline = Pipeline.make({
      name: "own",
      directory,
      source,
      sinks: { out: jsonl.with({ path: "rows" }) }
    })

    const report = yield* Run.run(pipeline).pipe(Effect.provide(Layer.mergeAll(Journals.layerTemporary, Stages.layer)))

    const text = yield* Effect.promise(() => readFile(`${directory}/rows/things.jsonl`, "utf8"))
    expect(
      text
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
    ).toEqual([
      { id: 1, at: "1970-01-01T00:00:00Z", _run_id: report.runId },
      { id: 2, at: null, _run_id: report.runId }
    ])
    expect(report.rows).toEqual({ things: 2, things__rejects: 0 })
  })
)
