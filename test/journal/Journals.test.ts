import { existsSync, readdirSync, writeFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Journals from "../../src/journal/Journals.ts"
import * as Journal from "../../src/pipeline/Journal.ts"
import { folder } from "../../src/testing/folder.ts"

const state = (runId: string, more: Partial<Journal.RunState> = {}): Journal.RunState => ({
  run_id: runId,
  pipeline: "p",
  source: "crawl",
  options: "{}",
  key: "key",
  started_at: 1000,
  ended_at: null,
  status: "reading",
  start: null,
  checkpoint: null,
  facts: {},
  rows: {},
  message: null,
  sinks: null,
  committed: [],
  ...more
})

const answer = (text: string) => ({ kind: "pages", at: 5, text, cursor: null })

const law = <E>(
  sentence: string,
  test: (directory: string) => Effect.Effect<void, E, Journal.Journals | Scope.Scope>
) => it.effect(sentence, () => Effect.provide(Effect.scoped(Effect.flatMap(folder, test)), Journals.layer))

const take = (directory: string) => Effect.flatMap(Journal.Journals, (journals) => journals.take("p", directory))
const look = (directory: string) => Effect.flatMap(Journal.Journals, (journals) => journals.look("p", directory))
const idsOf = (entries: ReadonlyArray<Journal.Entry>) => entries.map(({ state }) => state.run_id)

/** Runs as they were left: each with an answer of so many bytes that no compression makes smaller. */
const left = Effect.fnUntraced(function* (
  home: Journal.Journal,
  runs: ReadonlyArray<readonly [runId: string, status: Journal.RunStatus, endedAt: number | null, bytes?: number]>
) {
  for (const [runId, status, endedAt, bytes = 0] of runs) {
    yield* Effect.scoped(
      Effect.gen(function* () {
        const run = yield* home.begin(state(runId, { status, ended_at: endedAt }))
        writeFileSync(join(run.folder, "stage.duckdb"), Buffer.alloc(bytes))
      })
    )
  }
})

describe("the runs of a pipeline", () => {
  law("are listed the oldest first, whatever the order they were begun in, with what they take", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      yield* left(home, [
        ["20260103-c", "done", 30],
        ["20260101-a", "held", 10, 5000],
        ["20260102-b", "reading", null]
      ])

      const runs = yield* home.runs

      expect(idsOf(runs)).toEqual(["20260101-a", "20260102-b", "20260103-c"])
      expect(runs.map(({ state }) => state.status)).toEqual(["held", "reading", "done"])
      const [big = 0, small = 0] = runs.map(({ bytes }) => bytes)
      expect(big - small).toBeGreaterThan(4900)
      expect(yield* look(directory)).toEqual(runs)
    })
  )

  law("are none where no run was ever begun, and looking makes nothing", (directory) =>
    Effect.gen(function* () {
      expect(yield* look(directory)).toEqual([])
      expect(readdirSync(directory)).toEqual([])
    })
  )

  law("can be looked at by anybody, and taken by one alone", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      yield* left(home, [["a", "done", 1]])

      const refused = yield* Effect.flip(Effect.scoped(take(directory)))

      expect(refused.message).toBe(`p is being run by another process (${process.pid}); let it end first`)
      expect(idsOf(yield* look(directory))).toEqual(["a"])
    })
  )

  law("are taken again once the one that had them is through", (directory) =>
    Effect.gen(function* () {
      yield* Effect.scoped(take(directory))
      expect(idsOf(yield* (yield* take(directory)).runs)).toEqual([])
    })
  )
})

describe("a run", () => {
  law("is opened as it was left: its state and its answers", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const run = yield* home.begin(state("a"))
          yield* run.append(answer("one"))
          yield* run.append(answer("two"))
          yield* run.save({ status: "read", facts: { discovered: 2 }, checkpoint: { state: { at: 7 } } })
        })
      )

      const run = yield* home.open("a")

      expect(run.state).toEqual(
        state("a", { status: "read", facts: { discovered: 2 }, checkpoint: { state: { at: 7 } } })
      )
      expect(run.length).toBe(2)
      expect(yield* Stream.runCollect(run.answers)).toEqual([answer("one"), answer("two")])
    })
  )

  law("that the journal does not have is told so", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      expect((yield* Effect.flip(home.open("nobody"))).message).toBe("the journal has no run nobody")
    })
  )

  law("keeps the state that was written last, whatever a killed process left of the next one", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      const { folder: ofRun } = yield* home.begin(state("a", { message: "the last" }))
      writeFileSync(join(ofRun, "run.json.next"), `{"run_id":"a","pipe`)

      expect((yield* home.runs).map(({ state }) => state.message)).toEqual(["the last"])
      const run = yield* home.open("a")
      expect(run.state.message).toBe("the last")
      yield* run.save({ message: "a newer one" })
      expect(existsSync(join(ofRun, "run.json.next"))).toBe(false)
      expect((yield* home.runs).map(({ state }) => state.message)).toEqual(["a newer one"])
    })
  )

  law("that was never begun is none: a folder whose first state was not put in its place", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      const begun = join(home.folder, "runs", "b")
      yield* Effect.promise(() => Fs.mkdir(begun))
      writeFileSync(join(begun, "run.json.next"), JSON.stringify(state("b")))

      expect(yield* home.runs).toEqual([])
    })
  )

  law("of another version is told with its file, and not passed over", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      const { folder: ofRun } = yield* home.begin(state("a"))
      const path = join(ofRun, "run.json")
      writeFileSync(path, JSON.stringify({ ...state("a"), status: "levitating" }))

      const { message } = yield* Effect.flip(home.runs)

      expect(message).toContain(`${path} is no run of this version of millrace`)
    })
  )

  law("whose answers are damaged in the middle is told with the place", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      const path = yield* Effect.scoped(
        Effect.gen(function* () {
          const run = yield* home.begin(state("a"))
          yield* run.append(answer("one"))
          yield* run.append(answer("two"))
          return join(run.folder, "answers.ndjson.zst")
        })
      )
      const bytes = yield* Effect.promise(() => Fs.readFile(path))
      bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20)
      writeFileSync(path, bytes)

      const run = yield* home.open("a")

      const { message } = yield* Effect.flip(Stream.runCollect(run.answers))
      expect(message).toBe(
        `cannot read ${path}: the answer at byte 0 of ${path} is damaged; move the folder of this run away to go on without it`
      )
    })
  )
})

describe("pruning", () => {
  const everyStatus: ReadonlyArray<readonly [string, Journal.RunStatus, number | null, number]> = [
    ["1", "done", 10, 20_000],
    ["2", "held", 20, 20_000],
    ["3", "failed", 30, 20_000],
    ["4", "behind", 40, 20_000],
    ["5", "dropped", 50, 20_000],
    ["6", "reading", null, 20_000],
    ["7", "read", null, 20_000],
    ["8", "done", 80, 20_000]
  ]

  law("takes what ended before a moment, and of that only runs that are over", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      yield* left(home, everyStatus)

      const gone = yield* home.prune({ before: 50, bytes: Infinity })

      expect(idsOf(gone)).toEqual(["1", "3"])
      expect(idsOf(yield* home.runs)).toEqual(["2", "4", "5", "6", "7", "8"])
      expect(readdirSync(join(home.folder, "runs")).toSorted()).toEqual(["2", "4", "5", "6", "7", "8"])
    })
  )

  law("takes the oldest that are over until the rest is small enough", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      yield* left(home, everyStatus)

      const gone = yield* home.prune({ before: 0, bytes: 130_000 })

      expect(idsOf(gone)).toEqual(["1", "3"])
      expect(idsOf(yield* home.prune({ before: 0, bytes: 130_000 }))).toEqual([])
    })
  )

  law("leaves what waits for somebody, however large and old it is", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      yield* left(home, everyStatus)

      const gone = yield* home.prune({ before: 1000, bytes: 0 })

      expect(idsOf(gone)).toEqual(["1", "3", "5", "8"])
      expect((yield* home.runs).map(({ state }) => state.status)).toEqual(["held", "behind", "reading", "read"])
    })
  )
})

describe("a journal in a temporary folder", () => {
  it.effect("works like any other, keeps nothing in the folder of its pipeline, and is gone with its layer", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const home = yield* Effect.scoped(
        Effect.gen(function* () {
          const journal = yield* take(directory)
          const run = yield* journal.begin(state("a"))
          yield* run.append(answer("one"))
          expect(idsOf(yield* look(directory))).toEqual(["a"])
          expect(existsSync(join(run.folder, "run.json"))).toBe(true)
          return journal.folder
        })
      ).pipe(Effect.provide(Journals.layerTemporary))

      expect(readdirSync(directory)).toEqual([])
      expect(existsSync(dirname(home))).toBe(false)
    })
  )
})
