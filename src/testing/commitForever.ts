/**
 * What a process that is to be killed runs: it commits and commits, and says each step on its standard output.
 *
 * The rows of a commit follow from its number, so the rows that are there afterwards show how many commits there were.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { links, pages } from "./specimens.ts"

/** Rows of a commit. */
export const [pagesEach, linksEach] = [400, 600]

/**
 * Continues from the last commit, and commits until its process is killed: what the script of a `CrashSuite` runs.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { duckdb } from "millrace/connectors/duckdb"
 * import { commitForever } from "millrace/testing"
 *
 * const [, , directory = "."] = process.argv
 * await Effect.runPromise(Effect.scoped(commitForever(duckdb.with({ path: "crash.duckdb" }), directory)))
 * ```
 */
export const commitForever = Effect.fnUntraced(function* <R>(destination: Sink.Destination<R>, directory: string) {
  const writer = yield* destination.open(planOf(destination, directory, `run-${process.pid}`))
  const say = (step: string) => Effect.sync(() => process.stdout.write(`${step}\n`))
  for (let commit = commitsOf(writer.resume) + 1; ; commit++) {
    yield* say("write")
    yield* writer.write(
      Table.batch(
        pages,
        rowsOf(pagesEach, commit, (at) => ({ url: `/${at}`, title: "x".repeat(500) }))
      )
    )
    yield* writer.write(
      Table.batch(
        links,
        rowsOf(linksEach, commit, (at) => ({ page_url: `/${at}`, at: commit, href: "#" }))
      )
    )
    yield* say("commit")
    yield* writer.commit({
      checkpoint: { runId: `run-${process.pid}`, state: commit },
      run: { runId: `run-${process.pid}`, pipeline: "crash", startedAt: 0n, committedAt: 1n, facts: {}, rows: {} },
      checks: [],
      complete: true
    })
    yield* say("committed")
  }
})

/** Merge where the sink can, else append. */
export const planOf = <R>(destination: Sink.Destination<R>, directory: string, runId: string): Sink.Plan => {
  const write = destination.writes.includes("merge") ? "merge" : "append"
  return {
    pipeline: "crash",
    runId,
    directory,
    evolve: true,
    tables: [pages, links].map((table) => ({ table, write }))
  }
}

const rowsOf = (count: number, version: number, row: (at: number) => Table.Row): ReadonlyArray<Table.Row> =>
  Array.from({ length: count }, (_, at) => ({ ...row(at % pagesEach), version }))

/** How many commits there were, by the checkpoint. */
export const commitsOf = (resume: Sink.Writer["resume"]): number =>
  Number(Option.getOrElse(resume, () => ({ runId: "", state: 0 })).state)
