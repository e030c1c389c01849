import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { folder } from "../../../../src/testing/folder.ts"
import { load, storeOf } from "../load.ts"

const day = 24 * 60 * 60_000

it.effect("the first run of a day reads older manifests for files that were replaced, and the others do not", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const page = (version: number) => ({ url: "/one", title: null, version })
    let read = 0
    const stores = storeOf(directory, (store) => ({
      get: (path) => {
        if (/^_manifest\/\d/.test(path)) read++
        return store.get(path)
      }
    }))
    const run = Effect.fnUntraced(function* (name: string, millis: number) {
      yield* TestClock.setTime(millis)
      read = 0
      const loaded = load(directory, name, { rows: [page(millis)], at: Math.floor(millis / 60_000) })
      yield* Effect.provide(loaded, stores)
      return read
    })
    const noon = (Math.floor(Date.now() / day) + 3) * day + day / 2
    for (const at of [0, 1, 2, 3]) yield* run(`old-${at}`, noon - 3 * day + at * 60_000)
    const orphan = join(directory, "lake/pages/dead-0123abcd-00001.parquet")
    yield* Effect.promise(() => Fs.writeFile(orphan, "PAR1"))
    const isThere = Effect.promise(() =>
      Fs.access(orphan).then(
        () => true,
        () => false
      )
    )

    expect(yield* run("first", noon)).toBeGreaterThan(4)
    expect(yield* isThere).toBe(false)
    yield* Effect.promise(() => Fs.writeFile(orphan, "PAR1"))
    expect(yield* run("second", noon + 60_000)).toBe(1)
    expect(yield* isThere).toBe(true)
    yield* run("tomorrow", noon + day)
    expect(yield* isThere).toBe(false)
  })
)
