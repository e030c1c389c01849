import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import { folder } from "#testing/folder"
import { answer, state } from "./runState.ts"

const law = <E>(
  sentence: string,
  test: (directory: string) => Effect.Effect<void, E, Journal.Journals | Scope.Scope>
) => it.effect(sentence, () => Effect.provide(Effect.scoped(Effect.flatMap(folder, test)), Journals.layer))

const take = (directory: string) => Effect.flatMap(Journal.Journals, (journals) => journals.take("p", directory))
const look = (directory: string) => Effect.flatMap(Journal.Journals, (journals) => journals.look("p", directory))
/** All that the folder of the pipeline has, in bytes. */
const taken = Effect.fnUntraced(function* (directory: string) {
  const beside = yield* Effect.flatMap(Journal.Journals, (journals) => journals.beside("p", directory))
  const runs = yield* look(directory)
  return [...Object.values(beside), ...runs.map(({ bytes }) => bytes)].reduce((sum, bytes) => sum + bytes, 0)
})
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
        writeFileSync(join(run.folder, "blocks.zst"), Buffer.alloc(bytes))
      })
    )
  }
})

describe("the runs of a pipeline", () => {
  law("are each read once by the process that has the journal; those that it opens are read again", (directory) =>
    Effect.gen(function* () {
      yield* Effect.scoped(
        Effect.flatMap(take(directory), (home) =>
          left(home, [
            ["20260101-a", "done", 10],
            ["20260102-b", "held", null]
          ])
        )
      )
      const home = yield* take(directory)
      const before = yield* home.runs
      for (const { folder } of before) writeFileSync(join(folder, "run.json"), "damaged")
      yield* Effect.scoped(home.begin(state("20260103-c")))
      const after = yield* home.runs
      const opened = yield* Effect.scoped(
        Effect.flatMap(home.open("20260103-c"), (run) => run.save({ status: "done" }))
      )

      expect(idsOf(after)).toEqual(["20260101-a", "20260102-b", "20260103-c"])
      expect(after.slice(0, 2)).toEqual(before)
      expect(opened).toBeUndefined()
      expect((yield* home.runs).at(-1)?.state.status).toBe("done")
    })
  )

  law("take what they keep: the stage of a run that is over does not count", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      yield* left(home, [
        ["20260101-a", "done", 10],
        ["20260102-b", "held", null]
      ])
      const before = yield* look(directory)
      for (const { folder } of before) writeFileSync(join(folder, "stage.duckdb"), Buffer.alloc(50_000))
      const [over = 0, held = 0] = (yield* look(directory)).map(({ bytes }, at) => bytes - (before[at]?.bytes ?? 0))

      expect(over).toBe(0)
      expect(held).toBeGreaterThan(49_000)
    })
  )

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

      expect(refused.message).toBe(`p is being run by process ${process.pid}; wait until it ends`)
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
        state("a", { status: "read", facts: { discovered: 2 }, checkpoint: { state: { at: 7 } }, answers: 2 })
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

  law("whose state cannot be read is listed as damaged, and set aside whole by who takes the journal", (directory) =>
    Effect.gen(function* () {
      const [broken, newer] = yield* Effect.scoped(
        Effect.gen(function* () {
          const home = yield* take(directory)
          const one = yield* home.begin(state("20260101T000000000Z-a"))
          yield* one.append(answer("paid for"))
          const two = yield* home.begin(state("b"))
          yield* home.begin(state("c", { status: "done", ended_at: 1 }))
          return [one.folder, two.folder] as const
        })
      )
      writeFileSync(join(broken, "run.json"), '{"run_id": "2026')
      writeFileSync(join(newer, "run.json"), JSON.stringify({ ...state("b"), status: "levitating" }))

      const seen = yield* look(directory)
      const home = yield* take(directory)

      expect(idsOf(seen)).toEqual(["20260101T000000000Z-a", "b", "c"])
      expect(seen.map(({ damaged, state }) => [state.status, damaged === undefined])).toEqual([
        ["failed", false],
        ["failed", false],
        ["done", true]
      ])
      expect(seen[0]?.state.started_at).toBe(Date.UTC(2026, 0, 1))
      expect(seen[1]?.state.message).toMatch(
        /^run.json was not written by this version of millrace: [^\n]*at \["status"\]; the next run sets it aside$/
      )
      const aside = join(home.folder, "damaged")
      expect(home.setAside.map(({ folder, runId }) => [runId, folder])).toEqual([
        ["20260101T000000000Z-a", join(aside, "20260101T000000000Z-a")],
        ["b", join(aside, "b")]
      ])
      expect(idsOf(yield* home.runs)).toEqual(["c"])
      expect(idsOf(yield* look(directory))).toEqual(["c"])
      expect(readdirSync(join(aside, "20260101T000000000Z-a")).toSorted()).toEqual(["answers.ndjson.zst", "run.json"])
    })
  )

  law("whose state is not as it was written is set aside, though it can be read", (directory) =>
    Effect.gen(function* () {
      const { folder } = yield* Effect.scoped(
        Effect.flatMap(take(directory), (home) => home.begin(state("a", { answers: 19 })))
      )
      const text = readFileSync(join(folder, "run.json"), "utf8")
      writeFileSync(join(folder, "run.json"), text.replace("19", "18"))

      const home = yield* take(directory)

      expect(home.setAside.map(({ reason }) => reason)).toEqual(["run.json is not as it was written"])
      expect(yield* home.runs).toEqual([])
    })
  )

  law("that is set aside takes no name that another has", (directory) =>
    Effect.gen(function* () {
      for (const expected of ["a", "a-2", "a-3"]) {
        const { folder } = yield* Effect.scoped(Effect.flatMap(take(directory), (home) => home.begin(state("a"))))
        writeFileSync(join(folder, "run.json"), "")
        const home = yield* Effect.scoped(take(directory))
        expect(home.setAside.map(({ folder }) => folder)).toEqual([join(home.folder, "damaged", expected)])
      }
    })
  )

  law("that a killed process left half made is tidied up, and what was paid for is not", (directory) =>
    Effect.gen(function* () {
      const home = yield* Effect.scoped(
        Effect.gen(function* () {
          const home = yield* take(directory)
          const kept = yield* home.begin(state("kept"))
          writeFileSync(join(kept.folder, "run.json.next"), "{")
          const headless = yield* home.begin(state("headless"))
          yield* headless.append(answer("paid for"))
          yield* Effect.promise(() => Fs.rm(join(headless.folder, "run.json")))
          const begun = join(home.folder, "runs", "begun")
          yield* Effect.promise(() => Fs.mkdir(begun))
          writeFileSync(join(begun, "run.json.next"), "{")
          return home
        })
      )
      const tidied = yield* take(directory)

      expect(readdirSync(join(home.folder, "runs"))).toEqual(["kept"])
      expect(readdirSync(join(home.folder, "runs", "kept")).toSorted()).toEqual(["answers.ndjson.zst", "run.json"])
      expect(tidied.setAside.map(({ reason, runId }) => [runId, reason])).toEqual([["headless", "run.json is gone"]])
    })
  )

  /** What a disk, a person or another program may do to a file. `at` is a place in it, from 0 to 1. */
  const damages: Readonly<Record<string, (bytes: Buffer, at: number) => Buffer | undefined>> = {
    flipped: (bytes, at) => {
      const place = Math.floor(at * bytes.length)
      return bytes.fill(bytes.readUInt8(place) ^ (1 << (Math.floor(at * 7919) % 8)), place, place + 1)
    },
    zeroed: (bytes, at) =>
      bytes.fill(0, Math.floor(at * bytes.length), Math.min(bytes.length, Math.floor(at * bytes.length) + 40)),
    cut: (bytes, at) => bytes.subarray(0, Math.floor(at * bytes.length)),
    removed: () => undefined
  }
  const seed = Number(process.env["MILLRACE_SEED"] ?? 1)
  const chance = (n: number) => createHash("sha256").update(`${seed} ${n}`).digest().readUInt32LE() / 2 ** 32

  /** An unfinished run with three answers, each of which names a block. */
  const unfinished = (directory: string, status: "reading" | "read" | "behind" | "held") =>
    Effect.scoped(
      Effect.gen(function* () {
        const run = yield* (yield* take(directory)).begin(state("a"))
        const { blocks } = yield* run.segments
        for (const [number, text] of ["one", "two", "three"].entries()) {
          yield* Effect.promise(() => blocks.append([Buffer.from(text)]))
          yield* run.append({ ...answer(text), blocks: [number] })
        }
        yield* run.save({ status })
        return run.folder
      })
    )

  for (const status of ["reading", "read", "behind", "held"] as const) {
    law(`that is ${status} is set aside or read right, whatever a file of it suffers (MILLRACE_SEED=${seed})`, (root) =>
      Effect.gen(function* () {
        let aside = 0
        const whole = ["one", "two", "three"]
        for (let n = 0; n < 40; n += 1) {
          const [file = "", kind = ""] =
            ["answers.ndjson.zst", "blocks.zst"].flatMap((file) =>
              Object.keys(damages).map((kind) => [file, kind] as const)
            )[n % 8] ?? []
          const directory = join(root, String(n))
          const path = join(yield* unfinished(directory, status), file)
          const damaged = damages[kind]?.(readFileSync(path), chance(n))
          if (damaged === undefined) rmSync(path)
          else writeFileSync(path, damaged)

          yield* Effect.scoped(
            Effect.gen(function* () {
              const home = yield* take(directory)
              aside += home.setAside.length
              if (home.setAside.length > 0) return expect(yield* home.runs, `${n}: ${kind} ${file}`).toEqual([])
              const answers = yield* Stream.runCollect((yield* home.open("a")).answers)
              const texts = answers.map(({ contents = [] }) =>
                contents.map((bytes) => Buffer.from(bytes).toString()).join()
              )
              // What was cut off the end of a run that still reads is asked for again.
              const expected = status === "reading" ? whole.slice(0, texts.length) : whole
              expect(texts, `${n}: ${kind} ${file} at ${chance(n)}`).toEqual(expected)
            })
          )
        }
        expect(aside).toBeGreaterThan(10)
      })
    )
  }

  law("whose known pages are damaged lets the next run read all of them", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const run = yield* home.begin(state("a"))
          const { known } = yield* run.segments
          yield* Effect.promise(() => known.append([Buffer.from("one")]))
          yield* Effect.promise(() => known.append([Buffer.from("two")]))
          yield* run.keepKnown("print")
        })
      )
      const path = join(home.folder, "known/a-print.zst")
      const bytes = readFileSync(path)
      const known = () => Effect.scoped(Effect.map(home.known("a", "print"), (segment) => segment?.places.length))
      expect(yield* known()).toBe(2)

      writeFileSync(path, bytes.fill(bytes.readUInt8(20) ^ 1, 20, 21))
      expect(yield* known()).toBeUndefined()
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
        `cannot read ${path}: the answer at byte 0 of ${path} is damaged; move the folder of this run away to continue without it`
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

  law("takes the oldest that are over until all that the pipeline has on the disk is small enough", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      yield* left(home, everyStatus)
      const all = yield* taken(directory)
      const [one = 0, , three = 0] = (yield* home.runs).map(({ bytes }) => bytes)

      expect(idsOf(yield* home.prune({ before: 0, bytes: all }))).toEqual([])
      const gone = yield* home.prune({ before: 0, bytes: all - one - three })
      expect(idsOf(gone)).toEqual(["1", "3"])
      expect(idsOf(yield* home.prune({ before: 0, bytes: all - one - three }))).toEqual([])

      // What is beside the runs counts, and stays.
      writeFileSync(join(home.folder, "service.sqlite"), Buffer.alloc(200_000, 1))
      expect(idsOf(yield* home.prune({ before: 0, bytes: all - one - three }))).toEqual(["5", "8"])
      expect(existsSync(join(home.folder, "service.sqlite"))).toBe(true)
    })
  )

  law("counts what `du` counts", (directory) =>
    Effect.gen(function* () {
      const home = yield* take(directory)
      yield* left(home, everyStatus)
      writeFileSync(join(home.folder, "service.sqlite"), Buffer.alloc(200_000, 1))
      const of = (path: string) => Number(/^\d+/.exec(execFileSync("du", ["-sk", path], { encoding: "utf8" }))?.[0])

      const [first] = yield* home.runs
      expect(Math.ceil((first?.bytes ?? 0) / 1024)).toBe(of(join(home.folder, "runs", "1")))
      const beside = yield* Effect.flatMap(Journal.Journals, (journals) => journals.beside("p", directory))
      expect(Object.keys(beside)).toContain("service.sqlite")
      expect(Math.ceil((beside["service.sqlite"] ?? 0) / 1024)).toBe(of(join(home.folder, "service.sqlite")))
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
