import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emptyLog, pipelineOf, run, sinkOf, sourceOf, two } from "./scripted.ts"

it.effect("a table of another pipeline is refused before anything is asked, with what to do", () =>
  Effect.gen(function* () {
    const log = emptyLog()
    let asked = 0
    const source = sourceOf(() => {
      asked += 1
      return two
    }).with({})
    const owners = { notes: "memos", lines: "test" }
    const refused = yield* Effect.flip(run(pipelineOf(source, { here: sinkOf(log, { owners }).with({}) })))

    expect(refused).toMatchObject({ _tag: "PlanError" })
    expect(refused.message).toMatch(
      /^sink here: table notes belongs to the pipeline memos, .*`schema: NAME`.*table: \{ name: .*`shared: true`/
    )
    expect([asked, log.events]).toEqual([0, []])
  })
)

it.effect("a sink that cannot share is not advised to", () =>
  Effect.gen(function* () {
    const here = { ...sinkOf(emptyLog(), { owners: { notes: "memos" } }).with({}), lacks: ["shared" as const] }
    const refused = yield* Effect.flip(run(pipelineOf(sourceOf(() => two).with({}), { here })))

    expect(refused.message).toMatch(/would change its rows; name another table \(table: \{ name: \.\.\. \}\)$/)
  })
)

it.effect("one's own tables are written, those that an interval of a backfill has made too, and those of nobody", () =>
  Effect.gen(function* () {
    const log = emptyLog()
    const owners = { notes: "test@20260101T000000Z..20260102T000000Z", others: "memos" }
    yield* run(pipelineOf(sourceOf(() => two).with({}), { here: sinkOf(log, { owners }).with({}) }))

    expect(log.committed).toHaveLength(1)
  })
)

it.effect(
  "what is shared has the pipeline of each row, first in each key and in what joins a child to its parent",
  () =>
    Effect.gen(function* () {
      const log = emptyLog()
      const owners = { notes: "memos" }
      const sinks = { here: sinkOf(log, { owners }).with({ write: "replace", shared: true }) }
      const source = sourceOf(() => two).with({})
      const steps = [{ derive: { twice: "id * 2" } }]
      yield* run(pipelineOf(source, sinks, { name: "test@20260101T000000Z..20260102T000000Z", steps }))

      const [plan] = log.plans
      expect(plan?.shared).toBe(true)
      expect(plan?.tables.map(({ table }) => [table.name, table.key, table.parent?.on])).toEqual([
        ["notes", ["_pipeline", "id"], undefined],
        ["lines", ["_pipeline", "note", "n"], { _pipeline: "_pipeline", note: "id" }],
        ["notes__rejects", ["_pipeline", "reject_id"], undefined]
      ])
      expect(plan?.tables[0]?.table.columns.map(({ name }) => name)).toEqual(["id", "twice", "_run_id", "_pipeline"])
      expect(log.events.filter((event) => event.startsWith("write"))).toEqual([
        'write notes [{"id":1,"twice":2,"_pipeline":"test"},{"id":2,"twice":4,"_pipeline":"test"}]',
        'write lines [{"note":1,"n":1,"_pipeline":"test"}]'
      ])
    })
)
