import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { commitOf, page } from "#testing/SinkBench"
import { pages } from "#testing/specimens"
import { lawsInTurn } from "../../connectors/lawsOnCommit.ts"
import { timesOf } from "../../thoroughness.ts"
import { plain } from "./plainDialect.ts"

lawsInTurn("the shortest dialect of SQL", {
  destination: () => plain().with({ path: "plain.sqlite" }),
  closing: () => plain().with({ path: "plain.sqlite", removed: "close" }),
  secondWriter: "fails to commit",
  interruptions: timesOf(2, 4, 24)
})

const open = (sink: ReturnType<typeof plain>, directory: string, runId: string) =>
  sink
    .with({ path: "a.sqlite" })
    .open({ pipeline: "p", runId, directory, evolve: true, tables: [{ table: pages, write: "append" }] })

describe("a sink of Sink.sql", () => {
  it.effect("finds a commit whose answer was lost, so that it is not made twice", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const losing = plain((connection) => ({
        ...connection,
        run: async (sql) => {
          const changed = await connection.run(sql)
          if (sql === "COMMIT") throw new Error("the connection broke")
          return changed
        }
      }))
      const error = yield* Effect.flip(
        Effect.scoped(
          Effect.gen(function* () {
            const writer = yield* open(losing, directory, "run-1")
            yield* writer.write(Table.batch(pages, [page("/a", 1)]))
            yield* writer.commit(commitOf("run-1", 1))
          })
        )
      )
      expect(error.message).toContain("the connection broke")

      const resume = yield* Effect.scoped(Effect.map(open(plain(), directory, "run-2"), (writer) => writer.resume))

      expect(resume).toEqual(Option.some({ runId: "run-1", state: 1 }))
      expect(yield* plain().with({ path: "a.sqlite" }).rows(directory, pages)).toHaveLength(1)
    })
  )

  it.effect("leaves what was there when any of its statements fails", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const load = (sink: ReturnType<typeof plain>, run: string) =>
        Effect.scoped(
          Effect.gen(function* () {
            const writer = yield* open(sink, directory, run)
            yield* writer.write(Table.batch(pages, [page(`/${run}`, 1)]))
            yield* writer.commit(commitOf(run, run))
          })
        )
      yield* load(plain(), "first")
      let fails = 0
      for (let at = 0; at < 30; at++) {
        let statements = 0
        const failing = plain((connection) => ({
          ...connection,
          run: (sql) => {
            if (statements++ === at) throw new Error("this statement fails")
            return connection.run(sql)
          }
        }))
        const exit = yield* Effect.exit(load(failing, `run-${at}`))
        if (exit._tag === "Failure") fails++
        const rows = yield* plain().with({ path: "a.sqlite" }).rows(directory, pages)
        expect(rows).toHaveLength(1 + at + 1 - fails)
      }
      expect(fails).toBeGreaterThan(10)
      expect(fails).toBeLessThan(30)
    })
  )

  it.effect("refuses the commit of a run beside which another run of its pipeline has committed", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const error = yield* Effect.flip(
        Effect.scoped(
          Effect.gen(function* () {
            const [one, other] = [yield* open(plain(), directory, "run-1"), yield* open(plain(), directory, "run-2")]
            yield* one.write(Table.batch(pages, [page("/one", 1)]))
            yield* other.write(Table.batch(pages, [page("/other", 1)]))
            yield* one.commit(commitOf("run-1", 1))
            yield* other.commit(commitOf("run-2", 1))
          })
        )
      )

      expect(error.message).toContain("another run of p has committed to")
      const rows = yield* plain().with({ path: "a.sqlite" }).rows(directory, pages)
      expect(rows.map(({ url }) => url)).toEqual(["/one"])
    })
  )
})
