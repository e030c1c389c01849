import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { parquet } from "#connectors/parquet/index"
import { folder } from "#testing/folder"
import { load, storeOf } from "../load.ts"

const minute = 60_000
const day = 24 * 60 * minute
/** After the day in which a file that is made now may still be a writer's. */
const midnight = (Math.floor(Date.now() / day) + 3) * day

/** A lake that tells how many manifests each run reads and which data files it lists, with a file that a killed writer left. */
const lakeOf = (directory: string) => {
  let read = 0
  let listed: ReadonlyArray<string> = []
  const stores = storeOf(directory, (store) => ({
    get: (path) => {
      if (/^_manifest\/\d/.test(path)) read++
      return store.get(path)
    },
    list: (prefix) =>
      Effect.tap(store.list(prefix), (objects) =>
        Effect.sync(() => {
          listed = [...listed, ...objects.map(({ path }) => path).filter((path) => path.endsWith(".parquet"))]
        })
      )
  }))
  const orphan = join(directory, "lake/pages/dead-0123abcd-00001.parquet")
  return {
    listed: () => listed.filter((path) => !path.includes("/_delta_log/")),
    leave: Effect.promise(() => Fs.writeFile(orphan, "PAR1")),
    isThere: Effect.promise(() =>
      Fs.access(orphan).then(
        () => true,
        () => false
      )
    ),
    compact: Effect.suspend(
      () => parquet.with({ path: "lake" }).compact?.(directory, { below: 1_000_000 }) ?? Effect.die("none")
    ).pipe(Effect.provide(stores)),
    /** A run that begins at a moment and commits at another; the answer is how many manifests it read. */
    run: Effect.fnUntraced(function* (name: string, begins: number, ends = begins) {
      yield* TestClock.setTime(begins)
      read = 0
      listed = []
      const run = {
        runId: name,
        pipeline: "p",
        startedAt: BigInt(begins) * 1000n,
        committedAt: BigInt(ends) * 1000n,
        facts: {},
        rows: {}
      }
      const rows = [{ url: "/one", title: null, version: begins }]
      yield* Effect.provide(load(directory, name, { rows, commit: { run } }), stores)
      return read
    })
  }
}

it.effect("the first run of a day reads older manifests for files that were replaced, and the others do not", () =>
  Effect.gen(function* () {
    const { isThere, leave, run } = lakeOf(yield* folder)
    for (const at of [1, 2, 3, 4]) yield* run(`old-${at}`, midnight - 3 * day + at * minute)

    yield* leave
    expect(yield* run("first", midnight + minute)).toBeGreaterThan(4)
    expect(yield* isThere).toBe(false)
    yield* leave
    expect(yield* run("second", midnight + 2 * minute)).toBe(1)
    expect(yield* isThere).toBe(true)
    yield* run("tomorrow", midnight + day)
    expect(yield* isThere).toBe(false)
  })
)

it.effect("the first run of a day lists the data files of a lake, and the others do not", () =>
  Effect.gen(function* () {
    const { listed, run } = lakeOf(yield* folder)
    yield* run("yesterday", midnight - minute)

    yield* run("first", midnight + minute)
    expect(listed()).toHaveLength(1)
    yield* run("second", midnight + 2 * minute)
    expect(listed()).toEqual([])
  })
)

it.effect("a run that commits after midnight is not one of the day that it commits in", () =>
  Effect.gen(function* () {
    const { isThere, leave, run } = lakeOf(yield* folder)
    yield* run("evening", midnight - 2 * minute, midnight + minute)

    yield* leave
    yield* run("morning", midnight + 60 * minute)

    expect(yield* isThere).toBe(false)
  })
)

it.effect("compact looks too, as the runs of its day do not after it", () =>
  Effect.gen(function* () {
    const { compact, isThere, leave, run } = lakeOf(yield* folder)
    yield* run("yesterday", midnight - day)

    yield* leave
    yield* TestClock.setTime(midnight)
    yield* compact

    expect(yield* isThere).toBe(false)
  })
)
