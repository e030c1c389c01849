/** The laws of a sink about commits: whole or absent, with their checkpoint, one writer at a time. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Table from "#engine/Table"
import { commitOf, type Law, law, nextTurn, page } from "../SinkBench.ts"
import { canonical, pages } from "../specimens.ts"

/** The table of another pipeline. */
const others: Table.Table = { ...pages, name: "others" }

/** The maximum number of turns of the event loop before a commit is interrupted. */
const mostTurns = 24

export const sinkCommitLaws: ReadonlyArray<Law> = [
  law("what was written and not committed is not there after reopening", ({ rows, session }) =>
    Effect.gen(function* () {
      yield* session("run-1", [[pages, "append"]], (writer) => writer.write(Table.batch(pages, [page("/a", 1)])))

      expect(yield* rows(pages)).toEqual([])
      const resume = yield* session("run-2", [[pages, "append"]], (writer) => Effect.succeed(writer.resume))
      expect(resume).toEqual(Option.none())
    })
  ),

  law(
    "a commit shows the rows in the order written, and its checkpoint is where the next run resumes",
    ({ rows, load, session }) =>
      Effect.gen(function* () {
        const written = Array.from({ length: 5000 }, (_, at) => page(`/${at}`, at))

        const result = yield* load("run-1", pages, "append", written, { page: 5000, cursor: "ü" })

        expect(result.rows).toEqual({ pages: 5000 })
        expect(yield* rows(pages)).toEqual(written.map((row) => canonical(pages, row)))
        const resume = yield* session("run-2", [[pages, "append"]], (writer) => Effect.succeed(writer.resume))
        expect(resume).toEqual(Option.some({ runId: "run-1", state: { page: 5000, cursor: "ü" } }))
      })
  ),

  law(
    "every run that committed is found, once, in the order of their last commits, and no other",
    ({ runs, session }) =>
      Effect.gen(function* () {
        expect(yield* runs).toEqual([])
        const commits = (runId: string, times: number, pipeline?: string) => {
          // Each pipeline has tables of its own.
          const table = pipeline === undefined ? pages : others
          return session(
            runId,
            [[table, "append"]],
            (writer) =>
              Effect.gen(function* () {
                for (let at = 1; at <= times; at++) {
                  yield* writer.write(Table.batch(table, [page(`/${runId}/${at}`, at)]))
                  yield* writer.commit(commitOf(runId, at))
                }
                yield* writer.write(Table.batch(table, [page("/never", 0)]))
              }),
            pipeline === undefined ? {} : { pipeline }
          )
        }
        yield* commits("run-1", 1)
        yield* commits("run-2", 0)
        yield* commits("run-3", 3, "another")
        yield* commits("run-1", 1)

        expect(yield* runs).toEqual([commitOf("run-3", 3).run, commitOf("run-1", 1).run])
      })
  ),

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
  ),

  law(
    "a commit without rows moves the checkpoint and nothing else, also to a state that is null",
    ({ rows, load, session }) =>
      Effect.gen(function* () {
        yield* load("run-1", pages, "append", [page("/a", 1)], 1)
        yield* load("run-2", pages, "append", [], null)

        expect(yield* rows(pages)).toHaveLength(1)
        const resume = yield* session("run-3", [[pages, "append"]], (writer) => Effect.succeed(writer.resume))
        expect(resume).toEqual(Option.some({ runId: "run-2", state: null }))
      })
  ),

  law("each pipeline has its own checkpoint", ({ load, session }) =>
    Effect.gen(function* () {
      yield* load("run-1", pages, "append", [page("/a", 1)], 1)

      const resume = yield* session("run-2", [[others, "append"]], (writer) => Effect.succeed(writer.resume), {
        pipeline: "another pipeline"
      })
      expect(resume).toEqual(Option.none())
    })
  ),

  law(
    "an interrupted commit is whole or absent, and the one before stays whole",
    ({ interruptions, load, rows, session }) =>
      Effect.gen(function* () {
        yield* load("run-0", pages, "append", [page("/before", 0)], 0)
        let committed = 0
        for (let at = 0; at < interruptions; at++) {
          const turns = Math.floor((at * mostTurns) / interruptions)
          const urls = Array.from({ length: 50 }, (_, nth) => page(`/${at}/${nth}`, at))
          yield* session(`run-${at + 1}`, [[pages, "append"]], (writer) =>
            Effect.gen(function* () {
              yield* writer.write(Table.batch(pages, urls))
              const fiber = yield* Effect.forkChild(writer.commit(commitOf(`run-${at + 1}`, at + 1)))
              for (let turn = 0; turn < turns; turn++) yield* nextTurn
              yield* Fiber.interrupt(fiber)
            })
          )

          const stored = yield* rows(pages)
          const resume = yield* session("look", [[pages, "append"]], (writer) => Effect.succeed(writer.resume))
          if (Option.getOrThrow(resume).state === at + 1) committed++
          expect(stored).toHaveLength(1 + 50 * committed)
        }
      })
  ),

  law("of two writers the second fails, and nothing is mixed", ({ rows, load, open, secondWriter }) =>
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
          if (secondWriter === "fails to open") yield* first.commit(commitOf("run-1", 1))
          return second
        })
      )

      expect(Exit.isFailure(second)).toBe(true)
      expect((yield* rows(pages)).map((row) => row["url"])).toEqual(["/before", "/first"])
    })
  )
]
