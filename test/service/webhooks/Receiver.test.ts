import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { expect } from "vitest"
import * as Receiver from "#service/webhooks/Receiver"

const leftAlone = Metric.value(Receiver.leftAlone)

it.effect("a receiver that is left alone counts in the metrics, until it answers or is forgotten", () =>
  Effect.gen(function* () {
    const [one, other] = [Receiver.create(Receiver.defaults), Receiver.create(Receiver.defaults)]
    const seen: Array<number> = []
    // Others of this process may be left alone.
    const { value: before } = yield* leftAlone
    const see = Effect.map(leftAlone, ({ value }) => void seen.push(value - before))
    const fails = ({ answered }: Receiver.Receiver, times: number) =>
      Effect.repeat(answered(false), { times: times - 1 })
    yield* fails(one, 4)
    yield* see
    yield* fails(one, 2)
    yield* fails(other, 5)
    yield* see
    yield* one.answered(true)
    yield* see
    yield* fails(one, 5)
    yield* one.forget
    yield* one.forget
    yield* see
    yield* other.forget
    yield* see

    expect(seen).toEqual([0, 2, 1, 1, 0])
    expect([one.hasFailed(), other.hasFailed()]).toEqual([false, false])
  })
)
