import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Sink from "#engine/Sink"
import * as SinkWriter from "#engine/SinkWriter"
import * as Table from "#engine/Table"
import { pages } from "#testing/specimens"

const batch = Table.batch(pages, [{ url: "/" }])
const commit: Sink.Commit = {
  checkpoint: { runId: "r", state: 1 },
  run: { runId: "r", pipeline: "p", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
  checks: [],
  complete: true
}
const result: Sink.CommitResult = { location: "nowhere", rows: {}, tables: {} }

it.effect("after a write that failed, nothing can be committed", () =>
  Effect.gen(function* () {
    const failed = new Sink.SinkError({ sink: "test", message: "disk full", retryable: false })
    const writer = SinkWriter.strictWriter("test", {
      resume: Option.none(),
      columns: () => Option.none(),
      retainKeys: () => Effect.void,
      write: () => Effect.fail(failed),
      commit: () => Effect.succeed(result)
    })

    expect(yield* Effect.flip(writer.write(batch))).toBe(failed)

    const error = yield* Effect.flip(writer.commit(commit))
    expect(error.message).toBe("an earlier call of this writer failed; open the destination again")
  })
)

it.effect("after a write that was interrupted, nothing can be committed", () =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const writer = SinkWriter.strictWriter("test", {
      resume: Option.none(),
      columns: () => Option.none(),
      retainKeys: () => Effect.void,
      write: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
      commit: () => Effect.succeed(result)
    })
    const fiber = yield* Effect.forkChild(writer.write(batch))
    yield* Deferred.await(begun)

    yield* Fiber.interrupt(fiber)

    const error = yield* Effect.flip(writer.commit(commit))
    expect(error.message).toContain("open the destination again")
  })
)

it.effect("calls run one after the other", () =>
  Effect.gen(function* () {
    let [running, most] = [0, 0]
    const writer = SinkWriter.strictWriter("test", {
      resume: Option.none(),
      columns: () => Option.none(),
      retainKeys: () => Effect.void,
      write: () =>
        Effect.gen(function* () {
          most = Math.max(most, ++running)
          yield* Effect.yieldNow
          running--
        }),
      commit: () => Effect.succeed(result)
    })

    yield* Effect.all(
      [1, 2, 3].map(() => writer.write(batch)),
      { concurrency: "unbounded" }
    )

    expect(most).toBe(1)
  })
)

it.effect("a writer finds the table of a call, counts its batches, and says which commit is the first", () =>
  Effect.gen(function* () {
    const calls: Array<unknown> = []
    const planned: Sink.TablePlan = { table: pages, write: "merge" }
    const counts = { received: 1, written: 1, unchanged: 0, superseded: 0, kept: 0 }
    const writer = SinkWriter.make({
      sink: "test",
      stages: [planned],
      resume: Option.none(),
      columnsBefore: ({ table }) => table.columns.slice(0, 1),
      write: ({ table }, rows, batch) => Effect.sync(() => calls.push([table.name, rows.length, batch])),
      retainKeys: ({ table }, keys) => Effect.sync(() => calls.push([table.name, keys])),
      commit: (_commit, isFirst) =>
        Effect.sync(() => {
          calls.push(isFirst)
          return { location: "nowhere", tables: { pages: counts } }
        })
    })

    yield* writer.write(batch)
    yield* writer.write(batch)
    yield* writer.retainKeys("pages", [{ url: "/a" }])
    expect(yield* writer.commit(commit)).toEqual({ location: "nowhere", rows: { pages: 1 }, tables: { pages: counts } })
    yield* writer.commit(commit)

    expect(calls).toEqual([["pages", 1, 1], ["pages", 1, 2], ["pages", [{ url: "/a" }]], true, false])
    expect(writer.columns("pages")).toEqual(Option.some(pages.columns.slice(0, 1)))
    expect(writer.columns("links")).toEqual(Option.none())
  })
)

it.effect("a writer refuses rows of another table, and rows without their key", () =>
  Effect.gen(function* () {
    const make = () =>
      SinkWriter.make<Sink.TablePlan>({
        sink: "test",
        stages: [{ table: pages, write: "merge" }],
        resume: Option.none(),
        columnsBefore: () => undefined,
        write: () => Effect.void,
        retainKeys: () => Effect.void,
        commit: () => Effect.succeed({ location: "nowhere", tables: {} })
      })

    const foreign = yield* Effect.flip(make().write(Table.batch({ ...pages, name: "others" }, [{ url: "/" }])))
    expect(foreign.message).toBe("table others is not in the plan of this run")
    const nameless = yield* Effect.flip(make().write(Table.batch(pages, [{ url: null }])))
    expect(nameless.message).toBe("table pages: a row has no url, which merge needs; fill it, or append")
  })
)
