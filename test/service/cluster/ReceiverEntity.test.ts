import { describe, it } from "@effect/vitest"
import * as Entity from "effect/cluster/Entity"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { layerEntity, ReceiverEntity } from "#service/cluster/clusteredReceivers"
import { inGivenTurn } from "#service/cluster/inGivenTurn"
import * as Receiver from "#service/webhooks/Receiver"

const receiver = Effect.flatMap(Entity.makeTestClient(ReceiverEntity, layerEntity(Receiver.defaults)), (client) =>
  client("receiver")
).pipe(Effect.provide(ShardingConfig.layer()))

describe("a turn of a receiver", () => {
  it.effect("is over after half a minute where nobody gives it back, and what was begun in it goes on", () =>
    Effect.gen(function* () {
      const { Turn } = yield* receiver
      const held = Array.from({ length: 16 }, () => Effect.forkChild(inGivenTurn(Turn(), Effect.never)))
      const holding = yield* Effect.all(held)
      yield* TestClock.adjust(0)
      let begun = 0
      const next = yield* Effect.forkChild(
        inGivenTurn(
          Turn(),
          Effect.sync(() => (begun += 1))
        )
      )
      yield* TestClock.adjust("29 seconds")
      const early = begun
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(next)

      expect([early, begun]).toEqual([0, 1])
      expect(holding.map((fiber) => fiber.pollUnsafe())).toEqual(holding.map(() => undefined))
    })
  )

  it.effect("is free as soon as who has it goes away", () =>
    Effect.gen(function* () {
      const { Turn } = yield* receiver
      const holding = yield* Effect.all(
        Array.from({ length: 16 }, () => Effect.forkChild(inGivenTurn(Turn(), Effect.never)))
      )
      yield* TestClock.adjust(0)
      const next = yield* Effect.forkChild(inGivenTurn(Turn(), Effect.succeed("begun")))
      yield* TestClock.adjust("1 second")
      const early = next.pollUnsafe()
      yield* Fiber.interrupt(holding[3] ?? next)

      expect(early).toBeUndefined()
      expect(yield* Fiber.join(next)).toBe("begun")
    })
  )
})
