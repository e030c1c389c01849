import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Sink from "../../src/pipeline/Sink.ts"
import { strictWriter } from "../../src/pipeline/SinkWriter.ts"
import * as Table from "../../src/pipeline/Table.ts"
import { pages } from "../../src/testing/specimens.ts"

const batch = Table.batch(pages, [{ url: "/" }])
const commit: Sink.Commit = {
  checkpoint: { runId: "r", state: 1 },
  run: { runId: "r", pipeline: "p", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
  checks: [],
  complete: true
}
const receipt: Sink.CommitResult = { location: "nowhere", rows: {}, tables: {} }

it.effect("after a write that failed, nothing can be committed", () =>
  Effect.gen(function* () {
    const failed = new Sink.SinkError({ sink: "test", message: "disk full", retryable: false })
    const writer = strictWriter("test", {
      resume: Option.none(),
      columns: () => Option.none(),
      retainKeys: () => Effect.void,
      write: () => Effect.fail(failed),
      commit: () => Effect.succeed(receipt)
    })

    expect(yield* Effect.flip(writer.write(batch))).toBe(failed)

    const error = yield* Effect.flip(writer.commit(commit))
    expect(error.message).toBe("an earlier call of this writer failed; open the destination anew")
  })
)

it.effect("after a write that was interrupted, nothing can be committed", () =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const writer = strictWriter("test", {
      resume: Option.none(),
      columns: () => Option.none(),
      retainKeys: () => Effect.void,
      write: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never),
      commit: () => Effect.succeed(receipt)
    })
    const fiber = yield* Effect.forkChild(writer.write(batch))
    yield* Deferred.await(begun)

    yield* Fiber.interrupt(fiber)

    const error = yield* Effect.flip(writer.commit(commit))
    expect(error.message).toContain("open the destination anew")
  })
)

it.effect("calls run one after the other", () =>
  Effect.gen(function* () {
    let [running, most] = [0, 0]
    const writer = strictWriter("test", {
      resume: Option.none(),
      columns: () => Option.none(),
      retainKeys: () => Effect.void,
      write: () =>
        Effect.gen(function* () {
          most = Math.max(most, ++running)
          yield* Effect.yieldNow
          running--
        }),
      commit: () => Effect.succeed(receipt)
    })

    yield* Effect.all(
      [1, 2, 3].map(() => writer.write(batch)),
      { concurrency: "unbounded" }
    )

    expect(most).toBe(1)
  })
)
