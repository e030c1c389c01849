import { readdir } from "node:fs/promises"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import { mappedSource } from "#engine/mappedSource"
import type * as Pipeline from "#engine/Pipeline"
import * as Run from "#engine/Run"
import * as Source from "#engine/Source"
import * as Stages from "#engine/Stages"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { type Element, type Elements, emptyLog, notes, pipelineOf, sinkOf, sourceOf, stream } from "./scripted.ts"

const parts = Layer.mergeAll(Journals.layer, Stages.layer)
const law = <E>(
  sentence: string,
  test: (directory: string) => Effect.Effect<void, E, Journal.Journals | import("#engine/Stage").Stages | Scope.Scope>
) => it.effect(sentence, () => Effect.provide(Effect.scoped(Effect.flatMap(folder, test)), parts))

const note = (id: number): Element => Table.batch(notes, [{ id }])
const end: Element = { _tag: "Checkpoint", state: 7 }
const gone = (over: boolean) =>
  Stream.fail(new Source.SourceError({ source: "scripted", message: "the line broke", retryable: !over, over }))

/** A source that counts what it is asked for, by the key of the run. */
const asking = (scripts: ReadonlyArray<Elements>) => {
  const asked: Array<{ readonly key: string; readonly after: number }> = []
  const source = sourceOf((_start, from) => {
    asked.push({ key: from.key, after: Option.getOrElse(from.after, () => 0) })
    return scripts[asked.length - 1] ?? stream()
  }).with({})
  return { asked, source }
}

const statuses = (directory: string) =>
  Effect.gen(function* () {
    const entries = yield* (yield* Journal.Journals).look("test", directory)
    return entries.map(({ state }) => state.status)
  })

const written = (events: ReadonlyArray<string>) => events.filter((event) => event.startsWith("write notes "))

describe("a run that was not finished", () => {
  law("goes on behind the last answer, under its own id and key, and asks nothing twice", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const whole = stream(note(1), note(2), note(3), end)
      const { asked, source } = asking([Stream.concat(stream(note(1), note(2)), gone(false)), whole])
      const pipeline = pipelineOf(source, { here: sinkOf(log).with({}) }, { directory })

      yield* Effect.flip(Run.run(pipeline))
      expect(log.committed).toEqual([])
      const report = yield* Run.run(pipeline)

      expect(report.resumed).toBe(true)
      expect(asked.map(({ after }) => after)).toEqual([0, 2])
      expect(asked[0]?.key).toBe(asked[1]?.key)
      expect(log.committed.map(({ run }) => run.rows["notes"])).toEqual([3])
      expect(log.committed[0]?.run.runId).toBe(report.runId)
      expect(yield* statuses(directory)).toEqual(["done"])
    })
  )

  law("is given up, and another begins, where its job is gone", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const { asked, source } = asking([Stream.concat(stream(note(1)), gone(false)), gone(true), stream(note(5), end)])
      const pipeline = pipelineOf(source, { here: sinkOf(log).with({}) }, { directory })

      yield* Effect.flip(Run.run(pipeline))
      const report = yield* Run.run(pipeline)

      expect(report.resumed).toBe(false)
      expect(asked.map(({ after }) => after)).toEqual([0, 1, 0])
      expect(asked[2]?.key).not.toBe(asked[0]?.key)
      expect(log.committed).toHaveLength(1)
      expect(yield* statuses(directory)).toEqual(["failed", "done"])
    })
  )

  law("leaves no stage behind when it is given up", (directory) =>
    Effect.gen(function* () {
      const lossy = stream(note(1), Source.progress({ discovered: 2 }), end)
      const sinks = { here: sinkOf(emptyLog()).with({}) }
      const checks = [{ rows: { min: 0 } }]
      const error = yield* Effect.flip(
        Run.run(pipelineOf(sourceOf(() => lossy).with({}), sinks, { directory, checks }))
      )

      expect(error._tag).toBe("AccountingError")
      expect(yield* statuses(directory)).toEqual(["failed"])
      const left = yield* Effect.promise(() => readdir(directory, { recursive: true }))
      expect(left.filter((file) => file.includes("stage.duckdb"))).toEqual([])
      expect(left.filter((file) => file.endsWith("answers.ndjson.zst"))).toHaveLength(1)
    })
  )

  law("is given up where the source's options have changed, or for a full refresh", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const broken = sourceOf(() => Stream.concat(stream(note(1)), gone(false)))
      const whole = sourceOf(() => stream(note(1), end))
      const of = (source: Source.Reader<never>) => pipelineOf(source, { here: sinkOf(log).with({}) }, { directory })

      yield* Effect.flip(Run.run(of(broken.with({}))))
      expect((yield* Run.run(of(whole.with({ of: "else" })))).resumed).toBe(false)
      yield* Effect.flip(Run.run(of(broken.with({}))))
      expect((yield* Run.run(of(whole.with({})), { fullRefresh: true })).resumed).toBe(false)

      expect(yield* statuses(directory)).toEqual(["failed", "done", "failed", "done"])
    })
  )

  law("that died between its commit and its end is reported with what its destination has of it", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const read = Array.from({ length: 19 }, (_, at) => note(at))
      const { asked, source } = asking([stream(...read, Source.progress({ discovered: 20, failed: 1 }), end)])
      const pipeline = pipelineOf(source, { here: sinkOf(log).with({}) }, { directory })
      const first = yield* Run.run(pipeline)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const home = yield* (yield* Journal.Journals).take("test", directory)
          const died = { status: "read", committed: [], ended_at: null, rows: {}, facts: {} } as const
          yield* (yield* home.open(first.runId)).save(died)
        })
      )
      const report = yield* Run.run(pipeline)

      expect(report).toMatchObject({ resumed: true, status: "done", runId: first.runId, rows: { notes: 19 } })
      expect(Option.getOrThrow(report.accounting)).toEqual(Option.getOrThrow(first.accounting))
      for (const { wholeness } of [first, report])
        expect(wholeness).toMatchObject({ isPartial: true, expected: 20, present: 19, missing: 1 })
      expect([asked.length, log.committed.length]).toEqual([1, 1])
      const [kept] = yield* (yield* Journal.Journals).look("test", directory)
      expect(kept?.state).toMatchObject({ status: "done", rows: { notes: 19 }, facts: { discovered: 20, failed: 1 } })
    })
  )

  law("that has read everything is loaded from the journal alone", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      let failsAt: "commit" | undefined = "commit"
      const { asked, source } = asking([stream(note(1), note(2), end)])
      const pipeline = pipelineOf(source, { here: sinkOf(log, { failsAt: () => failsAt }).with({}) }, { directory })

      yield* Effect.flip(Run.run(pipeline))
      expect(yield* statuses(directory)).toEqual(["read"])
      failsAt = undefined
      const report = yield* Run.run(pipeline)

      expect(report.resumed).toBe(true)
      expect(asked).toHaveLength(1)
      expect(log.committed.map(({ run }) => run.rows["notes"])).toEqual([2])
    })
  )

  law("reads its source to the end though its sink fails in the middle: the journal has what was asked", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      let failsAt: "write" | undefined = "write"
      const { asked, source } = asking([stream(note(1), note(2), end)])
      const pipeline = pipelineOf(source, { here: sinkOf(log, { failsAt: () => failsAt }).with({}) }, { directory })

      expect((yield* Effect.flip(Run.run(pipeline))).message).toBe("the disk is full")
      failsAt = undefined
      yield* Run.run(pipeline)

      expect(asked).toHaveLength(1)
      expect(written(log.events)).toHaveLength(2)
      expect(log.committed).toHaveLength(1)
    })
  )

  law("is done where the commit was the last thing before the end", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const { asked, source } = asking([stream(note(1), end), stream(note(2), end)])
      const pipeline = pipelineOf(source, { here: sinkOf(log).with({}) }, { directory })
      const { runId } = yield* Run.run(pipeline)
      // As a process leaves it that dies after the commit and before it has written so.
      yield* Effect.scoped(
        Effect.gen(function* () {
          const home = yield* (yield* Journal.Journals).take("test", directory)
          yield* (yield* home.open(runId)).save({ status: "read", committed: [] })
        })
      )

      const again = yield* Run.run(pipeline)

      expect(again.runId).toBe(runId)
      expect(asked).toHaveLength(1)
      expect(log.committed).toHaveLength(1)
      expect(yield* statuses(directory)).toEqual(["done"])
    })
  )
})

describe("several sinks", () => {
  law("commit without the one that fails, which gets the run from the journal before the next", (directory) =>
    Effect.gen(function* () {
      const [good, bad] = [emptyLog(), emptyLog()]
      let failsAt: "open" | "write" | "commit" | undefined
      const { asked, source } = asking([1, 2, 3, 4, 5].map((id) => stream(note(id), end)))
      const sinks = { good: sinkOf(good).with({}), bad: sinkOf(bad, { failsAt: () => failsAt }).with({}) }
      const pipeline = pipelineOf(source, sinks, { directory })

      for (failsAt of ["commit", "write", "open"] as const) {
        const report = yield* Run.run(pipeline)
        expect(report.status).toBe("behind")
        expect(report.failures["bad"]?.message).toBe("the disk is full")
      }
      expect(good.committed).toHaveLength(3)
      expect(bad.committed).toEqual([])
      failsAt = undefined
      const report = yield* Run.run(pipeline)

      expect(report.status).toBe("done")
      expect(report.caughtUp).toHaveLength(3)
      expect(asked).toHaveLength(4)
      // In their order, each once, and with its own checkpoint.
      const runs = good.committed.map(({ run }) => run.runId)
      expect(bad.committed.map(({ run }) => run.runId)).toEqual(runs)
      expect(bad.committed.map(({ checkpoint }) => checkpoint.runId)).toEqual(runs)
      expect(written(bad.events).slice(-4)).toEqual([1, 2, 3, 4].map((id) => `write notes [{"id":${id}}]`))
      expect(yield* statuses(directory)).toEqual(["done", "done", "done", "done"])
    })
  )
})

describe("two at once", () => {
  law("the second is refused and told why", (directory) =>
    Effect.gen(function* () {
      const reading = yield* Deferred.make<void>()
      const endless = Stream.fromEffectDrain(Effect.andThen(Deferred.succeed(reading, undefined), Effect.never))
      const pipeline = pipelineOf(
        sourceOf(() => endless).with({}),
        { here: sinkOf(emptyLog()).with({}) },
        { directory }
      )
      const first = yield* Effect.forkChild(Run.run(pipeline))
      yield* Deferred.await(reading)

      const error = yield* Effect.flip(Run.run(pipeline))
      yield* Fiber.interrupt(first)

      expect(error._tag).toBe("JournalError")
      expect(error.message).toBe(`test is being run by process ${process.pid}; wait until it ends`)
    })
  )
})

describe("a held run", () => {
  const checked = (log: ReturnType<typeof emptyLog>, directory: string, elements: Elements) =>
    pipelineOf(
      sourceOf(() => elements).with({}),
      { here: sinkOf(log).with({}) },
      { directory, checks: [{ rows: { min: 2 } }], steps: [{ where: "id <> 3" }] }
    )

  law("commits nothing, says why, and can be committed as it is", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const pipeline = checked(log, directory, stream(note(1), note(3), Source.progress({ discovered: 2 }), end))

      const held = yield* Run.run(pipeline)

      expect(held.status).toBe("held")
      expect(held.rows["notes"]).toBe(1)
      expect(Option.getOrThrow(held.accounting)).toMatchObject({ discovered: 2, loaded: 2, dropped: 1 })
      expect(held.checks).toEqual([{ check: "rows: at least 2", table: "notes", passed: false, found: "1 row" }])
      expect(log.committed).toEqual([])
      expect(yield* statuses(directory)).toEqual(["held"])

      const committed = yield* Run.commit(pipeline, held.runId)

      expect(committed.status).toBe("done")
      expect(written(log.events)).toEqual(['write notes [{"id":1}]'])
      expect(log.committed[0]?.checks).toEqual(held.checks)
      expect(yield* statuses(directory)).toEqual(["done"])
    })
  )

  law("can be dropped, and the next run begins where the last good one ended", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const held = yield* Run.run(checked(log, directory, stream(note(1), end)))

      yield* Run.drop(checked(log, directory, stream()), held.runId.slice(0, 12))
      const next = yield* Run.run(checked(log, directory, stream(note(1), note(2), end)))

      expect(next.status).toBe("done")
      expect(next.resumed).toBe(false)
      expect(yield* statuses(directory)).toEqual(["dropped", "done"])
      const error = yield* Effect.flip(Run.drop(checked(log, directory, stream()), held.runId))
      expect(error.message).toContain("is dropped, not held")
    })
  )

  law("cannot be committed after a later one has", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const held = yield* Run.run(checked(log, directory, stream(note(1), end)))
      yield* Run.run(checked(log, directory, stream(note(1), note(2), end)))

      const error = yield* Effect.flip(Run.commit(checked(log, directory, stream()), held.runId))
      expect(error.message).toContain("has committed since")
    })
  )
})

describe("a replay", () => {
  law("makes the tables of a run again without asking, and does not take back the place of later runs", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const { asked, source } = asking([
        stream(note(1), note(2), end),
        stream(note(3), { _tag: "Checkpoint", state: 9 })
      ])
      const pipeline = pipelineOf(source, { here: sinkOf(log).with({}) }, { directory })
      const first = yield* Run.run(pipeline)
      yield* Run.run(pipeline)

      const again = yield* Run.replay(pipeline, first.runId)

      expect(asked).toHaveLength(2)
      expect(again.runId).toBe(first.runId)
      expect(written(log.events).slice(-2)).toEqual(['write notes [{"id":1}]', 'write notes [{"id":2}]'])
      expect(log.committed.at(-1)?.checkpoint.state).toBe(9)
    })
  )

  law("is compared with the run before it, and not with a later one that had more", (directory) =>
    Effect.gen(function* () {
      const log = emptyLog()
      const many = Array.from({ length: 20 }, (_, at) => note(at))
      const { source } = asking([
        stream(note(1), { _tag: "Progress", facts: { discovered: 1 } }, end),
        stream(...many, { _tag: "Progress", facts: { discovered: 20 } }, { _tag: "Checkpoint", state: 9 })
      ])
      const pipeline = pipelineOf(source, { here: sinkOf(log).with({}) }, { directory })
      const first = yield* Run.run(pipeline)
      yield* Run.run(pipeline)

      const again = yield* Run.replay(pipeline, first.runId)

      expect([again.status, again.checks]).toEqual(["done", first.checks])
    })
  )
})

describe("scd2", () => {
  law("gets what was seen; of what failed it is told the key, and of what is gone nothing", (directory) =>
    Effect.gen(function* () {
      const [history, plain] = [emptyLog(), emptyLog()]
      const elements = stream(
        Table.batch(notes, [{ id: 1 }, { id: 900 }, { id: 800 }]),
        { _tag: "UnknownKeys", table: notes, keys: [{ id: 5 }] },
        end
      )
      const sinks = { history: sinkOf(history).with({ write: "scd2" }), plain: sinkOf(plain).with({}) }
      yield* Run.run(pipelineOf(sourceOf(() => elements).with({}), sinks, { directory }))

      expect(history.events.filter((event) => /^(write|keep|open)/.test(event))).toEqual([
        "open notes:scd2 lines:merge notes__rejects:merge",
        'write notes [{"id":1}]',
        'keep notes [{"id":900}]',
        'keep notes [{"id":5}]'
      ])
      expect(written(plain.events)).toEqual(['write notes [{"id":1},{"id":800}]'])
    })
  )

  law("is told of rows that are rejected, by the name that their key has after the steps", (directory) =>
    Effect.gen(function* () {
      const history = emptyLog()
      const elements = stream(
        Table.batch(notes, [{ id: 1 }, { id: 2, odd: true }]),
        { _tag: "UnknownKeys", table: notes, keys: [{ id: 5 }] },
        end
      )
      const sinks = { history: sinkOf(history).with({ write: "scd2" }) }
      const more = { directory, steps: [{ rename: { id: "number" } }, { derive: { twice: "number * 2" } }] }
      yield* Run.run(pipelineOf(sourceOf(() => elements).with({}), sinks, more))

      expect(history.events.filter((event) => /^(write notes |keep)/.test(event))).toEqual([
        'keep notes [{"number":2}]',
        'keep notes [{"number":5}]',
        'write notes [{"number":1,"twice":2}]'
      ])
      expect(history.committed[0]?.complete).toBe(true)
    })
  )

  law("closes nothing where a key that the source tells says nothing of rows", (directory) =>
    Effect.gen(function* () {
      const history = emptyLog()
      const elements = stream(
        Table.batch(notes, [{ id: 1 }]),
        { _tag: "UnknownKeys", table: notes, keys: [{ id: 5 }] },
        end
      )
      const sinks = { history: sinkOf(history).with({ write: "scd2" }) }
      const more = { directory, table: { key: ["twice"] }, steps: [{ derive: { twice: "id * 2" } }] }
      yield* Run.run(pipelineOf(sourceOf(() => elements).with({}), sinks, more))

      expect(history.events.filter((event) => event.startsWith("keep"))).toEqual([])
      expect(history.committed[0]?.complete).toBe(false)
    })
  )

  law("closes nothing that failed where steps or a map give the key another value", (directory) =>
    Effect.gen(function* () {
      const elements = stream(
        { _tag: "UnknownKeys", table: notes, keys: [{ id: 5 }] },
        Table.batch(notes, [{ id: 1 }]),
        end
      )
      const source = sourceOf(() => elements).with({})
      const mapped = (times: number) =>
        mappedSource(source, {
          name: "times",
          columns: [{ name: "id", type: { _tag: "BIGINT" }, nullable: true }],
          map: ({ id }) => ({ id: Number(id) * times })
        })
      const isComplete = Effect.fnUntraced(function* (name: string, more: Partial<Pipeline.Pipeline<never>>) {
        const log = emptyLog()
        const sinks = { history: sinkOf(log).with({ write: "scd2" }) }
        yield* Run.run(pipelineOf(source, sinks, { directory, name, ...more }))
        return log.committed[0]?.complete
      })

      expect(yield* isComplete("derived", { steps: [{ derive: { id: "id * 2" } }] })).toBe(false)
      expect(yield* isComplete("mapped", { source: mapped(2) })).toBe(false)
      expect(yield* isComplete("same", { source: mapped(1) })).toBe(true)
    })
  )
})
