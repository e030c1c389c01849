/** Readings of a source under test, and what its laws compare of them. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Segment from "#base/Segment"
import type { RunSegments } from "#engine/Journal"
import * as Source from "#engine/Source"
import type { SourceResponse } from "#engine/SourceElement"
import type * as Table from "#engine/Table"
import { canonical } from "../specimens.ts"

/** What a reading needs to know of the subject of a suite. */
interface Subject {
  readonly volatile?: ReadonlyArray<string>
  readonly directory?: string
}

type Element = Source.Element<unknown>

export const placeOf = ({ directory = process.cwd() }: Subject) => ({ directory })

export const elementsOf = <R>(subject: Subject, reader: Source.Reader<R>, start: Option.Option<unknown>) =>
  Effect.map(
    Stream.runCollect(Source.read(reader, { start, ...placeOf(subject) })),
    (elements): ReadonlyArray<Element> => [...elements]
  )

/** The first elements; the stream is closed where a run would have failed. */
export const elementsBefore = <R>(subject: Subject, reader: Source.Reader<R>, count: number) =>
  Effect.map(
    Stream.runCollect(Stream.take(Source.read(reader, placeOf(subject)), count)),
    (elements): ReadonlyArray<Element> => [...elements]
  )

/** The answers of one reading: all of them, or the first. Reading stops as it does where a process is killed. */
export const answersOf = <R>(
  subject: Subject,
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

export const parsed = <R>(reader: Source.Reader<R>, answers: ReadonlyArray<SourceResponse>) =>
  Effect.map(Effect.forEach(answers, reader.decode), (elements): ReadonlyArray<Element> => elements.flat())

/** What a journal keeps beside the answers. */
export const journal = (): RunSegments => ({
  blocks: Segment.memory(),
  progress: Segment.memory(),
  known: Segment.memory()
})

/** Answers as a journal returns them: their contents come from the blocks, because only the blocks keep them. */
export const recorded = (answers: ReadonlyArray<SourceResponse>, { blocks }: RunSegments) =>
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
export const rowsOf = (subject: Subject, elements: ReadonlyArray<Element>): ReadonlyArray<string> =>
  elements
    .flatMap((element) =>
      element._tag === "Batch" ? element.rows.map((row) => show(subject, element.table, row)) : []
    )
    .sort()

const show = ({ volatile = [] }: Subject, table: Table.Table, row: Table.Row): string => {
  const cells = Object.entries(canonical(table, row)).filter(([name]) => !volatile.includes(name))
  return `${table.name} ${JSON.stringify(cells, (_, cell: unknown) => (typeof cell === "bigint" ? `${cell}n` : cell))}`
}

/** A state as a journal returns it. */
export const stored = (state: unknown): unknown => JSON.parse(JSON.stringify(state))

/** The first, the last and a few between. */
export const sampled = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.filter((_, at) => at === 0 || at === all.length - 1 || at % Math.ceil(all.length / 4) === 0)
