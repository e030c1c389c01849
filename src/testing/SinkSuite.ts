/**
 * The laws of a sink, as tests. A connector's test file is one call:
 *
 *     SinkSuite.suite("duckdb", { destination, read, layer: Layer.empty, secondWriter: "fails to open" })
 *
 * The law of the suite itself: it knows a sink only by its contract and by `read`, and reads only where no writer is
 * open.
 */
import { tmpdir } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Sink from "../pipeline/Sink.ts"
import * as Table from "../pipeline/Table.ts"
import { folder } from "./folder.ts"
import { canonical, draw, everything, links, pages, seed, special } from "./specimens.ts"

export interface Subject<R> {
  /** The sink under test, with its options, at a place of its own for each folder. */
  readonly destination: (directory: string) => Sink.Destination<R>
  /** What a reader sees: the committed rows of a table; none where there is no such table. */
  readonly read: (directory: string, table: Table.Table) => Effect.Effect<ReadonlyArray<Table.Row>, unknown, R>
  /** What the sink needs. `Layer.empty` where it needs nothing. */
  readonly layer: Layer.Layer<R>
  /** How a second writer learns that there is one: at once, or when it has lost the race to commit. */
  readonly secondWriter: "fails to open" | "fails to commit"
}

export const suite = <R>(name: string, subject: Subject<R>): void => {
  const law = <E>(sentence: string, run: (bench: Bench<R>) => Effect.Effect<void, E, R>) =>
    it.effect(sentence, () =>
      Effect.provide(
        Effect.flatMap(folder, (directory) => run(bench(subject, directory))),
        subject.layer
      )
    )

  describe(`${name} keeps the laws of a sink`, () => {
    law("what was written and not committed is not there after reopening", ({ rows, session }) =>
      Effect.gen(function* () {
        yield* session("run-1", [[pages, "append"]], (writer) => writer.write(Table.batch(pages, [page("/a", 1)])))

        expect(yield* rows(pages)).toEqual([])
        const resume = yield* session("run-2", [[pages, "append"]], (writer) => Effect.succeed(writer.resume))
        expect(resume).toEqual(Option.none())
      })
    )

    law(
      "a commit shows the rows in the order written, and its checkpoint is where the next run resumes",
      ({ rows, load, session }) =>
        Effect.gen(function* () {
          const written = Array.from({ length: 5000 }, (_, at) => page(`/${at}`, at))

          const receipt = yield* load("run-1", pages, "append", written, { page: 5000, cursor: "ü" })

          expect(receipt.rows).toEqual({ pages: 5000 })
          expect(yield* rows(pages)).toEqual(written.map((row) => canonical(pages, row)))
          const resume = yield* session("run-2", [[pages, "append"]], (writer) => Effect.succeed(writer.resume))
          expect(resume).toEqual(Option.some({ runId: "run-1", state: { page: 5000, cursor: "ü" } }))
        })
    )

    law("each commit of a run adds to the one before", ({ rows, session }) =>
      Effect.gen(function* () {
        yield* session("run-1", [[pages, "append"]], (writer) =>
          Effect.gen(function* () {
            for (const at of [1, 2, 3]) {
              yield* writer.write(Table.batch(pages, [page(`/${at}`, at)]))
              yield* writer.commit(commitOf("run-1", at))
            }
            yield* writer.commit(commitOf("run-1", 4))
            yield* writer.write(Table.batch(pages, [page("/4", 4)]))
          })
        )

        expect((yield* rows(pages)).map((row) => row["url"])).toEqual(["/1", "/2", "/3"])
        const resume = yield* session("run-2", [[pages, "append"]], (writer) => Effect.succeed(writer.resume))
        expect(Option.getOrThrow(resume).state).toBe(4)
      })
    )

    law("a commit without rows moves the checkpoint and nothing else", ({ rows, load, session }) =>
      Effect.gen(function* () {
        yield* load("run-1", pages, "append", [page("/a", 1)], 1)
        yield* load("run-2", pages, "append", [], 2)

        expect(yield* rows(pages)).toHaveLength(1)
        const resume = yield* session("run-3", [[pages, "append"]], (writer) => Effect.succeed(writer.resume))
        expect(resume).toEqual(Option.some({ runId: "run-2", state: 2 }))
      })
    )

    law("each pipeline has its own checkpoint", ({ load, session }) =>
      Effect.gen(function* () {
        yield* load("run-1", pages, "append", [page("/a", 1)], 1)

        const resume = yield* session(
          "run-2",
          [[pages, "append"]],
          (writer) => Effect.succeed(writer.resume),
          "another pipeline"
        )
        expect(resume).toEqual(Option.none())
      })
    )

    law("an interrupted commit is whole or absent, and the one before stays whole", ({ rows, load, session }) =>
      Effect.gen(function* () {
        yield* load("run-0", pages, "append", [page("/before", 0)], 0)
        let committed = 0
        for (let turns = 0; turns < 24; turns++) {
          const urls = Array.from({ length: 50 }, (_, at) => page(`/${turns}/${at}`, turns))
          yield* session(`run-${turns + 1}`, [[pages, "append"]], (writer) =>
            Effect.gen(function* () {
              yield* writer.write(Table.batch(pages, urls))
              const fiber = yield* Effect.forkChild(writer.commit(commitOf(`run-${turns + 1}`, turns + 1)))
              for (let turn = 0; turn < turns; turn++) yield* nextTurn
              yield* Fiber.interrupt(fiber)
            })
          )

          const seen = yield* rows(pages)
          const resume = yield* session("look", [[pages, "append"]], (writer) => Effect.succeed(writer.resume))
          if (Option.getOrThrow(resume).state === turns + 1) committed++
          expect(seen).toHaveLength(1 + 50 * committed)
        }
      })
    )

    law("of two writers the second fails, and nothing is mixed", ({ rows, load, open }) =>
      Effect.gen(function* () {
        yield* load("run-0", pages, "append", [page("/before", 0)], 0)

        const second = yield* Effect.scoped(
          Effect.gen(function* () {
            const first = yield* open("run-1", [[pages, "append"]])
            yield* first.write(Table.batch(pages, [page("/first", 1)]))
            const second = yield* Effect.exit(
              Effect.scoped(
                Effect.gen(function* () {
                  const writer = yield* open("run-2", [[pages, "append"]])
                  yield* writer.write(Table.batch(pages, [page("/second", 2)]))
                  yield* first.commit(commitOf("run-1", 1))
                  yield* writer.commit(commitOf("run-2", 2))
                })
              )
            )
            if (subject.secondWriter === "fails to open") yield* first.commit(commitOf("run-1", 1))
            return second
          })
        )

        expect(Exit.isFailure(second)).toBe(true)
        expect((yield* rows(pages)).map((row) => row["url"])).toEqual(["/before", "/first"])
      })
    )

    law("null, empty text, unicode, 2^53+1, far dates and nested values come back equal", ({ rows, load }) =>
      Effect.gen(function* () {
        yield* load("run-1", everything, "append", special, 1)

        expect(yield* rows(everything)).toEqual(special.map((row) => canonical(everything, row)))
      })
    )

    law(`random rows come back equal (MILLRACE_SEED=${seed})`, ({ rows, load }) =>
      Effect.gen(function* () {
        const drawn = draw(seed, 3000)

        yield* load("run-1", everything, "append", drawn, 1)

        expect(yield* rows(everything)).toEqual(drawn.map((row) => canonical(everything, row)))
      })
    )

    law("a column that a row does not hold is null", ({ rows, load }) =>
      Effect.gen(function* () {
        yield* load("run-1", pages, "append", [{ url: "/a", version: 1 }], 1)

        expect(yield* rows(pages)).toEqual([{ url: "/a", title: null, version: 1n }])
      })
    )

    law("a batch of a table that was not planned is refused", ({ rows, session }) =>
      Effect.gen(function* () {
        const write = yield* Effect.exit(
          session("run-1", [[pages, "append"]], (writer) => writer.write(Table.batch(links, [link("/a", 0)])))
        )

        expect(Exit.isFailure(write)).toBe(true)
        expect(yield* rows(links)).toEqual([])
      })
    )

    if (subject.destination(tmpdir()).writes.includes("replace")) {
      law("replace makes the new rows the table, also where there are none", ({ rows, load }) =>
        Effect.gen(function* () {
          yield* load("run-1", pages, "replace", [page("/a", 1), page("/b", 1)], 1)
          yield* load("run-2", pages, "replace", [page("/c", 2)], 2)
          expect((yield* rows(pages)).map((row) => row["url"])).toEqual(["/c"])

          yield* load("run-3", pages, "replace", [], 3)
          expect(yield* rows(pages)).toEqual([])
        })
      )

      law("replace that is not committed replaces nothing", ({ rows, load, session }) =>
        Effect.gen(function* () {
          yield* load("run-1", pages, "replace", [page("/a", 1)], 1)
          yield* session("run-2", [[pages, "replace"]], (writer) => writer.write(Table.batch(pages, [page("/b", 2)])))

          expect((yield* rows(pages)).map((row) => row["url"])).toEqual(["/a"])
        })
      )
    }

    if (subject.destination(tmpdir()).writes.includes("merge")) {
      law("merge twice with one key leaves one row: the last", ({ rows, load }) =>
        Effect.gen(function* () {
          yield* load("run-1", pages, "merge", [page("/a", 1), page("/b", 1), page("/a", 2)], 1)
          yield* load("run-2", pages, "merge", [page("/c", 3), page("/b", 3), page("/b", 4)], 2)

          const seen = (yield* rows(pages)).map((row) => `${row["url"]} ${row["version"]}`)
          expect(seen.sort()).toEqual(["/a 2", "/b 4", "/c 3"])
        })
      )

      law("merging a parent replaces its children, also by none, and leaves those of others", ({ rows, session }) =>
        Effect.gen(function* () {
          const both = [
            [pages, "merge"],
            [links, "merge"]
          ] as const
          const load = (run: string, parents: ReadonlyArray<Table.Row>, children: ReadonlyArray<Table.Row>) =>
            session(run, both, (writer) =>
              Effect.gen(function* () {
                yield* writer.write(Table.batch(pages, parents))
                if (children.length > 0) yield* writer.write(Table.batch(links, children))
                yield* writer.commit(commitOf(run, run))
              })
            )
          yield* load(
            "run-1",
            [page("/a", 1), page("/b", 1), page("/c", 1)],
            [link("/a", 0), link("/a", 1), link("/b", 0), link("/c", 0)]
          )

          yield* load("run-2", [page("/a", 2), page("/b", 2)], [link("/a", 7)])

          const seen = (yield* rows(links)).map((row) => `${row["page_url"]} ${row["at"]}`)
          expect(seen.sort()).toEqual(["/a 7", "/c 0"])
        })
      )

      law("merge refuses a table that has neither a key nor a parent merged with it", ({ open }) =>
        Effect.gen(function* () {
          for (const table of [everything, links]) {
            const error = yield* Effect.flip(Effect.scoped(open("run-1", [[table, "merge"]])))
            expect(error.message).toContain(table.name)
          }
        })
      )

      law("merge refuses a row without its key, and says which column", ({ rows, load }) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(load("run-1", pages, "merge", [{ url: null, title: "x", version: 1 }], 1))

          expect(error.message).toContain("url")
          expect(yield* rows(pages)).toEqual([])
        })
      )
    }
  })
}

/** A sink at one place, and the few things that laws do with it. */
interface Bench<R> {
  readonly open: (runId: string, tables: Tables, pipeline?: string) => ReturnType<Sink.Destination<R>["open"]>
  /** Opens, uses and closes a writer. */
  readonly session: <A, E>(
    runId: string,
    tables: Tables,
    use: (writer: Sink.Writer) => Effect.Effect<A, E>,
    pipeline?: string
  ) => Effect.Effect<A, E | Sink.SinkError, R>
  /** Opens, writes the rows in batches, commits and closes. */
  readonly load: (
    runId: string,
    table: Table.Table,
    write: Sink.WriteDisposition,
    rows: ReadonlyArray<Table.Row>,
    state: unknown
  ) => Effect.Effect<Sink.Receipt, Sink.SinkError, R>
  readonly rows: (table: Table.Table) => Effect.Effect<ReadonlyArray<Table.Row>, unknown, R>
}

type Tables = ReadonlyArray<readonly [Table.Table, Sink.WriteDisposition]>

const bench = <R>(subject: Subject<R>, directory: string): Bench<R> => {
  const open: Bench<R>["open"] = (runId, tables, pipeline = "suite") =>
    subject
      .destination(directory)
      .open({ pipeline, runId, directory, tables: tables.map(([table, write]) => ({ table, write })) })
  const session: Bench<R>["session"] = (runId, tables, use, pipeline) =>
    Effect.scoped(Effect.flatMap(open(runId, tables, pipeline), use))
  return {
    open,
    session,
    load: (runId, table, write, rows, state) =>
      session(runId, [[table, write]], (writer) =>
        Effect.gen(function* () {
          for (let at = 0; at < rows.length; at += 700) {
            yield* writer.write(Table.batch(table, rows.slice(at, at + 700)))
          }
          return yield* writer.commit(commitOf(runId, state))
        })
      ),
    rows: (table) => Effect.map(subject.read(directory, table), (rows) => rows.map((row) => canonical(table, row)))
  }
}

const commitOf = (runId: string, state: unknown): Sink.Commit => ({
  checkpoint: { runId, state },
  run: { runId, pipeline: "suite", startedAt: 1_000_000n, committedAt: 2_000_000n, facts: { discovered: 1 }, rows: {} }
})

const page = (url: string, version: number): Table.Row => ({ url, title: `Page ${url}`, version })
const link = (page_url: string, at: number): Table.Row => ({ page_url, at, href: `${page_url}#${at}` })

/** Lets everything that is ready, promises and I/O included, have one turn. */
const nextTurn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
