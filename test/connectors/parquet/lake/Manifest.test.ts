import { createHash } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { fileStore } from "#connectors/file/index"
import { type Options, parquet } from "#connectors/parquet/index"
import * as Manifest from "#connectors/parquet/manifest/Manifest"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { links, pages } from "#testing/specimens"
import { filesOf, manifestOf, readLake, stores } from "../lake.ts"

interface Load {
  readonly run?: string
  readonly pipeline?: string
  readonly table?: Table.Table
  readonly write?: Sink.WriteDisposition
  readonly options?: Omit<Options, "path">
  readonly commit?: boolean
}

const page = (version: number) => ({ url: `/${version}`, title: null, version })

const load = (directory: string, rows: ReadonlyArray<Table.Row>, of: Load = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { run = "run", pipeline = "p", table = pages, write = "append" } = of
      const writer = yield* parquet
        .with({ path: "lake", ...of.options })
        .open({ pipeline, runId: run, directory, evolve: true, tables: [{ table, write }] })
      if (rows.length > 0) yield* writer.write(Table.batch(table, rows))
      if (of.commit === false) return writer.resume
      yield* writer.commit({
        checkpoint: { runId: run, state: { run } },
        run: { runId: run, pipeline, startedAt: 0n, committedAt: 1_500_000n, facts: {}, rows: {} },
        checks: [],
        complete: true
      })
      return writer.resume
    })
  ).pipe(Effect.provide(stores))

const objects = (directory: string) =>
  Effect.promise(async () => {
    const entries = await Fs.readdir(join(directory, "lake"), { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
  })

it.effect("each commit is a manifest after the one before, and carries over what it does not know", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, [page(1)], { pipeline: "docs" })
    yield* load(directory, [{ page_url: "/1", at: 1, href: "#" }], { pipeline: "others", table: links })

    const manifest = Option.getOrThrow(yield* manifestOf(join(directory, "lake")))
    expect([manifest.version, manifest.previous]).toEqual([2, 1])
    expect(Object.keys(manifest.tables)).toEqual(["pages", "links"])
    expect(Object.keys(manifest.checkpoints)).toEqual(["docs", "others"])
    expect(manifest.run.committed_at).toBe("1970-01-01T00:00:01.500000Z")
    expect(yield* load(directory, [], { pipeline: "docs", commit: false })).toEqual(
      Option.some({ runId: "run", state: { run: "run" } })
    )
  })
)

it.effect("a file name is never used twice, even by one run", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const version of [1, 2, 3]) yield* load(directory, [page(version)])

    const files = yield* filesOf(join(directory, "lake"), "pages")
    expect(new Set(files.map((file) => file.path)).size).toBe(3)
    for (const { path } of files) expect(path).toMatch(/^pages\/run-[0-9a-f]{8}-00001\.parquet$/)
  })
)

it.effect("replace keeps the old files for those who read the old manifest", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, [page(1)])
    const [old] = yield* filesOf(join(directory, "lake"), "pages")
    yield* load(directory, [page(2)], { write: "replace" })

    yield* TestClock.setTime(Date.now() + 48 * 3_600_000)
    yield* load(directory, [page(3)])

    expect((yield* readLake(join(directory, "lake"), pages)).map((row) => row["url"])).toEqual(["/2", "/3"])
    yield* Effect.promise(() => Fs.access(join(directory, "lake", old?.path ?? "")))
  })
)

it.effect("closing without a commit leaves no file", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const rows = Array.from({ length: 1000 }, (_, at) => page(at))

    yield* load(directory, rows, { commit: false, options: { row_group: 100, rotate: 1 } })

    expect(yield* objects(directory)).toEqual([])
  })
)

it.effect("what a killed writer left is removed after a day, and nothing else", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, [page(1)])
    const orphan = join(directory, "lake/pages/dead-0123abcd-00001.parquet")
    const theirs = join(directory, "lake/pages/report.parquet")
    yield* Effect.promise(() => Promise.all([Fs.writeFile(orphan, "PAR1"), Fs.writeFile(theirs, "PAR1")]))
    const there = () =>
      Effect.map(objects(directory), (names) =>
        [orphan, theirs].filter((file) => names.some((name) => file.endsWith(name)))
      )

    yield* TestClock.setTime(Date.now() + 3_600_000)
    yield* load(directory, [page(2)])
    expect(yield* there()).toEqual([orphan, theirs])

    yield* TestClock.setTime(Date.now() + 25 * 3_600_000)
    yield* load(directory, [page(3)])
    expect(yield* there()).toEqual([theirs])
    expect(yield* readLake(join(directory, "lake"), pages)).toHaveLength(3)
  })
)

it.effect("another partition is refused, and replace takes it", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, [page(1)])
    const options = { partition: ["version"] }

    const error = yield* Effect.flip(load(directory, [page(2)], { options }))
    expect(error.message).toBe("table pages is partitioned by nothing and this run says version; keep it, or replace")

    yield* load(directory, [page(2)], { options, write: "replace" })
    const [file] = yield* filesOf(join(directory, "lake"), "pages")
    expect(file?.path).toMatch(/^pages\/version=2\//)
    expect(file?.partition).toEqual({ version: "2" })
  })
)

it.effect("a manifest that cannot be understood is an error, not an empty folder", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, [page(1)])
    yield* Effect.promise(() => Fs.writeFile(join(directory, "lake/_manifest/000000000002.json"), `{"format":"x"}`))

    const error = yield* Effect.flip(load(directory, [page(2)]))

    expect(error.message).toContain("_manifest/000000000002.json is not a manifest of this version of millrace")
  })
)

it.effect("a manifest that is cut off or empty is said to be so", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* load(directory, [page(1)])
    const path = join(directory, "lake/_manifest/000000000001.json")
    for (const bytes of [100, 0]) {
      yield* Effect.promise(() => Fs.truncate(path, bytes))

      const error = yield* Effect.flip(load(directory, [page(2)]))

      expect(error.message).toContain("_manifest/000000000001.json is cut off or damaged: put it back from a backup")
    }
  })
)

it.effect("append is what it does unasked", () =>
  Effect.sync(() => {
    const destination = parquet.with({ path: "lake" })
    expect(destination.writes).toEqual(["append", "replace", "merge", "scd2"])
    expect(destination.writeOf(pages)).toBe("append")
    expect(parquet.with({ path: "lake", write: "merge" }).writeOf(pages)).toBe("merge")
  })
)

it.effect("no more manifests are read than it takes to know the newest runs of a pipeline", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const directory = yield* folder
      for (const [at, pipeline] of ["p", "p", "q", "p"].entries()) {
        const table = { ...pages, name: `pages_${pipeline}` }
        yield* load(directory, [page(at)], { run: `run-${at}`, pipeline, table })
      }
      const { newestRuns = () => expect.fail("it knows its newest runs") } = parquet.with({ path: "lake" })
      const newest = (pipeline: string, count: number) =>
        Effect.map(newestRuns(directory, { pipeline, count }), (runs) => runs.map(({ runId }) => runId))
      const all = yield* newest("p", 9)
      // Eight are read at a time: nine more make the first ones old.
      const paths = Array.from({ length: 9 }, (_, at) =>
        join(directory, `lake/_manifest/${String(at + 5).padStart(12, "0")}.json`)
      )
      const last = yield* Effect.promise(() => Fs.readFile(join(directory, "lake/_manifest/000000000004.json"), "utf8"))
      const { digest, ...older } = JSON.parse(last.replaceAll("run-3", "again"))
      for (const [at, path] of paths.entries()) {
        const run = { ...older.run, run_id: `again-${at % 3}` }
        yield* Effect.promise(() => Fs.writeFile(path, JSON.stringify({ ...older, version: at + 5, run })))
      }
      for (const at of [1, 2, 3, 4]) {
        yield* Effect.promise(() => Fs.writeFile(join(directory, `lake/_manifest/00000000000${at}.json`), "damaged"))
      }
      const store = yield* fileStore.open(join(directory, "lake"))
      const read: Array<string> = []
      const counted = {
        ...store,
        get: (path: string) =>
          Effect.andThen(
            Effect.sync(() => read.push(path)),
            store.get(path)
          )
      }
      yield* Manifest.findRun(counted, ({ run_id }) => run_id === "again-0", { skipsDamaged: false })

      expect(digest).toBeDefined()
      expect(all).toEqual(["run-0", "run-1", "run-3"])
      expect(read.length).toBe(8)
      expect(yield* newest("p", 3)).toEqual(["again-0", "again-1", "again-2"])
      // What is damaged and old is no run that a new one is compared with; whether it had a key is not known.
      expect(yield* newest("p", 4)).toEqual(["again-0", "again-1", "again-2"])
      const { ranOnce = () => expect.fail("it knows keys") } = parquet.with({ path: "lake" })
      const unknown = yield* Effect.flip(ranOnce(directory, { pipeline: "p", once: "monday" }))
      expect(unknown.message).toContain(
        "000000000004.json is cut off or damaged: put it back from a backup, or `millrace verify FILE --repair` moves it away"
      )
    }).pipe(Effect.provide(stores))
  )
)

/** Four loads, so that the last manifest merges by the bounds of the one before. */
const loaded = Effect.fnUntraced(function* (directory: string) {
  for (const run of ["one", "two", "three", "four"]) {
    yield* load(directory, [page(1), page(2), page(run.length)], { run, write: "merge" })
  }
})

const seed = Number(process.env["MILLRACE_SEED"] ?? 1)

it.effect(`a manifest with another bit than was written is refused, with what to do (MILLRACE_SEED=${seed})`, () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loaded(directory)
    const path = join(directory, "lake/_manifest/000000000004.json")
    const whole = yield* Effect.promise(() => Fs.readFile(path))
    const outcomes: Record<string, number> = {}
    for (let n = 0; n < 60; n += 1) {
      const chance = createHash("sha256").update(`${seed} ${n}`).digest().readUInt32LE() / 2 ** 32
      const at = Math.floor(chance * whole.length)
      const bytes = Buffer.from(whole).fill(whole.readUInt8(at) ^ (1 << (n % 8)), at, at + 1)
      yield* Effect.promise(() => Fs.writeFile(path, bytes))
      const error = yield* Effect.flip(load(directory, [page(3)], { run: "five", write: "merge" }))
      const [, fault = error.message, advice] = /0004\.json ([a-z ]+): (.*)/.exec(error.message) ?? []
      expect(advice, `byte ${at}: ${error.message}`).toContain(
        "put it back from a backup, or `millrace verify FILE --repair` goes on without it"
      )
      outcomes[fault] = (outcomes[fault] ?? 0) + 1
    }
    expect(outcomes["has other bytes than were written"]).toBeGreaterThan(50)
  })
)

it.effect("a damaged manifest that a newer one has replaced stops no run, on no day, and removes no file", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loaded(directory)
    const path = join(directory, "lake/_manifest/000000000002.json")
    const text = yield* Effect.promise(() => Fs.readFile(path, "utf8"))
    yield* Effect.promise(() => Fs.writeFile(path, text.replace('"bytes":1', '"bytes":2').replace('"min"', '"nim"')))
    const before = yield* objects(directory)
    yield* TestClock.setTime(Date.now() + 3 * 86_400_000)

    yield* load(directory, [page(9)], { run: "five", write: "merge" })

    expect(yield* objects(directory)).toEqual(expect.arrayContaining(before))
    expect((yield* readLake(join(directory, "lake"), pages)).length).toBe(6)
    const runs = yield* Effect.flip(Effect.provide(parquet.with({ path: "lake" }).runs(directory), stores))
    expect(runs.message).toContain(
      "000000000002.json has other bytes than were written: put it back from a backup, or `millrace verify FILE --repair` moves it away"
    )
  })
)

it.effect("a manifest in the place of another is refused", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* loaded(directory)
    const manifests = join(directory, "lake/_manifest")
    yield* Effect.promise(() => Fs.copyFile(join(manifests, "000000000003.json"), join(manifests, "000000000004.json")))

    const error = yield* Effect.flip(load(directory, [page(3)], { run: "five", write: "merge" }))
    expect(error.message).toContain(
      "000000000004.json is manifest 3, which stands in the place of another: put it back"
    )
  })
)
