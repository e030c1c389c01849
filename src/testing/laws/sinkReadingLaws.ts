/**
 * The laws of rows that are read by a program which gets better (`Table.reading`): a newer version of it does not change
 * what it read.
 */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Bench, type Law, law } from "../SinkBench.ts"
import { commitAt, minute } from "./history.ts"

/** Pages whose text is found by a program that has a version. */
const texts = Table.make({
  name: "texts",
  description: "pages whose text a program finds",
  schema: Schema.Struct({
    url: Schema.String,
    price: Schema.NullOr(Schema.Finite),
    text: Schema.NullOr(Schema.String),
    metadata: Schema.NullOr(Schema.Unknown),
    finder: Schema.NullOr(Schema.Int),
    _run_id: Schema.String
  }),
  key: ["url"],
  reading: { version: "finder", columns: { text: true, metadata: ["hash"] } }
})

/** The table before it knew of versions. */
const { reading: _, ...unread } = texts
const older: Table.Table = { ...unread, columns: texts.columns.filter(({ name }) => name !== "finder") }

const text = (url: string, words: string, finder: bigint | null, more: Table.Row = {}): Table.Row => ({
  url,
  price: 1,
  text: words,
  metadata: { hash: words, lang: "en" },
  finder,
  ...more
})

interface Read {
  readonly write: Sink.WriteDisposition
  readonly table?: Table.Table
  readonly again?: boolean
}

const read = <R>(
  bench: Bench<R>,
  at: number,
  { again, table = texts, write }: Read,
  rows: ReadonlyArray<Table.Row>
) => {
  const names = table.columns.map(({ name }) => name)
  const own = rows.map((row) =>
    Object.fromEntries(Object.entries({ ...row, _run_id: `run-${at}` }).filter(([name]) => names.includes(name)))
  )
  return bench.session(
    `run-${at}`,
    [[table, write, ["price", "text"]]],
    (writer) =>
      Effect.gen(function* () {
        yield* writer.write(Table.batch(table, own))
        const { tables } = yield* writer.commit(commitAt(at))
        return tables?.["texts"]
      }),
    again === undefined ? {} : { again }
  )
}

/** "/a words 2 of run-1" for each row, and " from 1 to 2" of a history. */
const textsOf = <R>(bench: Bench<R>, write: Sink.WriteDisposition) =>
  Effect.map(bench.seen(write === "scd2" ? Table.extend(texts, Sink.historyColumns) : texts), (rows) =>
    rows
      .map((row) => {
        const until = row["valid_to"] === null ? "" : ` to ${minute(row["valid_to"])}`
        const when = write === "scd2" ? ` from ${minute(row["valid_from"])}${until}` : ""
        return `${row["url"]} ${row["text"]} ${row["finder"]} of ${row["_run_id"]}${when}`
      })
      .toSorted()
  )

const counts = (written: number, unchanged: number) => ({
  received: written + unchanged,
  written,
  unchanged,
  superseded: 0,
  kept: 0
})

export const sinkReadingLaws: ReadonlyArray<Law> = [
  law(
    "merge rewrites a row in place that a newer version has read, counts it as unchanged, and sees what else differs",
    (bench) =>
      Effect.gen(function* () {
        const write = "merge"
        yield* read(bench, 1, { write }, [text("/a", "old", 1n), text("/b", "old", 1n), text("/c", "same", 1n)])
        const anew = yield* read(bench, 2, { write }, [
          text("/a", "new", 2n),
          text("/b", "new", 2n, { price: 2 }),
          text("/c", "same", 2n),
          text("/d", "new", 2n)
        ])

        expect(anew).toEqual(counts(2, 2))
        expect(yield* textsOf(bench, write)).toEqual([
          "/a new 2 of run-1",
          "/b new 2 of run-2",
          "/c same 2 of run-1",
          "/d new 2 of run-2"
        ])
        const again = yield* read(bench, 3, { write }, [text("/a", "new", 2n), text("/b", "newer", 2n)])
        expect(again).toEqual(counts(1, 1))
      }),
    "merge"
  ),

  law(
    "a history makes no version of a row that a newer version has read, and a version of what changes after that",
    (bench) =>
      Effect.gen(function* () {
        const write = "scd2"
        yield* read(bench, 1, { write }, [text("/a", "first", 1n), text("/b", "old", 1n), text("/c", "same", 1n)])
        yield* read(bench, 2, { write }, [text("/a", "second", 1n), text("/b", "old", 1n), text("/c", "same", 1n)])
        const rows = [text("/a", "anew", 2n), text("/b", "anew", 2n, { price: 2 }), text("/c", "same", 2n)]
        expect(yield* read(bench, 3, { write }, rows)).toEqual(counts(1, 2))

        const versions = [
          "/a anew 2 of run-2 from 2",
          "/a first 1 of run-1 from 1 to 2",
          "/b anew 2 of run-3 from 3",
          "/b old 1 of run-1 from 1 to 3",
          "/c same 2 of run-1 from 1"
        ]
        expect(yield* textsOf(bench, write)).toEqual(versions)
        expect(yield* read(bench, 3, { write, again: true }, rows)).toEqual(counts(1, 2))
        expect(yield* textsOf(bench, write)).toEqual(versions)

        yield* read(bench, 4, { write }, [text("/c", "changed", 2n)])
        expect((yield* textsOf(bench, write)).filter((row) => row.startsWith("/c"))).toEqual([
          "/c changed 2 of run-4 from 4",
          "/c same 2 of run-1 from 1 to 4"
        ])
      }),
    "scd2"
  ),

  law(
    "rows that were stored before versions existed count as another version",
    (bench) =>
      Effect.gen(function* () {
        const write = "scd2"
        yield* read(bench, 1, { write, table: older }, [text("/a", "old", null), text("/b", "old", null)])
        const result = yield* read(bench, 2, { write }, [text("/a", "new", 1n), text("/b", "new", null)])

        expect(result).toEqual(counts(1, 1))
        expect(yield* textsOf(bench, write)).toEqual([
          "/a new 1 of run-1 from 1",
          "/b new null of run-2 from 2",
          "/b old null of run-1 from 1 to 2"
        ])
      }),
    "scd2"
  ),

  law(
    "a merged row that comes without a version is compared as always, also with one that has a version",
    (bench) =>
      Effect.gen(function* () {
        const write = "merge"
        yield* read(bench, 1, { write, table: older }, [text("/a", "old", null), text("/b", "old", null)])
        expect(yield* read(bench, 2, { write }, [text("/a", "new", 1n), text("/b", "old", null)])).toEqual(counts(0, 2))
        expect(yield* read(bench, 3, { write }, [text("/a", "newer", null), text("/b", "new", null)])).toEqual(
          counts(2, 0)
        )

        expect(yield* textsOf(bench, write)).toEqual(["/a newer null of run-3", "/b new null of run-3"])
      }),
    "merge"
  )
]
