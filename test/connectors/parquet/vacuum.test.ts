import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { parquet } from "#connectors/parquet/index"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { filesOf, readLake, stores } from "./lake.ts"
import { type Load, load as loadInto } from "./load.ts"

const load = (directory: string, run: string, of: Load) => Effect.provide(loadInto(directory, run, of), stores)
const rows = [{ url: "/a", title: "t", version: 1 }]
const filesIn = (directory: string) =>
  Effect.promise(async () =>
    (await Fs.readdir(join(directory, "lake/pages"))).filter((name) => name.endsWith(".parquet")).sort()
  )
const minutes = 60_000
const vacuum = (directory: string, retain: number, dryRun = false) =>
  Effect.provide(parquet.with({ path: "lake" }).vacuum?.(directory, { retain, dryRun }) ?? Effect.die("none"), stores)

it.effect(
  "files go that only versions have which ended longer ago; what is read, and what is not committed, stays",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const lake = join(directory, "lake")
      const states: Array<ReadonlyArray<string>> = []
      for (const at of [1, 2, 3, 4]) {
        yield* load(directory, `run${at}`, { rows, write: "replace", at })
        states.push((yield* filesOf(lake, "pages")).map(({ path }) => path.slice("pages/".length)))
      }
      const inFlight = "run5-0123abcd-00001.parquet"
      yield* Effect.promise(() => Fs.writeFile(join(lake, "pages", inFlight), "rows"))
      yield* Effect.promise(() => Fs.writeFile(join(lake, "pages/mine.parquet"), "of somebody else"))
      const before = yield* filesIn(directory)
      yield* TestClock.setTime(5 * minutes)

      // The first ended when the second came, 3 minutes ago; the second 2 minutes ago.
      const dry = yield* vacuum(directory, 2 * minutes + 1, true)
      expect(dry.files).toBe(1)
      expect(yield* filesIn(directory)).toEqual(before)

      expect(yield* vacuum(directory, 2 * minutes + 1)).toEqual(dry)
      expect(yield* filesIn(directory)).toEqual(before.filter((name) => !states[0]?.includes(name)))

      expect((yield* vacuum(directory, 0)).files).toBe(2)
      expect(yield* filesIn(directory)).toEqual([...(states[3] ?? []), inFlight, "mine.parquet"].sort())
      expect(yield* readLake(lake, pages)).toEqual([{ url: "/a", title: "t", version: 1n }])
      expect((yield* vacuum(directory, 0)).files).toBe(0)
      const sink = parquet.with({ path: "lake" })
      const [oldest, ...others] = yield* Effect.provide(sink.runs(directory), stores)
      expect([oldest?.runId, others.length]).toEqual(["run1", 3])
      const asked = sink.queries?.(directory, oldest === undefined ? {} : { asOf: oldest }) ?? Effect.die("none")
      const rowsOf = Effect.flatMap(asked, ({ ask }) =>
        Effect.flatMap(ask("FROM pages"), ({ rows }) => Stream.runDrain(rows))
      )
      const gone = yield* Effect.flip(Effect.provide(Effect.scoped(rowsOf), stores))
      expect(gone.message).toMatch(/does not have the files of run run1 any more: `millrace vacuum` removes/)
    })
)

it.effect("a lake that is not there has nothing to remove", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    expect(yield* vacuum(directory, 0)).toMatchObject({ files: 0, bytes: 0 })
  })
)

it.effect("nothing goes where a file of the newest version is gone, or has another size than was written", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const lake = join(directory, "lake")
    for (const at of [1, 2]) yield* load(directory, `run${at}`, { rows, write: "replace", at })
    yield* TestClock.setTime(5 * minutes)
    const before = yield* filesIn(directory)
    const [newest] = yield* filesOf(lake, "pages")
    const file = join(lake, newest?.path ?? "")
    const bytes = yield* Effect.promise(() => Fs.readFile(file))

    yield* Effect.promise(() => Fs.writeFile(file, "rows"))
    const cut = yield* Effect.flip(vacuum(directory, 0, true))
    yield* Effect.promise(() => Fs.rm(file))
    const gone = yield* Effect.flip(vacuum(directory, 0))
    yield* Effect.promise(() => Fs.writeFile(file, bytes))

    expect(cut.message).toContain(`has 4 bytes instead of ${bytes.length}: put it back from a backup`)
    expect(gone.message).toContain(`nothing is removed: ${newest?.path} is in the manifest of ${lake} and is gone`)
    expect(yield* filesIn(directory)).toEqual(before)
    expect((yield* vacuum(directory, 0)).files).toBe(1)
  })
)
