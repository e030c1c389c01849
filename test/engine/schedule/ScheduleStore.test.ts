import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ledger } from "#engine/ScheduleLedger"
import * as ScheduleStore from "#engine/ScheduleStore"
import { outcome, task } from "./simulated.ts"

const one = task("a", "0 2 * * *")
const waiting = (due: number) => ({ due, state: "waiting", makesUp: false, beginAt: due, message: null }) as const

const inFile = <A, E>(use: (file: string) => Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const folder = mkdtempSync(join(tmpdir(), "millrace-ledger-"))
    return Effect.ensuring(
      use(join(folder, "deep/schedule.sqlite")),
      Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
  })

const opened = <A, E>(file: string, use: (ledger: Ledger["Service"]) => Effect.Effect<A, E>) =>
  Effect.provide(Effect.flatMap(Ledger, use), Layer.orDie(ScheduleStore.layer(file)))

it.effect("decides on a due time once, and remembers how far decisions came", () =>
  inFile((file) =>
    Effect.gen(function* () {
      yield* opened(file, (ledger) =>
        Effect.gen(function* () {
          expect(yield* ledger.adopt(one, 1000)).toBe(1000)
          yield* ledger.decide("a", [waiting(2000), { ...waiting(3000), state: "skipped" }])
        })
      )
      yield* opened(file, (ledger) =>
        Effect.gen(function* () {
          expect(yield* ledger.adopt(one, 9000)).toBe(3000)
          yield* ledger.decide("a", [waiting(2000), waiting(3000), waiting(4000)])
          expect((yield* ledger.open).map(({ due }) => due)).toEqual([2000, 4000])
          expect((yield* ledger.last("a"))?.state).toBe("skipped")
        })
      )
    })
  )
)

const today = Date.UTC(2026, 10, 27)

it.effect("decides again from now on where the clock was ahead and has been set back, and keeps what was decided", () =>
  inFile((file) =>
    opened(file, (ledger) =>
      Effect.gen(function* () {
        yield* ledger.adopt(one, today + 1000)
        yield* ledger.decide("a", [waiting(today + 2000), waiting(today + 9000)])
        expect(yield* ledger.adopt(one, today + 1500)).toBe(today + 1500)
        yield* ledger.decide("a", [waiting(today + 2000), waiting(today + 3000)])
        const dues = (yield* ledger.open).map(({ due }) => due - today)
        expect(dues.sort()).toEqual([2000, 3000, 9000])
      })
    )
  )
)

it.effect("keeps what is decided where a clock has not been set since its machine started", () =>
  inFile((file) =>
    opened(file, (ledger) =>
      Effect.gen(function* () {
        yield* ledger.adopt(one, today)
        yield* ledger.decide("a", [waiting(today + 2000)])
        expect(yield* ledger.adopt(one, 5000)).toBe(today + 2000)
      })
    )
  )
)

it.effect("begins anew where the times of a task are others, and only then", () =>
  inFile((file) =>
    opened(file, (ledger) =>
      Effect.gen(function* () {
        yield* ledger.adopt(one, 1000)
        expect(yield* ledger.adopt({ ...one, text: "# newer" }, 5000)).toBe(1000)
        expect((yield* ledger.tasks)[0]?.text).toBe("# newer")
        expect(yield* ledger.adopt(task("a", "0 3 * * *"), 5000)).toBe(5000)
        expect(yield* ledger.adopt(task("a", "0 3 * * *", { timezone: "Europe/Berlin" }), 6000)).toBe(6000)
      })
    )
  )
)

it.effect("drops what waits of a task whose file is gone, and lets what is under way end", () =>
  inFile((file) =>
    opened(file, (ledger) =>
      Effect.gen(function* () {
        yield* ledger.adopt(one, 1000)
        yield* ledger.decide("a", [waiting(2000), waiting(3000)])
        const [run] = yield* ledger.open
        if (run === undefined) throw new Error("there is no run")
        yield* ledger.start(run.id, 2000)
        yield* ledger.drop("a", 2500, true)
        expect((yield* ledger.open).map(({ due, state }) => [due, state])).toEqual([[2000, "running"]])

        yield* ledger.settle(run, { state: "done", outcome: outcome("done", { rows: { pages: 2 } }), now: 2600 }, [])
        expect(yield* ledger.run(run.id)).toMatchObject({
          state: "done",
          ended_at: 2600,
          rows: { pages: 2 },
          attempts: 1
        })
        expect(yield* ledger.open).toEqual([])
      })
    )
  )
)

it.effect("forgets runs of long ago, but for the newest hundred", () =>
  inFile((file) =>
    opened(file, (ledger) =>
      Effect.gen(function* () {
        yield* ledger.adopt(one, 0)
        yield* ledger.decide(
          "a",
          Array.from({ length: 150 }, (_, at) => ({ ...waiting(at + 1), state: "missed" as const }))
        )
        yield* ledger.add("a", 200, 200)
        const [run] = yield* ledger.open
        if (run === undefined) throw new Error("there is no run")
        yield* ledger.settle(run, { state: "done", outcome: outcome("done"), now: 100 * 86_400_000 }, [])

        const known = yield* Effect.forEach(
          Array.from({ length: 151 }, (_, at) => at + 1),
          ledger.run
        )
        expect(known.flatMap((run) => (run === undefined ? [] : [run.id]))).toEqual(
          Array.from({ length: 100 }, (_, at) => at + 52)
        )
      })
    )
  )
)

it.effect("is a file that only its owner reads, and says so where it is none", () =>
  inFile((file) =>
    Effect.gen(function* () {
      yield* opened(file, (ledger) => ledger.tasks)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      writeFileSync(file, "this is no database, whatever its name says it is ...")
      const failure = yield* Effect.flip(Effect.provide(Ledger, ScheduleStore.layer(file)))
      expect(failure.message).toMatch(
        /^cannot open .*schedule\.sqlite is damaged: file is not a database; restore it from a backup/
      )
    })
  )
)
