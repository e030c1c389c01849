/**
 * The suite of a sink whose rows take a way that another subject keeps every law of: on each commit it is tried with the laws
 * that the other subject cannot keep for it, and in a soak with all of them. And the suites of sinks that keep the laws in turn.
 */
import { tmpdir } from "node:os"
import { describe, it } from "@effect/vitest"
import type { Law } from "#testing/SinkBench"
import * as SinkSuite from "#testing/SinkSuite"
import { isEveryCase, soaking } from "../thoroughness.ts"

export const lawsOnCommit = <R>(name: string, subject: SinkSuite.Subject<R>, laws: ReadonlyArray<Law>): void => {
  if (soaking) return SinkSuite.suite(name, subject)
  declared(`${name} keeps the laws of a sink that are its own`, subject, laws)
}

/**
 * Who keeps which laws in a sample: each is kept by DuckDB or by a lake, every second of them by Postgres too, and each by SQLite
 * or by the shortest dialect of SQL.
 */
const places = { duckdb: 0, parquet: 1, postgres: 1, sqlite: 0, "the shortest dialect of SQL": 1 } as const

/** The suite of a sink that can keep every law: in a sample it shares the laws with others that can. */
export const lawsInTurn = <R>(name: keyof typeof places, subject: SinkSuite.Subject<R>): void => {
  if (isEveryCase) return SinkSuite.suite(name, subject)
  const own = SinkSuite.laws.filter((_, at) => at % 2 === places[name])
  declared(`${name} keeps the laws of a sink that are its turn`, subject, own)
}

const declared = <R>(title: string, subject: SinkSuite.Subject<R>, laws: ReadonlyArray<Law>): void => {
  const { writes } = subject.destination(tmpdir())
  describe(title, () => {
    for (const law of laws) {
      if (writes.includes(law.of)) it.effect(law.sentence, () => SinkSuite.check(law, subject))
    }
  })
}
