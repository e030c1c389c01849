import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Options, sqlite } from "#connectors/sqlite/index"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { commitOf, page } from "#testing/SinkBench"
import { pages } from "#testing/specimens"

const load = (directory: string, options: Partial<Options> = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const tables = [{ table: pages, write: "merge" as const }]
      const sink = sqlite.with({ path: "a.sqlite", ...options })
      const writer = yield* sink.open({ pipeline: "p", runId: "run-1", directory, evolve: true, tables })
      yield* writer.write(Table.batch(pages, [page("/a", 1)]))
      return yield* writer.commit(commitOf("run-1", 1))
    })
  )

const refusal = (directory: string, options?: Partial<Options>) => Effect.flip(load(directory, options))

describe("a SQLite file that cannot be written", () => {
  it.effect("is said to be no database, for a run and for a reader", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      writeFileSync(join(directory, "a.sqlite"), "a text, and no database at all".repeat(100))
      const sink = sqlite.with({ path: "a.sqlite" })

      const errors = [yield* refusal(directory), yield* Effect.flip(sink.rows(directory, pages))]

      for (const { message, retryable } of errors) {
        expect(message).toContain("the file exists and is not a SQLite database; choose another path, or move it away")
        expect(retryable).toBe(false)
      }
    })
  )

  it.effect("is said to be a folder before anything runs", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      mkdirSync(join(directory, "a.sqlite"))

      const fault = yield* sqlite.with({ path: "a.sqlite" }).pathFault?.(directory) ?? Effect.undefined

      expect(fault).toBe(`${join(directory, "a.sqlite")} is a folder; name a file in it`)
    })
  )

  it.effect("is said to be written by another program, which may end later", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory)
      const other = new DatabaseSync(join(directory, "a.sqlite"))
      other.exec("BEGIN IMMEDIATE")

      const { message, retryable } = yield* refusal(directory, { busy_timeout: 0 })
      other.close()

      expect(message).toContain("cannot commit to")
      expect(message).toContain("another program writes the file and did not end in time")
      expect(retryable).toBe(true)
    })
  )

  it.effect("is waited for, and others have their turn meanwhile", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory)
      const other = new DatabaseSync(join(directory, "a.sqlite"))
      other.exec("BEGIN IMMEDIATE")
      // The commit can only end if this thread has a turn while it waits.
      const release = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve))).pipe(
        Effect.andThen(Effect.sync(() => other.close()))
      )

      const [result] = yield* Effect.all([load(directory), release], { concurrency: 2 })

      expect(result.tables["pages"]?.unchanged).toBe(1)
    })
  )

  // The superuser may write everything.
  it.effect.skipIf(process.getuid?.() === 0)("is said to be read-only", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* load(directory)
      chmodSync(join(directory, "a.sqlite"), 0o444)

      expect((yield* refusal(directory)).message).toContain("the file or its folder is read-only")
    })
  )
})
