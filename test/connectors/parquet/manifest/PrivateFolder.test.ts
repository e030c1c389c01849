import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Folder from "#connectors/parquet/manifest/PrivateFolder"
import { folder } from "#testing/folder"

const names = (home: string) => Effect.promise(async () => (await Fs.readdir(home)).toSorted())

it.effect("a folder is gone with its scope, and no other folder that is in use", () =>
  Effect.gen(function* () {
    const home = join(yield* folder, "deep", "home")
    yield* Effect.scoped(
      Effect.gen(function* () {
        const first = yield* Folder.create(home, "mine-")
        const second = yield* Effect.scoped(Folder.create(home, "mine-"))
        expect(second).not.toBe(first)
        expect(yield* names(home)).toEqual([first.slice(home.length + 1)])
      })
    )
    expect(yield* names(home)).toEqual([])
  })
)

it.effect("many that come and go at once do not get into each other's way", () =>
  Effect.gen(function* () {
    const home = yield* folder
    const one = Effect.scoped(Effect.andThen(Folder.create(home, "mine-"), Effect.yieldNow))
    yield* Effect.forEach(Array.from({ length: 12 }), () => Effect.forEach(Array.from({ length: 12 }), () => one), {
      concurrency: 12
    })
    expect(yield* names(home)).toEqual([])
  })
)

it.effect("a folder without a lock stays for a day, and one of another kind for ever", () =>
  Effect.gen(function* () {
    const home = yield* folder
    const now = 10 * Folder.day
    yield* TestClock.setTime(now)
    yield* Effect.promise(async () => {
      for (const [name, age] of [
        ["mine-young", 0.9 * Folder.day],
        ["mine-old", 1.1 * Folder.day],
        ["other-old", 1.1 * Folder.day]
      ] as const) {
        await Fs.mkdir(join(home, name))
        await Fs.utimes(join(home, name), (now - age) / 1000, (now - age) / 1000)
      }
    })
    yield* Effect.scoped(Folder.create(home, "mine-"))

    expect(yield* names(home)).toEqual(["mine-young", "other-old"])
  })
)

it.effect("a link is nobody's folder: what it leads to is neither locked nor removed", () =>
  Effect.gen(function* () {
    const [home, elsewhere] = [yield* folder, yield* folder]
    yield* TestClock.setTime(10 * Folder.day)
    yield* Effect.promise(async () => {
      await Fs.utimes(elsewhere, 1, 1)
      await Fs.symlink(elsewhere, join(home, "mine-link"))
    })
    yield* Effect.scoped(Folder.create(home, "mine-"))

    expect(yield* names(home)).toEqual(["mine-link"])
  })
)

it.effect("what was left is seen before it goes, and stays where it is not settled", () =>
  Effect.gen(function* () {
    const home = yield* folder
    for (const name of ["mine-a", "mine-b"]) {
      yield* Effect.promise(async () => {
        await Fs.mkdir(join(home, name))
        await Fs.writeFile(join(home, name, "lock"), "")
      })
    }
    const seen: Array<string> = []
    const settle = (left: string) => Effect.sync(() => (seen.push(left), left.endsWith("mine-a")))
    yield* Effect.scoped(Folder.create(home, "mine-", settle))

    expect(seen.toSorted()).toEqual([join(home, "mine-a"), join(home, "mine-b")])
    expect(yield* names(home)).toEqual(["mine-b"])
  })
)
