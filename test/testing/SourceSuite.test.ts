import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Checkpoint from "#engine/Checkpoint"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import * as SourceSuite from "#testing/SourceSuite"

const numbers = Table.make({
  name: "numbers",
  description: "numbers up to twenty",
  schema: Schema.Struct({ n: Schema.Int })
})

/** What may be wrong with a source. */
interface Flaw {
  readonly resumesAt?: number
  readonly withoutEnd?: boolean
  readonly unnamed?: boolean
  readonly text?: boolean
  readonly leaks?: boolean
  readonly skips?: number
  readonly forgets?: boolean
}

let running = 0
let parsings = 0

const subject = (flaw: Flaw): SourceSuite.Subject<never> => {
  const source = Source.make({
    type: "numbers",
    description: "numbers, four at a time",
    options: Schema.Struct({}),
    state: Schema.Struct({ next: Schema.Int }),
    tables: () => [flaw.unnamed === true ? { ...numbers, name: "others" } : numbers],
    cursor: Schema.Struct({ next: Schema.Int }),
    fetch: (_, { after, start }) => {
      const onward = Option.match(start, { onNone: () => 0, onSome: ({ next }) => next + (flaw.resumesAt ?? 0) })
      const first = Option.match(after, { onNone: () => onward, onSome: ({ next }) => next + (flaw.skips ?? 0) })
      const groups = Array.from({ length: Math.ceil((20 - first) / 4) }, (_, group) => first + group * 4)
      return Stream.fromIterable(groups).pipe(
        Stream.map((from) => ({ kind: "four", at: 0, text: String(from), cursor: { next: from + 4 } })),
        Stream.onStart(Effect.sync(() => void running++)),
        Stream.ensuring(Effect.sync(() => void (flaw.leaks === true ? 0 : running--)))
      )
    },
    decode: (_, { text }) =>
      Effect.sync(() => {
        const from = Number(text)
        const last = flaw.forgets === true ? parsings++ : 0
        const rows = [0, 1, 2, 3].map((at) => ({ n: flaw.text === true ? `${from + at}` : from + at + last }))
        const checkpoint = from + 4 >= 20 && flaw.withoutEnd === true ? [] : [Checkpoint.make({ next: from + 4 })]
        return [Table.batch(numbers, rows), Source.progress({ read: from }), ...checkpoint]
      })
  })
  return {
    reader: Effect.sync(() => {
      running = 0
      return source.with({})
    }),
    layer: Layer.empty,
    running: Effect.sync(() => running)
  }
}

SourceSuite.suite("a source of numbers", subject({}))

describe("the suite finds", () => {
  const flaws: ReadonlyArray<readonly [string, Flaw, RegExp]> = [
    ["a row lost on resuming", { resumesAt: 1 }, /reading to a checkpoint/],
    ["rows repeated on resuming", { resumesAt: -1 }, /failing after k rows/],
    ["a stream without a last checkpoint", { withoutEnd: true }, /ends with a checkpoint/],
    ["a table that was not named", { unnamed: true }, /names every table/],
    ["a cell of another type", { text: true }, /value of its column/],
    ["an answer lost on going on", { skips: 4 }, /goes on behind any answer/],
    ["an answer that says something else the second time", { forgets: true }, /parsing is pure/],
    ["work that goes on after an interruption", { leaks: true }, /interrupting it stops/]
  ]
  for (const [what, flaw, sentence] of flaws) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const law = SourceSuite.laws.find((each) => sentence.test(each.sentence))
        if (law === undefined) return expect.fail(`no law says ${sentence}`)

        const exit = yield* Effect.exit(SourceSuite.check(law, subject(flaw)))

        expect(Exit.isFailure(exit)).toBe(true)
      })
    )
  }
})
