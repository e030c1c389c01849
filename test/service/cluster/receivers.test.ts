/** What holds of the receivers of webhooks, whether one process sends to them or several: one suite for both. */
import { describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as ShardId from "effect/cluster/ShardId"
import * as Sharding from "effect/cluster/Sharding"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { expect } from "vitest"
import { client } from "#base/sqlClient"
import * as clusteredReceivers from "#service/cluster/clusteredReceivers"
import * as joinCluster from "#service/cluster/joinCluster"
import { shards } from "#service/runner"
import * as migrations from "#service/store/migrations"
import { ProcessLease } from "#service/store/ProcessLease"
import * as Receiver from "#service/webhooks/Receiver"
import { create, Receivers } from "#service/webhooks/Receivers"
import { postgres } from "../../services/postgres.ts"

const options = { pauseMillis: 1000 }

/** Three who send, as three jobs of one process, or as three processes. */
type Senders = readonly [Sender, Sender, Sender]
type Sender = Receivers["Service"]

const here = Effect.sync((): Senders => {
  const one = create(() => Receiver.create(options))
  return [one, one, one]
})

/** A process, and how it ends. */
const process = Effect.fnUntraced(function* (database: string) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  const lease = ProcessLease.layer.pipe(Layer.provideMerge(migrations.layer), Layer.provideMerge(client(database)))
  const context = yield* Layer.build(
    clusteredReceivers
      .layer(options)
      .pipe(
        Layer.provideMerge(joinCluster.layer({ advertise: { host: "127.0.0.1", port: 0 } })),
        Layer.provide(Layer.fresh(lease))
      )
  ).pipe(Scope.provide(scope))
  const sharding = Context.get(context, Sharding.Sharding)
  const held = () => ids.filter((id) => sharding.hasShardId(id))
  return { sender: Context.get(context, Receivers), held, end: Scope.close(scope, Exit.void) }
})
const ids = Array.from({ length: shards }, (_, index) => ShardId.make("default", index + 1))

/** Three processes that have shared out what there is. */
const processes = Effect.gen(function* () {
  const database = yield* postgres?.fresh ?? Effect.die("there is no Postgres")
  const three = [yield* process(database), yield* process(database), yield* process(database)] as const
  const places = () => three.map(({ held }) => held().map(String).join())
  for (let [before, same] = [places(), 0]; same < 10; ) {
    yield* Effect.sleep(200)
    const now = places()
    same = now.every((place, at) => place !== "" && place === before[at]) ? same + 1 : 0
    before = now
  }
  return three
})

const clustered = Effect.map(processes, ([one, other, third]): Senders => [one.sender, other.sender, third.sender])

const dead = { teamId: "a", url: "https://dead.example/hook" }
const alsoDead = { teamId: "a", url: "https://also-dead.example/hook" }
const healthy = { teamId: "a", url: "https://healthy.example/hook" }
const answers = Effect.succeed({ answered: true })
const fails = Effect.succeed({ answered: false })
const fiveFailures = (sender: Sender) => Effect.repeat(sender.inTurn(dead, fails), { times: 4 })

/** Batches that write down in which order they were made. */
const ordered = () => {
  const order: Array<string> = []
  const madeOf = (name: string) => Effect.sync(() => ({ answered: order.push(name) > 0 }))
  return { order, madeOf }
}

/** So many batches of each sender. */
const each = <A extends { readonly answered: boolean }, E, R>(
  senders: ReadonlyArray<Sender>,
  count: number,
  batch: Effect.Effect<A, E, R>
) =>
  Effect.forEach(
    Array.from({ length: count }).flatMap(() => senders),
    (sender) => Effect.forkChild(sender.inTurn(dead, batch))
  )

const suite = (senders: Effect.Effect<Senders, unknown, Scope.Scope>): void => {
  it.live(
    "have at most 16 batches in flight, whoever sends, and do not slow another",
    () =>
      Effect.gen(function* () {
        const three = yield* senders
        const [full, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        let [inFlight, peak] = [0, 0]
        const hangs = Effect.acquireUseRelease(
          Effect.suspend(() => {
            peak = Math.max(peak, ++inFlight)
            return inFlight === 16 ? Deferred.succeed(full, undefined) : Effect.void
          }),
          () => Effect.as(Deferred.await(go), { answered: true }),
          () => Effect.sync(() => (inFlight -= 1))
        )
        const hanging = yield* each(three, 20, hangs)
        yield* Deferred.await(full)
        const arrived = yield* Effect.forEach(
          Array.from({ length: 30 }).flatMap(() => three),
          (sender) => sender.inTurn(healthy, answers),
          { concurrency: "unbounded" }
        )
        const whileFull = peak
        yield* Deferred.succeed(go, undefined)
        yield* Effect.forEach(hanging, Fiber.join)

        expect(arrived).toHaveLength(90)
        expect([whileFull, peak, inFlight]).toEqual([16, 16, 0])
      }),
    60_000
  )

  it.live(
    "that fail five times in a row are left alone by all, asked with one batch a pause, and served at once when they are back",
    () =>
      Effect.gen(function* () {
        const three = yield* senders
        const asked: Array<number> = []
        const batch = Effect.sync(() => ({ answered: asked.push(performance.now()) > 2 }))
        const failed = performance.now()
        yield* fiveFailures(three[0])
        // With a pause after each of them, they would not end within the limit of this test.
        const all = yield* each([three[1], three[2], three[0]], 40, batch)
        yield* Effect.forEach(all, Fiber.join)
        const [first = 0, second = 0, third = 0] = asked

        expect(asked).toHaveLength(120)
        const gaps = [first - failed, second - first, third - second]
        for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(options.pauseMillis - 5)
      }),
    60_000
  )

  it.live(
    "that are left alone are asked with the next batch at once where there was none to make",
    () =>
      Effect.gen(function* () {
        const [one, other, third] = yield* senders
        const failed = performance.now()
        yield* fiveFailures(one)
        yield* other.inTurn(dead, Effect.succeed({ answered: null }))
        const since = performance.now()
        const { madeOf, order } = ordered()
        yield* fiveFailures({ inTurn: (_, batch) => other.inTurn(alsoDead, batch) })
        const paused = yield* Effect.forkChild(other.inTurn(alsoDead, madeOf("after a pause that begins now")))
        yield* third.inTurn(dead, madeOf("third"))
        yield* one.inTurn(dead, madeOf("one"))
        yield* Fiber.join(paused)

        expect(since - failed).toBeGreaterThanOrEqual(options.pauseMillis - 5)
        expect(order).toEqual(["third", "one", "after a pause that begins now"])
      }),
    60_000
  )

  it.live(
    "are those of one team",
    () =>
      Effect.gen(function* () {
        const [one, other] = yield* senders
        const since = performance.now()
        const { madeOf, order } = ordered()
        yield* fiveFailures(one)
        const paused = yield* Effect.forkChild(other.inTurn(dead, madeOf("team a, after its pause")))
        yield* other.inTurn({ ...dead, teamId: "b" }, madeOf("team b"))
        yield* Fiber.join(paused)

        expect(order).toEqual(["team b", "team a, after its pause"])
        expect(performance.now() - since).toBeGreaterThanOrEqual(options.pauseMillis - 5)
      }),
    60_000
  )
}

describe("receivers of webhooks, in one process", () => suite(here))

describe.skipIf(postgres === undefined)("receivers of webhooks, in three processes on Postgres", () => {
  suite(clustered)

  it.live(
    "have the turns of a process for others as soon as it has ended, and what others have begun goes on when their place ends",
    () =>
      Effect.gen(function* () {
        const [one, other, third] = yield* processes
        const all = Array.from({ length: 12 }, (_, index) => ({ teamId: "a", url: `https://r${index}.example/hook` }))
        const go = yield* Deferred.make<void>()
        const begun = yield* Effect.forEach(all, () => Deferred.make<void>())
        // All turns of these receivers: in half of them of the process that ends, in half of one that stays.
        const holding = yield* Effect.forEach(all, (receiver, index) => {
          const holds = index % 2 === 0 ? third : one
          let count = 0
          const batch = Effect.suspend(() =>
            ++count === 16 ? Deferred.succeed(begun[index] ?? go, undefined) : Effect.void
          ).pipe(Effect.andThen(Deferred.await(go)), Effect.as({ answered: true }))
          const asking = Array.from({ length: 16 }, () => holds.sender.inTurn(receiver, batch))
          return Effect.forkChild(Effect.all(asking, { concurrency: "unbounded" }))
        })
        yield* Effect.forEach(begun, Deferred.await)
        const waiting = yield* Effect.forEach(all, (receiver) =>
          Effect.forkChild(other.sender.inTurn(receiver, answers))
        )
        yield* Fiber.interruptAll(holding.filter((_, index) => index % 2 === 0))
        yield* third.end
        yield* Effect.forEach(
          waiting.filter((_, index) => index % 2 === 0),
          Fiber.join
        )
        yield* Deferred.succeed(go, undefined)
        const exits = yield* Effect.forEach(
          holding.filter((_, index) => index % 2 === 1),
          Fiber.await
        )
        yield* Effect.forEach(waiting, Fiber.join)

        expect(exits.map(Exit.isSuccess)).toEqual(exits.map(() => true))
      }),
    60_000
  )
})
