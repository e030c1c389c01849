/**
 * What only a killed process can prove of a sink: SIGKILL at any instant leaves a whole number of commits. It takes two
 * files of a connector: a script that calls `commitForever` and is killed, and the test that calls `suite`. The script
 * reports each step on its standard output, and the kill follows a random step, so no clock is involved.
 */
import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { createInterface } from "node:readline"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { commitsOf, linksEach, pagesEach, planOf } from "./commitForever.ts"
import { folder } from "./folder.ts"
import { links, pages, randomFrom, seed } from "./specimens.ts"

/** A sink to be killed: the script that commits, and how its rows are read afterwards. */
export interface Subject<R> {
  /** The script that calls `commitForever` with this destination; its one argument is the folder. */
  readonly script: string
  /** The sink with its options, at a place in this folder. */
  readonly destination: (directory: string) => Sink.Destination<R>
  /** The committed rows of a table, as a reader that is not part of the sink sees them. */
  readonly read: (directory: string, table: Table.Table) => Effect.Effect<ReadonlyArray<Table.Row>, unknown, R>
  /** What the sink needs; `Layer.empty`: nothing. */
  readonly layer: Layer.Layer<R>
  /** How often to kill. */
  readonly kills: number
}

/**
 * Kills a process that commits, with SIGKILL at random moments, and checks after each kill that a whole number of
 * commits is there, and the checkpoint of the last. `MILLRACE_SEED` repeats the moments. A sink that declares that it
 * lacks "exactlyOnce" is skipped by name.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { duckdb } from "millrace/connectors/duckdb"
 * import { CrashSuite } from "millrace/testing"
 *
 * const destination = () => duckdb.with({ path: "crash.duckdb" })
 * CrashSuite.suite("duckdb", {
 *   script: "test/crashing.ts",
 *   destination,
 *   read: (directory, table) => Effect.orDie(destination().rows(directory, table)),
 *   layer: Layer.empty,
 *   kills: 3
 * })
 * ```
 */
export const suite = <R>(name: string, subject: Subject<R>): void => {
  const sentence = `${subject.kills} kills at random instants each leave a whole number of commits`
  describe(`${name} survives kill -9`, () => {
    if (subject.destination(tmpdir()).lacks?.includes("exactlyOnce") === true) {
      it.skip(`${sentence} (skipped: the sink lacks: exactlyOnce)`)
      return
    }
    it.effect(
      `${sentence} (MILLRACE_SEED=${seed})`,
      () =>
        Effect.gen(function* () {
          const directory = yield* folder
          const random = randomFrom(seed)
          const destination = subject.destination(directory)
          let before = 0
          for (let kill = 0; kill < subject.kills; kill++) {
            const reported = yield* runAndKill(subject.script, directory, 1 + random(14), random(40))

            const resume = yield* Effect.scoped(
              Effect.map(destination.open(planOf(destination, directory, "look")), (writer) => writer.resume)
            )
            const commits = commitsOf(resume)
            // Every commit that was reported to the script exists; the one in which it was killed may exist.
            expect(commits - before - reported).toBeGreaterThanOrEqual(0)
            expect(commits - before - reported).toBeLessThanOrEqual(1)
            const seenPages = yield* subject.read(directory, pages)
            const seenLinks = yield* subject.read(directory, links)
            const merged = destination.writes.includes("merge")
            expect(seenPages).toHaveLength(merged ? Math.min(commits, 1) * pagesEach : commits * pagesEach)
            expect(seenLinks).toHaveLength(merged ? Math.min(commits, 1) * linksEach : commits * linksEach)
            const last = seenPages.filter((row) => Number(row["version"]) === commits)
            expect(last).toHaveLength(commits === 0 ? 0 : pagesEach)
            before = commits
          }
          expect(before).toBeGreaterThan(0)
        }).pipe(Effect.provide(subject.layer)),
      { timeout: Math.max(600_000, subject.kills * 60_000) }
    )
  })
}

/** Starts the script and kills it some turns after its nth step. The answer is how often it said "committed". */
const runAndKill = (script: string, directory: string, steps: number, turns: number) =>
  Effect.callback<number>((resume) => {
    const child = spawn(process.execPath, [script, directory], { stdio: ["ignore", "pipe", "inherit"] })
    let [lines, committed] = [0, 0]
    createInterface(child.stdout).on("line", (line) => {
      if (line === "committed") committed++
      if (++lines === steps) after(turns, () => child.kill("SIGKILL"))
    })
    child.on("close", () => resume(Effect.succeed(committed)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Runs something a number of turns of the event loop from now. */
const after = (turns: number, run: () => void): void => {
  if (turns === 0) run()
  else setImmediate(() => after(turns - 1, run))
}
