import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scheduler from "effect/Scheduler"
import { describe, expect, it } from "vitest"
import * as fairScheduler from "#service/fairScheduler"

/** Runs with the scheduler, each fiber as one of its own, as requests are. */
const fork = <A>(scheduler: Scheduler.Scheduler, effect: Effect.Effect<A>): Fiber.Fiber<A> =>
  Effect.runFork(Effect.provideService(effect, Scheduler.Scheduler, scheduler))

/** Holds the event loop for about so long, whatever the machine does: a scheduler sees the same clock. */
const busy = (millis: number) =>
  Effect.sync(() => {
    for (const until = performance.now() + millis; performance.now() < until; );
  })

describe("the scheduler of a service", () => {
  it("gives the event loop its turn between what is ready, and runs it in its order", async () => {
    const scheduler = fairScheduler.create(5)
    const order: Array<number> = []
    const turns: Array<number> = []
    const fibers = Array.from({ length: 40 }, (_, n) =>
      fork(scheduler, Effect.yieldNow.pipe(Effect.andThen(busy(2)), Effect.andThen(Effect.sync(() => order.push(n)))))
    )
    const loop = () => {
      turns.push(order.length)
      if (order.length < fibers.length) setImmediate(loop)
    }
    setImmediate(loop)
    await Effect.runPromise(Fiber.awaitAll(fibers))

    expect(order).toEqual(Array.from({ length: 40 }, (_, n) => n))
    // With the scheduler of the library it is one turn. No turn does more than what begins within five milliseconds.
    expect(new Set(turns).size).toBeGreaterThan(10)
  })

  it("runs what is added meanwhile, and nothing that was interrupted", async () => {
    const scheduler = fairScheduler.create(5)
    const ran: Array<string> = []
    const late = fork(
      scheduler,
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => ran.push("interrupted"))
      )
    )
    const first = fork(
      scheduler,
      Effect.gen(function* () {
        yield* Fiber.interrupt(late)
        const child = yield* Effect.forkChild(
          Effect.andThen(
            Effect.yieldNow,
            Effect.sync(() => ran.push("child"))
          )
        )
        yield* Fiber.join(child)
        ran.push("parent")
      })
    )
    await Effect.runPromise(Fiber.join(first))

    expect(ran).toEqual(["child", "parent"])
  })

  it("does one thing in each turn where each takes longer than a turn may", async () => {
    const scheduler = fairScheduler.create(1)
    let done = 0
    const fibers = Array.from({ length: 5 }, () =>
      fork(scheduler, Effect.yieldNow.pipe(Effect.andThen(busy(3)), Effect.andThen(Effect.sync(() => (done += 1)))))
    )
    await Effect.runPromise(Fiber.awaitAll(fibers))

    expect(done).toBe(5)
  })
})
