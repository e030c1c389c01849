/** What is damaged in a lake is found, healed from the manifests, or left out and named; other readers then agree with the manifest. */
import { execFileSync, spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parquet } from "#connectors/parquet/index"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { folder } from "#testing/folder"
import { filesOf, readLake, stores } from "./lake.ts"
import { type Load, load as loadInto } from "./load.ts"

const python = process.env["MILLRACE_TEST_PYTHON"] ?? "python3"
const hasReaders = spawnSync(python, ["-c", "import deltalake, pandas, pyiceberg, pyarrow, duckdb"]).status === 0
if (!hasReaders) {
  console.warn(
    `SKIPPED: ${python} has not all of deltalake, pandas, pyiceberg, pyarrow and duckdb, so they do not read a lake that was repaired (MILLRACE_TEST_PYTHON)`
  )
}

const things = Table.make({
  name: "things",
  description: "rows with a key",
  schema: Schema.Struct({ id: Schema.Int, v: Schema.String, _run_id: Schema.String }),
  key: ["id"]
})
const rowsOf = (run: number) =>
  Array.from({ length: 5 }, (_, at) => ({ id: run * 5 + at, v: `${run}`, _run_id: `run${run}` }))

const load = (directory: string, run: number, of: Partial<Load> = {}) =>
  loadInto(directory, `run${run}`, {
    rows: rowsOf(run),
    table: things,
    write: "append",
    at: run,
    options: { iceberg: true },
    ...of
  })
const verify = (directory: string, target: Partial<Sink.VerifyTarget> = {}) =>
  parquet.with({ path: "lake" }).verify?.(directory, { repair: false, ...target }) ?? Effect.die("none")
const lakeOf = (directory: string) => join(directory, "lake")
const logOf = (directory: string, version: number) =>
  join(lakeOf(directory), "things/_delta_log", `${String(version).padStart(20, "0")}.json`)
const manifestOf = (directory: string, version: number) =>
  join(lakeOf(directory), "_manifest", `${String(version).padStart(12, "0")}.json`)
const flip = (file: string, at: number) => {
  const bytes = Fs.readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  Fs.writeFileSync(file, bytes)
}
const outcomes = ({ findings }: Sink.Verified) => findings.map(({ outcome, path }) => `${outcome} ${path}`)
const snapshot = (directory: string): ReadonlyArray<string> =>
  Fs.readdirSync(lakeOf(directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${Fs.readFileSync(path).toString("base64")}`)
    .sort()

const three = Effect.fnUntraced(function* (directory: string) {
  for (const run of [0, 1, 2]) yield* load(directory, run)
})

it.effect("a lake that is as it was written has no findings, and each of its files is counted", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* three(directory)
    const verified = yield* verify(directory)
    expect([verified.findings, verified.files]).toEqual([[], 3])
    expect(verified.bytes).toBe(
      (yield* filesOf(lakeOf(directory), "things")).reduce((sum, { bytes }) => sum + bytes, 0)
    )
  }).pipe(Effect.provide(stores))
)

it.effect("what follows the manifests is healed byte for byte, and without repair nothing is written", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* three(directory)
    const before = snapshot(directory)
    flip(logOf(directory, 0), 60)
    Fs.rmSync(logOf(directory, 1))
    const metadata = join(lakeOf(directory), "things/metadata")
    Fs.truncateSync(join(metadata, "v3.metadata.json"), 40)
    Fs.writeFileSync(join(lakeOf(directory), "read.sql"), "")
    const damaged = snapshot(directory)

    const found = yield* verify(directory)
    expect(outcomes(found)).toEqual([
      "damaged things/_delta_log/00000000000000000000.json",
      "damaged things/_delta_log/00000000000000000001.json",
      "damaged things/metadata/v3.metadata.json",
      "damaged things/metadata/version-hint.text",
      "damaged read.sql"
    ])
    expect(snapshot(directory)).toEqual(damaged)

    const repaired = yield* verify(directory, { repair: true })
    expect(new Set(repaired.findings.map(({ outcome }) => outcome))).toEqual(new Set(["healed"]))
    expect(snapshot(directory)).toEqual(before)
    expect((yield* verify(directory)).findings).toEqual([])
  }).pipe(Effect.provide(stores))
)

it.effect("a damaged data file is left out of the next manifest, and the run that loads its rows again is named", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* three(directory)
    const [, file] = yield* filesOf(lakeOf(directory), "things")
    flip(join(lakeOf(directory), file?.path ?? ""), 60)

    const found = yield* verify(directory)
    expect(found.findings).toMatchObject([{ path: file?.path, outcome: "lost", runs: ["run1"] }])
    expect(found.findings[0]?.message).toContain("has other bytes than were written: 5 rows of things are lost")
    yield* verify(directory, { repair: true })
    expect((yield* readLake(lakeOf(directory), things)).map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 10, 11, 12, 13, 14
    ])
    expect((yield* verify(directory)).findings).toEqual([])
    // The file stays: a backup may be compared with it, and older manifests name it.
    expect(Fs.existsSync(join(lakeOf(directory), file?.path ?? ""))).toBe(true)
  }).pipe(Effect.provide(stores))
)

for (const how of ["damaged", "gone"] as const) {
  it.effect(`a newest manifest that is ${how} stops runs with one command, which goes on from the one before it`, () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* three(directory)
      if (how === "gone") Fs.rmSync(manifestOf(directory, 3))
      else Fs.truncateSync(manifestOf(directory, 3), 100)

      const error = yield* Effect.flip(load(directory, 3))
      expect(error.message).toContain("`millrace verify FILE --repair` goes on without it")
      const repaired = yield* verify(directory, { repair: true })
      expect(repaired.findings).toContainEqual(
        expect.objectContaining({ path: "_manifest/000000000003.json", outcome: "lost", runs: ["run2"] })
      )
      expect((yield* verify(directory)).findings).toEqual([])

      yield* load(directory, 3)
      const ids = (yield* readLake(lakeOf(directory), things)).map(({ id }) => Number(id))
      expect(ids.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19])
      expect((yield* verify(directory)).findings).toEqual([])
    }).pipe(Effect.provide(stores))
  )
}

it.effect("a damaged manifest that newer ones have replaced stops no run, and repair moves it away", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* three(directory)
    flip(manifestOf(directory, 2), 100)
    yield* load(directory, 3)
    const repaired = yield* verify(directory, { repair: true })
    expect(repaired.findings).toMatchObject([{ path: "_manifest/000000000002.json", outcome: "lost" }])
    expect(Fs.existsSync(join(lakeOf(directory), "_manifest/damaged/000000000002.json"))).toBe(true)
    yield* load(directory, 4)
    expect((yield* verify(directory)).findings).toEqual([])
  }).pipe(Effect.provide(stores))
)

it.effect(
  "a version that another program added to a log is reported, and neither a run nor repair writes over it",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* three(directory)
      const foreign = '{"commitInfo":{"engineInfo":"delta-rs"}}\n'
      Fs.writeFileSync(logOf(directory, 3), foreign)

      expect((yield* Effect.flip(load(directory, 3))).message).toContain("something else writes to the Delta table")
      const repaired = yield* verify(directory, { repair: true })
      expect(outcomes(repaired)).toEqual(["open things/_delta_log/00000000000000000003.json"])
      expect(Fs.readFileSync(logOf(directory, 3), "utf8")).toBe(foreign)

      Fs.rmSync(join(lakeOf(directory), "things/_delta_log"), { recursive: true })
      yield* load(directory, 3)
      expect((yield* verify(directory)).findings).toEqual([])
    }).pipe(Effect.provide(stores))
)

it.effect(
  "what another program added to the log of a table that a run does not load stays, until that table's run refuses it",
  () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* three(directory)
      const others = { ...things, name: "others" }
      const foreign = '{"commitInfo":{"engineInfo":"delta-rs"}}\n'
      Fs.writeFileSync(logOf(directory, 3), foreign)
      yield* load(directory, 3, { table: others })
      expect(Fs.readFileSync(logOf(directory, 3), "utf8")).toBe(foreign)
      expect(Fs.existsSync(logOf(directory, 4))).toBe(false)
      expect((yield* Effect.flip(load(directory, 4))).message).toContain("something else writes to the Delta table")
    }).pipe(Effect.provide(stores))
)

it.effect("a version whose manifests are lost is not needed: a checkpoint says the whole table", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* three(directory)
    Fs.truncateSync(manifestOf(directory, 1), 0)
    Fs.truncateSync(manifestOf(directory, 2), 0)
    flip(logOf(directory, 0), 60)
    flip(logOf(directory, 1), 60)

    yield* load(directory, 3)

    const log = Fs.readdirSync(join(lakeOf(directory), "things/_delta_log"))
    expect(log).toContain(`${"2".padStart(20, "0")}.checkpoint.parquet`)
    expect(log).not.toContain(`${"1".padStart(20, "0")}.json`)
    yield* load(directory, 4)
    expect((yield* verify(directory)).findings.filter(({ path }) => !path.startsWith("_manifest/"))).toEqual([])
  }).pipe(Effect.provide(stores))
)

it.effect("a damaged checkpoint, or what names it, is written again", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* three(directory)
    Fs.truncateSync(manifestOf(directory, 1), 0)
    Fs.rmSync(logOf(directory, 1))
    yield* load(directory, 3)
    const log = join(lakeOf(directory), "things/_delta_log")
    for (const name of Fs.readdirSync(log).filter((one) => /checkpoint/.test(one))) {
      const whole = Fs.readFileSync(join(log, name))
      flip(join(log, name), Math.floor(whole.length / 2))
      expect(outcomes(yield* verify(directory))).toContain("damaged things/_delta_log/_last_checkpoint")
      yield* load(directory, 4, { rows: [], write: "append" })
      expect((yield* verify(directory)).findings.filter(({ path }) => !path.startsWith("_manifest/"))).toEqual([])
    }
  }).pipe(Effect.provide(stores))
)

it.effect("a lake that an older version made opens, and has digests after its next commit", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* three(directory)
    const { digest: _, ...manifest } = JSON.parse(Fs.readFileSync(manifestOf(directory, 3), "utf8"))
    delete manifest.tables.things.delta.digests
    Fs.writeFileSync(manifestOf(directory, 3), JSON.stringify(manifest))
    flip(logOf(directory, 0), 60)

    yield* load(directory, 3)
    const next = JSON.parse(Fs.readFileSync(manifestOf(directory, 4), "utf8"))
    expect(next.tables.things.delta).toMatchObject({ version: 3, digests: [expect.stringMatching(/^[0-9a-f]{16}$/)] })
    // Nothing knows what the flipped version was, so no reader of the newest one needs it.
    expect(
      Fs.existsSync(join(lakeOf(directory), "things/_delta_log", `${"3".padStart(20, "0")}.checkpoint.parquet`))
    ).toBe(true)
  }).pipe(Effect.provide(stores))
)

it.effect("a verification that begins again does not read what the last one found whole", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    yield* three(directory)
    const known = new Set<string>()
    const whole = { has: (print: string) => known.has(print), add: (print: string) => void known.add(print) }
    const [file] = yield* filesOf(lakeOf(directory), "things")
    const path = join(lakeOf(directory), file?.path ?? "")
    Fs.utimesSync(path, 1_000_000, 1_000_000)
    yield* verify(directory, { whole })
    expect(known.size).toBe(3)
    // Only what is not read can be damaged without being found.
    flip(path, 60)
    Fs.utimesSync(path, 1_000_000, 1_000_000)
    expect((yield* verify(directory, { whole })).findings).toEqual([])
    expect((yield* verify(directory)).findings).toHaveLength(1)
  }).pipe(Effect.provide(stores))
)

it.live.skipIf(!hasReaders)("after repair, pandas, delta-rs, PyIceberg and DuckDB read what the manifest says", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    for (const run of [0, 1, 2, 3, 4]) yield* load(directory, run)
    const [first] = yield* filesOf(lakeOf(directory), "things")
    const metadata = join(lakeOf(directory), "things/metadata")
    flip(join(lakeOf(directory), first?.path ?? ""), 70)
    flip(logOf(directory, 1), 200)
    Fs.rmSync(logOf(directory, 2))
    Fs.truncateSync(manifestOf(directory, 5), 30)
    Fs.truncateSync(manifestOf(directory, 2), 30)
    for (const name of Fs.readdirSync(metadata)) if (/^(snap-4|v4)/.test(name)) flip(join(metadata, name), 90)

    yield* verify(directory, { repair: true })

    const expected = (yield* readLake(lakeOf(directory), things)).map(({ id, v }) => [Number(id), v])
    expected.sort(([one], [other]) => Number(one) - Number(other))
    expect(expected).toHaveLength(15)
    const script = join(import.meta.dirname, "verify.py")
    const read = JSON.parse(execFileSync(python, [script, lakeOf(directory), "things"], { encoding: "utf8" }))
    for (const [reader, rows] of Object.entries(read)) expect([reader, rows]).toEqual([reader, expected])
    expect((yield* verify(directory)).findings).toEqual([])
  }).pipe(Effect.provide(stores))
)

it.effect("a merge that reads a data file in whose place another whole one was put is refused, with what to do", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const merge = (run: number, ids: ReadonlyArray<number>) =>
      load(directory, run, {
        write: "merge",
        options: { compression: "uncompressed" },
        rows: ids.map((id) => ({ id, v: `${run}`, _run_id: `run${run}` }))
      })
    yield* merge(0, [0, 9])
    yield* merge(1, [1, 8])
    const [first, second] = (yield* filesOf(lakeOf(directory), "things")).map(({ path }) =>
      join(lakeOf(directory), path)
    )
    if (first === undefined || second === undefined) throw new Error("there are not two files")
    expect(Fs.statSync(first).size).toBe(Fs.statSync(second).size)
    Fs.copyFileSync(first, second)
    const refused = yield* Effect.flip(merge(2, [8]))
    expect(refused.message).toMatch(
      /run1-\S+\.parquet is in the manifest of .*(is another file, run0-\S+\.parquet, in its place|has other bytes than were written): put it back from a backup, or `millrace verify/
    )
  }).pipe(Effect.provide(stores))
)
