import { rm, truncate } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { fileStore } from "#connectors/file/index"
import { parquet } from "#connectors/parquet/index"
import * as ObjectStore from "#engine/ObjectStore"
import * as faults from "#testing/faults"
import { folder } from "#testing/folder"
import { pages } from "#testing/specimens"
import { sampleOf } from "../../thoroughness.ts"
import { filesOf, manifestOf, readLake, stores } from "./lake.ts"
import { load as loadInto } from "./load.ts"
import * as threeFiles from "./threeFiles.ts"

const load = (directory: string, run: string) => threeFiles.load(directory, run, directory)

const seen = (directory: string) => Effect.map(readLake(directory, pages), (all) => all.map((row) => row["url"]))

const kinds = ["before", "after", "interrupt"] as const
/** How calls fail, of each kind of work: in a sample in one way. */
const kindsOf = (work: string) => sampleOf(kinds, 1, (kind) => `${work} ${kind}`)

for (const [at, what] of [
  [/^pages\//, "pages/"],
  [/^_manifest\//, "_manifest/00"]
] as const) {
  it.effect(`a refused put of ${what} is told once, with its place`, () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const store = yield* fileStore.open(join(directory, "lake"))
      const refuse = (path: string) =>
        Effect.fail(
          new ObjectStore.ObjectStoreError({
            store: "file",
            path,
            message: `cannot put ${path}: the disk is full`,
            retryable: false
          })
        )
      const full: ObjectStore.ObjectStore = {
        ...store,
        putFile: (path, local) => (at.test(path) ? refuse(path) : store.putFile(path, local)),
        putIfAbsent: (path, bytes) => (at.test(path) ? refuse(path) : store.putIfAbsent(path, bytes))
      }

      const error = yield* Effect.flip(
        loadInto(directory, "one", { rows: first }).pipe(
          Effect.provideService(ObjectStore.ObjectStores, { open: () => Effect.succeed(full) })
        )
      )

      expect(error.message.replaceAll(/\S+\/lake: |[^/ ]+\.(?:json|parquet)/g, "")).toBe(
        `cannot put ${what.replace("00", "")}: the disk is full`
      )
      expect(error.message).toContain(`${directory}/lake: cannot put ${what}`)
    })
  )
}

for (const kind of kindsOf("commit")) {
  it.effect(`a commit whose nth call to the store fails (${kind}) is whole or absent, for every n`, () =>
    Effect.gen(function* () {
      const whole: Array<number> = []
      for (let at = 1; ; at++) {
        const directory = yield* folder
        yield* Effect.provide(load(directory, "one"), stores)
        const fault = faults.failing(yield* fileStore.open(directory), at, kind)

        const exit = yield* load(directory, "two").pipe(
          Effect.provideService(ObjectStore.ObjectStores, { open: () => Effect.succeed(fault.store) }),
          Effect.exit
        )

        const resume = (yield* manifestOf(directory)).pipe(Option.map(({ checkpoints }) => checkpoints["p"]?.state))
        const committed = Option.getOrThrow(resume) === "two"
        expect(yield* seen(directory)).toEqual(committed ? threeFiles.urls("one", "two") : threeFiles.urls("one"))
        // A commit may only say that it succeeded where it did.
        if (Exit.isSuccess(exit)) expect(committed).toBe(true)
        if (committed) whole.push(at)
        yield* Effect.provide(load(directory, "three"), stores)
        expect(yield* seen(directory)).toEqual(
          committed ? threeFiles.urls("one", "two", "three") : threeFiles.urls("one", "three")
        )
        if (fault.calls() < at) break
      }

      // Calls 1 to 3 put files, and call 4 the manifest. Calls 5 and 6 put the Delta log and read.sql, which the commit does not need.
      expect(whole).toEqual(kind === "before" ? [5, 6, 7] : [4, 5, 6, 7])
    })
  )
}

it.effect("a question to a table without one of its files, or with a cut one, names the file and says what to do", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loadInto(directory, "one", { rows: [page("/a", 1, "x")] }).pipe(Effect.provide(stores))
    const [file] = yield* filesOf(join(directory, "lake"), "pages")
    const [path, bytes] = [file?.path ?? "", file?.bytes ?? 0]
    const asked = parquet.with({ path: "lake" }).queries?.(directory, {}) ?? Effect.die("it answers")
    const ask = (sql: string) =>
      asked.pipe(
        Effect.flatMap((queries) => queries.ask(sql)),
        Effect.flatMap(({ rows }) => Stream.runCollect(rows)),
        Effect.scoped,
        Effect.provide(stores)
      )
    const said = `the query failed: ${path} is in the manifest of ${join(directory, "lake")} and`
    const repair =
      "put it back from a backup, or `millrace verify FILE --repair` goes on without it, and says which runs to load again"

    yield* Effect.promise(() => truncate(join(directory, "lake", path), bytes - 1))
    expect((yield* Effect.flip(ask("FROM pages"))).message).toBe(
      `${said} has ${bytes - 1} bytes instead of ${bytes}: ${repair}`
    )
    yield* Effect.promise(() => rm(join(directory, "lake", path)))
    expect((yield* Effect.flip(ask("SELECT count(*) FROM pages"))).message).toBe(`${said} is gone: ${repair}`)
    // Whatever needs no row of it can be asked.
    expect((yield* ask("SELECT table_name FROM information_schema.tables")).flat()).toEqual([{ table_name: "pages" }])
  })
)

it.effect("a commit whose answer was lost is read again and counts as done", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const fault = faults.failing(yield* fileStore.open(directory), 4, "after")

    const receipt = yield* load(directory, "one").pipe(
      Effect.provideService(ObjectStore.ObjectStores, { open: () => Effect.succeed(fault.store) })
    )

    expect(receipt.rows).toEqual({ pages: 3 })
    expect(yield* seen(directory)).toEqual(threeFiles.urls("one"))
  })
)

const versions = (directory: string) =>
  Effect.map(readLake(join(directory, "lake"), pages), (rows) =>
    rows.map((row) => `${row["url"]} ${row["version"]}`).toSorted()
  )
const page = (url: string, version: number, title: string) => ({ url, version, title })
const first = [page("/a", 1, "x"), page("/b", 1, "x"), page("/c", 1, "y"), page("/d", 1, "z")]
const second = [page("/a", 2, "y"), page("/c", 2, "y"), page("/e", 2, "x")]
const states = {
  first: ["/a 1", "/b 1", "/c 1", "/d 1"],
  second: ["/a 2", "/b 1", "/c 2", "/d 1", "/e 2"]
}
const options = { partition: ["title"] }

/** Does something to a store that fails at its nth changing call, for every n; the calls at which it was done all the same. */
const atEveryCall = <E>(
  kind: faults.Kind,
  prepare: (directory: string) => Effect.Effect<void, E>,
  work: (directory: string) => Effect.Effect<unknown, E, ObjectStore.ObjectStores>,
  check: (directory: string, succeeded: boolean) => Effect.Effect<boolean, unknown>
) =>
  Effect.gen(function* () {
    const done: Array<number> = []
    for (let at = 1; ; at++) {
      const isPast = yield* Effect.scoped(
        Effect.gen(function* () {
          const directory = yield* folder
          yield* prepare(directory)
          const fault = faults.failing(yield* fileStore.open(join(directory, "lake")), at, kind)
          const exit = yield* work(directory).pipe(
            Effect.provideService(ObjectStore.ObjectStores, { open: () => Effect.succeed(fault.store) }),
            Effect.exit
          )
          if (yield* check(directory, Exit.isSuccess(exit))) done.push(at)
          return fault.calls() < at
        })
      )
      if (isPast) return done
    }
  })

for (const kind of kindsOf("merge")) {
  it.effect(`a merge whose nth call to the store fails (${kind}) loses nothing and doubles nothing, for every n`, () =>
    Effect.gen(function* () {
      const merge = (directory: string, run: string, rows: typeof first) => loadInto(directory, run, { rows, options })
      const done = yield* atEveryCall(
        kind,
        (directory) => Effect.asVoid(Effect.provide(merge(directory, "one", first), stores)),
        (directory) => merge(directory, "two", second),
        Effect.fnUntraced(function* (directory, succeeded) {
          const found = yield* versions(directory)
          const isDone = found.includes("/a 2")
          expect(found).toEqual(isDone ? states.second : states.first)
          if (succeeded) expect(isDone).toBe(true)
          yield* Effect.provide(merge(directory, "two", second), stores)
          expect(yield* versions(directory)).toEqual(states.second)
          return isDone
        })
      )

      // One file is written anew, one goes, two come; the fourth call puts the manifest, then the Delta log and read.sql follow.
      expect(done).toEqual(kind === "before" ? [5, 6, 7] : [4, 5, 6, 7])
    })
  )
}

for (const kind of kindsOf("compaction")) {
  it.effect(`a compaction whose nth call to the store fails (${kind}) changes no row, for every n`, () =>
    Effect.gen(function* () {
      const append = (directory: string, run: string, version: number) =>
        loadInto(directory, run, {
          write: "append",
          rows: ["x", "y"].map((title) => page(`/${run}`, version, title)),
          options
        })
      const compaction = (directory: string) =>
        parquet.with({ path: "lake", ...options }).compact?.(directory, { below: 1e6 }) ?? Effect.die("none")
      const done = yield* atEveryCall(
        kind,
        (directory) =>
          Effect.provide(
            Effect.andThen(append(directory, "one", 1), Effect.asVoid(append(directory, "two", 2))),
            stores
          ),
        compaction,
        Effect.fnUntraced(function* (directory, succeeded) {
          const count = Effect.map(filesOf(join(directory, "lake"), "pages"), (files) => files.length)
          const isDone = (yield* count) === 2
          if (succeeded) expect(isDone).toBe(true)
          expect(yield* versions(directory)).toEqual(["/one 1", "/one 1", "/two 2", "/two 2"])
          yield* Effect.provide(compaction(directory), stores)
          expect(yield* count).toBe(2)
          yield* Effect.provide(append(directory, "three", 3), stores)
          expect(yield* versions(directory)).toHaveLength(6)
          return isDone
        })
      )

      expect(done).toEqual(kind === "before" ? [4, 5, 6] : [3, 4, 5, 6])
    })
  )
}
