/**
 * The laws of a sink as a suite.
 *
 *     SinkSuite.suite("duckdb", { destination, closing, read, layer: Layer.empty, secondWriter: "fails to open" })
 *
 * The suite knows a sink only by its contract and by `read`, and reads only while no writer is open.
 */
import { tmpdir } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Sink from "#engine/Sink"
import { folder } from "./folder.ts"
import { sinkChildVersionLaws, sinkSharedChildVersionLaws } from "./laws/sinkChildVersionLaws.ts"
import { sinkCommitLaws } from "./laws/sinkCommitLaws.ts"
import { sinkCommitResultLaws } from "./laws/sinkCommitResultLaws.ts"
import { sinkHistoryLaws } from "./laws/sinkHistoryLaws.ts"
import { sinkKeepingLaws } from "./laws/sinkKeepingLaws.ts"
import { sinkDetailsLaws, sinkOwnerLaws } from "./laws/sinkOwnerLaws.ts"
import { sinkReadingLaws } from "./laws/sinkReadingLaws.ts"
import { sinkAbsenceLaws, sinkRemovalLaws } from "./laws/sinkRemovalLaws.ts"
import { sinkOnceLaws, sinkReplayLaws } from "./laws/sinkReplayLaws.ts"
import { sinkNameLaws, sinkRowsLaws, sinkValueLaws } from "./laws/sinkRowsLaws.ts"
import { sinkSchemaLaws } from "./laws/sinkSchemaLaws.ts"
import { sinkSharingLaws } from "./laws/sinkSharingLaws.ts"
import { sinkUnchangedLaws } from "./laws/sinkUnchangedLaws.ts"
import { sinkWideningLaws } from "./laws/sinkWideningLaws.ts"
import { sinkMergeLaws, sinkReplaceLaws } from "./laws/sinkWriteLaws.ts"
import { bench, type Law, needing, type Subject } from "./SinkBench.ts"

export type { Law, Subject } from "./SinkBench.ts"

/**
 * Every law, for those who want to try them one by one.
 *
 * @example
 * ```ts
 * import { SinkSuite } from "millrace/testing"
 *
 * console.log(SinkSuite.laws[0]?.sentence) // "what was written and not committed is not there after reopening"
 * ```
 */
export const laws: ReadonlyArray<Law> = [
  ...sinkCommitLaws,
  ...sinkOnceLaws,
  ...sinkValueLaws,
  ...sinkRowsLaws,
  ...needing("columns", sinkSchemaLaws),
  ...needing("columns", sinkWideningLaws),
  ...needing("names", sinkNameLaws),
  ...sinkReplaceLaws,
  ...sinkMergeLaws,
  ...needing("again", sinkReplayLaws),
  ...sinkHistoryLaws,
  ...sinkChildVersionLaws,
  ...sinkAbsenceLaws,
  ...sinkRemovalLaws,
  ...sinkKeepingLaws,
  ...sinkUnchangedLaws,
  ...sinkReadingLaws,
  ...sinkCommitResultLaws,
  ...needing("details", sinkDetailsLaws),
  ...sinkOwnerLaws,
  ...needing("shared", sinkSharingLaws),
  ...needing("shared", sinkSharedChildVersionLaws)
]

/** @internal The laws by what they are about, for a subject that others keep the rest for. */
export const lawsOf = {
  commits: sinkCommitLaws,
  once: sinkOnceLaws,
  reading: sinkReadingLaws,
  replace: sinkReplaceLaws,
  replay: sinkReplayLaws,
  rows: sinkRowsLaws,
  schemas: sinkSchemaLaws,
  sharing: sinkSharingLaws,
  values: sinkValueLaws,
  widening: sinkWideningLaws
}

/**
 * Declares the tests of a sink with vitest, one for each guarantee of `Sink`. A guarantee that the sink declares that
 * it lacks (`SinkAbility`), or whose write disposition it does not have, is skipped by name.
 *
 * @example
 * ```ts
 * import { duckdb } from "millrace/connectors/duckdb"
 * import { SinkSuite } from "millrace/testing"
 *
 * SinkSuite.suite("duckdb", {
 *   destination: () => duckdb.with({ path: "test.duckdb" }),
 *   closing: () => duckdb.with({ path: "test.duckdb", removed: "close" })
 * })
 * ```
 */
export const suite = <R>(name: string, subject: Subject<R>): void => {
  const destination = subject.destination(tmpdir())
  describe(`${name} keeps the laws of a sink`, () => {
    for (const law of laws) {
      const lack = lackOf(law, destination, subject.read === undefined)
      if (lack === undefined) it.effect(law.sentence, () => check(law, subject))
      else it.skip(`${law.sentence} (skipped: the sink ${lack})`)
    }
  })
}

/** What a sink declares that it does not do, and this law asks. */
const lackOf = <R>(
  law: Law,
  { lacks = [], writes }: Sink.Destination<R>,
  isReadByItself: boolean
): string | undefined => {
  if (!writes.includes(law.of)) return `does not write: ${law.of}`
  if (isReadByItself && lacks.includes("read")) return "lacks: read"
  return law.needs !== undefined && lacks.includes(law.needs) ? `lacks: ${law.needs}` : undefined
}

/**
 * Tries one law in a temporary folder. It fails with the assertion that does not hold.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { memory } from "millrace/connectors/memory"
 * import { SinkSuite } from "millrace/testing"
 *
 * const destination = (directory: string) => memory.with({ name: directory })
 * const kept: Array<string> = []
 * for (const law of SinkSuite.laws.filter(({ of }) => of === "merge").slice(0, 3)) {
 *   await Effect.runPromise(Effect.scoped(SinkSuite.check(law, { destination })))
 *   kept.push(law.sentence)
 * }
 * console.log(kept.length) // 3
 * ```
 */
export const check = <R>(law: Law, subject: Subject<R>) =>
  Effect.gen(function* () {
    const directory = yield* folder
    const own = law.closing ? closing(subject) : subject
    yield* law.run(bench(own, directory))
    // Nobody else has written here.
    const runs = yield* own.destination(directory).compareRows?.(directory) ?? Effect.succeed([])
    expect(runs.filter(({ recorded }) => recorded !== undefined)).toEqual([])
  }).pipe(Effect.provide(layerOf(subject)))

const layerOf = <R>({ layer }: Subject<R>): Layer.Layer<R> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a layer, the author says that nothing is needed: R is never
  layer ?? (Layer.empty as unknown as Layer.Layer<R>)

const closing = <R>(subject: Subject<R>): Subject<R> =>
  subject.closing === undefined
    ? expect.fail("a sink with scd2 has `removed: close`; tell the suite how, with `closing`")
    : { ...subject, destination: subject.closing }
