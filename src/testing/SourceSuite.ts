/**
 * The laws of a source as a suite.
 *
 *     SourceSuite.suite("webdata.crawl", { reader, layer, volatile: ["fetched_at"], running })
 *
 * The suite knows a source only by its contract. Each `reader` reads the same data, so two readings can be compared;
 * rows are compared as sets, since a source may read in parallel.
 */

import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Segment from "#base/Segment"
import type { RunSegments } from "#engine/Journal"
import * as Source from "#engine/Source"
import type { SourceResponse } from "#engine/SourceElement"
import type * as Table from "#engine/Table"
import { validateRow } from "#engine/validateRow"
import { canonical, randomFrom, seed } from "./specimens.ts"

/** The source under test, and what its tests need. */
export interface Subject<R> {
  /** A reader of the same data each time. It has two checkpoints at least, where it continues at one. */
  readonly reader: Effect.Effect<Source.Reader<R>, unknown, R | Scope.Scope>
  /** What the source needs; default: `Layer.empty`, nothing. */
  readonly layer?: Layer.Layer<R>
  /** Whether it continues at a checkpoint; default: true. One that reads everything each time says false. */
  readonly continues?: boolean
  /** The folder that relative paths of the options start from; default: the working folder. */
  readonly directory?: string
  /** Columns whose cells differ from one reading to the next: times, ids of jobs. */
  readonly volatile?: ReadonlyArray<string>
  /** How many requests and jobs of the source run at this moment, where the test can tell. */
  readonly running?: Effect.Effect<number>
}

/** A law: a sentence, and how to see whether a source keeps it. It fails where the source does not. */
export interface Law {
  /** What it asks of a source, as the test is called. */
  readonly sentence: string
  /** Tries it. It fails with the assertion that does not hold. */
  readonly run: <R>(subject: Subject<R>) => Effect.Effect<void, unknown, R | Scope.Scope>
  /** Whether only a source that continues at a checkpoint can keep it. */
  readonly continues?: boolean
}

/**
 * Declares the tests of a source with vitest, one for each guarantee of `Source`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { rows } from "millrace"
 * import { SourceSuite } from "millrace/testing"
 *
 * const reader = Effect.sync(() => rows([{ id: 1 }, { id: 2 }], { table: "numbers" }))
 * SourceSuite.suite("rows", { reader, continues: false })
 * ```
 */
export const suite = <R>(name: string, subject: Subject<R>): void => {
  describe(`${name} keeps the laws of a source`, () => {
    for (const law of laws) {
      if (law.continues !== true || subject.continues !== false) it.effect(law.sentence, () => check(law, subject))
      else it.skip(`${law.sentence} (skipped: the source reads everything each time)`)
    }
  })
}

/**
 * Tries one law. It fails with the assertion that does not hold.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { rows } from "millrace"
 * import { SourceSuite } from "millrace/testing"
 *
 * const reader = Effect.sync(() => rows([{ id: 1 }], { table: "numbers" }))
 * const kept: Array<string> = []
 * for (const law of SourceSuite.laws.slice(0, 2)) {
 *   await Effect.runPromise(SourceSuite.check(law, { reader, continues: false }))
 *   kept.push(law.sentence)
 * }
 * console.log(kept.length) // 2
 * ```
 */
export const check = <R>(law: Law, subject: Subject<R>) =>
  Effect.scoped(law.run(subject)).pipe(Effect.provide(layerOf(subject)))

const layerOf = <R>({ layer }: Subject<R>): Layer.Layer<R> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a layer, the author says that nothing is needed: R is never
  layer ?? (Layer.empty as unknown as Layer.Layer<R>)

/**
 * Every law, for those who want to try them one by one.
 *
 * @example
 * ```ts
 * import { SourceSuite } from "millrace/testing"
 *
 * console.log(SourceSuite.laws[0]?.sentence) // "tables names every table that read emits, and batches are never empty"
 * ```
 */
export const laws: ReadonlyArray<Law> = [
  {
    sentence: "tables names every table that read emits, and batches are never empty",
    run: Effect.fnUntraced(function* (subject) {
      const reader = yield* subject.reader
      const named = new Set(reader.tables.map((table) => table.name))
      for (const element of yield* elementsOf(subject, reader, Option.none())) {
        if (element._tag !== "Batch") continue
        expect(named).toContain(element.table.name)
        expect(element.rows.length).toBeGreaterThan(0)
      }
    })
  },
  {
    sentence: "each cell is the value of its column's type",
    run: Effect.fnUntraced(function* (subject) {
      for (const element of yield* elementsOf(subject, yield* subject.reader, Option.none())) {
        if (element._tag !== "Batch") continue
        for (const row of element.rows) expect(validateRow(element.table, row)).toBeUndefined()
      }
    })
  },
  {
    sentence: "a stream that ends, ends with a checkpoint: no row comes after the last one",
    run: Effect.fnUntraced(function* (subject) {
      const elements = yield* elementsOf(subject, yield* subject.reader, Option.none())
      const last = elements.findLast((element) => element._tag !== "Progress")
      expect(last?._tag).toBe("Checkpoint")
    })
  },
  {
    sentence: "a checkpoint is JSON: it survives being stored",
    run: Effect.fnUntraced(function* (subject) {
      for (const element of yield* elementsOf(subject, yield* subject.reader, Option.none())) {
        if (element._tag === "Checkpoint") expect(JSON.parse(JSON.stringify(element.state))).toEqual(element.state)
      }
    })
  },
  {
    sentence: "reading to a checkpoint and then from it gives the same rows as reading through",
    continues: true,
    run: Effect.fnUntraced(function* (subject) {
      const through = yield* elementsOf(subject, yield* subject.reader, Option.none())
      const whole = rowsOf(subject, through)
      const checkpoints = through.flatMap((element, at) => (element._tag === "Checkpoint" ? [{ at, element }] : []))
      expect(checkpoints.length).toBeGreaterThan(1)
      // The last checkpoint is where the next run starts, so what follows it is that run's.
      for (const { at, element } of sampled(checkpoints.slice(0, -1))) {
        const rest = yield* elementsOf(subject, yield* subject.reader, Option.some(stored(element.state)))
        expect(rowsOf(subject, [...through.slice(0, at), ...rest])).toEqual(whole)
      }
    })
  },
  {
    sentence: `failing after k rows loses none and repeats none past the last checkpoint (MILLRACE_SEED=${seed})`,
    run: Effect.fnUntraced(function* (subject) {
      const through = yield* elementsOf(subject, yield* subject.reader, Option.none())
      const whole = rowsOf(subject, through)
      const random = randomFrom(seed)
      for (let attempt = 0; attempt < 5; attempt++) {
        const read = yield* elementsBefore(subject, yield* subject.reader, 1 + random(through.length - 1))
        const last = read.findLastIndex((element) => element._tag === "Checkpoint")
        const checkpoint = read[last]
        const start = checkpoint?._tag === "Checkpoint" ? Option.some(stored(checkpoint.state)) : Option.none<unknown>()
        const rest = yield* elementsOf(subject, yield* subject.reader, start)
        expect(rowsOf(subject, [...read.slice(0, last + 1), ...rest])).toEqual(whole)
      }
    })
  },
  {
    sentence: "parsing is pure: answers that were kept say again what they said",
    run: Effect.fnUntraced(function* (subject) {
      const reader = yield* subject.reader
      const segments = journal()
      const answers = yield* answersOf(subject, reader, Option.none(), segments)
      const first = yield* parsed(reader, answers)
      const again = yield* parsed(yield* subject.reader, yield* recorded(answers, segments))
      expect(rowsOf(subject, again)).toEqual(rowsOf(subject, first))
      expect(again.map(({ _tag }) => _tag)).toEqual(first.map(({ _tag }) => _tag))
    })
  },
  {
    sentence: "asking goes on behind any answer: those before it and those after it are the answers of one reading",
    run: Effect.fnUntraced(function* (subject) {
      const reader = yield* subject.reader
      const whole = yield* answersOf(subject, reader, Option.none(), journal())
      const rows = rowsOf(subject, yield* parsed(reader, whole))
      expect(whole.length).toBeGreaterThan(1)
      for (const at of sampled(whole.map((_, at) => at))) {
        const another = yield* subject.reader
        const segments = journal()
        const before = yield* answersOf(subject, another, Option.none(), segments, at + 1)
        const rest = yield* answersOf(subject, another, Option.fromUndefinedOr(before.at(-1)?.cursor), segments)
        const all = [...(yield* recorded(before, segments)), ...rest]
        expect(rowsOf(subject, yield* parsed(another, all))).toEqual(rows)
      }
    })
  },
  {
    sentence: "nothing runs until the stream is pulled, and interrupting it stops what runs",
    run: Effect.fnUntraced(function* (subject) {
      const reader = yield* subject.reader
      const stream = Source.read(reader, placeOf(subject))
      const running = subject.running ?? Effect.succeed(0)
      expect(yield* running).toBe(0)
      const first = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkScoped(
        Stream.runForEach(stream, () => Effect.andThen(Deferred.succeed(first, undefined), Effect.never))
      )
      yield* Deferred.await(first)

      yield* Fiber.interrupt(fiber)

      expect(yield* running).toBe(0)
    })
  }
]

/** What a reading needs to know of the subject of a suite. */
interface Setting {
  readonly volatile?: ReadonlyArray<string>
  readonly directory?: string
}

type Element = Source.Element<unknown>

/** Readings of a source under test, and what its laws compare of them. */
const placeOf = ({ directory = process.cwd() }: Setting) => ({ directory })

const elementsOf = <R>(subject: Setting, reader: Source.Reader<R>, start: Option.Option<unknown>) =>
  Effect.map(
    Stream.runCollect(Source.read(reader, { start, ...placeOf(subject) })),
    (elements): ReadonlyArray<Element> => [...elements]
  )

/** The first elements; the stream is closed where a run would have failed. */
const elementsBefore = <R>(subject: Setting, reader: Source.Reader<R>, count: number) =>
  Effect.map(
    Stream.runCollect(Stream.take(Source.read(reader, placeOf(subject)), count)),
    (elements): ReadonlyArray<Element> => [...elements]
  )

/** The answers of one reading: all of them, or the first. Reading stops as it does where a process is killed. */
const answersOf = <R>(
  subject: Setting,
  reader: Source.Reader<R>,
  after: Option.Option<unknown>,
  segments: RunSegments,
  most = Number.POSITIVE_INFINITY
) =>
  Effect.map(
    Stream.runCollect(
      Stream.take(
        reader.fetch({
          start: Option.none(),
          after,
          key: "suite",
          limits: {},
          ...placeOf(subject),
          segments: Effect.succeed(segments)
        }),
        Math.min(most, 2 ** 31)
      )
    ),
    (answers): ReadonlyArray<SourceResponse> => [...answers]
  )

const parsed = <R>(reader: Source.Reader<R>, answers: ReadonlyArray<SourceResponse>) =>
  Effect.map(Effect.forEach(answers, reader.decode), (elements): ReadonlyArray<Element> => elements.flat())

/** What a journal keeps beside the answers. */
const journal = (): RunSegments => ({
  blocks: Segment.memory(),
  progress: Segment.memory(),
  known: Segment.memory()
})

/** Answers as a journal returns them: their contents come from the blocks, because only the blocks keep them. */
const recorded = (answers: ReadonlyArray<SourceResponse>, { blocks }: RunSegments) =>
  Effect.forEach(answers, (answer) =>
    Effect.promise(async () => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an answer is of JSON values, but for its contents
      const again = JSON.parse(JSON.stringify(Struct.omit(answer, ["contents"]))) as SourceResponse
      if (again.blocks === undefined) return again
      const read = again.blocks.map((number) => blocks.read(blocks.places[number] ?? 0))
      return { ...again, contents: (await Promise.all(read)).flatMap((block) => block?.bytes ?? []) }
    })
  )

/** All rows as texts, sorted. */
const rowsOf = (subject: Setting, elements: ReadonlyArray<Element>): ReadonlyArray<string> =>
  elements
    .flatMap((element) =>
      element._tag === "Batch" ? element.rows.map((row) => show(subject, element.table, row)) : []
    )
    .sort()

const show = ({ volatile = [] }: Setting, table: Table.Table, row: Table.Row): string => {
  const cells = Object.entries(canonical(table, row)).filter(([name]) => !volatile.includes(name))
  return `${table.name} ${JSON.stringify(cells, (_, cell: unknown) => (typeof cell === "bigint" ? `${cell}n` : cell))}`
}

/** A state as a journal returns it. */
const stored = (state: unknown): unknown => JSON.parse(JSON.stringify(state))

/** The first, the last and a few between. */
const sampled = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.filter((_, at) => at === 0 || at === all.length - 1 || at % Math.ceil(all.length / 4) === 0)
