/**
 * The suite knows a sink only by its contract and by `read`, and reads only while no writer is open.
 *
 *     SinkSuite.suite("duckdb", { destination, closing, read, layer: Layer.empty, secondWriter: "fails to open" })
 *
 * The suite knows a sink only by its contract and by `read`, and reads only while no writer is open.
 */
import { tmpdir } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "./folder.ts"
import { bench, type Law, type Subject } from "./SinkBench.ts"
import { sinkCommitLaws } from "./sinkCommitLaws.ts"
import { sinkCommitResultLaws } from "./sinkCommitResultLaws.ts"
import { sinkDetailsLaws } from "./sinkDetailsLaws.ts"
import { sinkHistoryLaws } from "./sinkHistoryLaws.ts"
import { sinkKeepingLaws } from "./sinkKeepingLaws.ts"
import { sinkOnceLaws } from "./sinkOnceLaws.ts"
import { sinkOwnerLaws } from "./sinkOwnerLaws.ts"
import { sinkReadingLaws } from "./sinkReadingLaws.ts"
import { sinkRemovalLaws } from "./sinkRemovalLaws.ts"
import { sinkReplayLaws } from "./sinkReplayLaws.ts"
import { sinkRowsLaws } from "./sinkRowsLaws.ts"
import { sinkSchemaLaws } from "./sinkSchemaLaws.ts"
import { sinkSharingLaws } from "./sinkSharingLaws.ts"
import { sinkUnchangedLaws } from "./sinkUnchangedLaws.ts"
import { sinkValueLaws } from "./sinkValueLaws.ts"
import { sinkWideningLaws } from "./sinkWideningLaws.ts"
import { sinkMergeLaws, sinkReplaceLaws } from "./sinkWriteLaws.ts"

export type { Subject } from "./SinkBench.ts"

/** Every law, for those who want to try them one by one. */
export const laws: ReadonlyArray<Law> = [
  ...sinkCommitLaws,
  ...sinkOnceLaws,
  ...sinkValueLaws,
  ...sinkRowsLaws,
  ...sinkSchemaLaws,
  ...sinkWideningLaws,
  ...sinkReplaceLaws,
  ...sinkMergeLaws,
  ...sinkReplayLaws,
  ...sinkHistoryLaws,
  ...sinkRemovalLaws,
  ...sinkKeepingLaws,
  ...sinkUnchangedLaws,
  ...sinkReadingLaws,
  ...sinkCommitResultLaws,
  ...sinkDetailsLaws,
  ...sinkOwnerLaws,
  ...sinkSharingLaws
]

export const suite = <R>(name: string, subject: Subject<R>): void => {
  const { writes } = subject.destination(tmpdir())
  describe(`${name} keeps the laws of a sink`, () => {
    for (const law of laws) {
      if (writes.includes(law.of)) it.effect(law.sentence, () => check(law, subject))
    }
  })
}

/** Tries one law in a folder of its own. */
export const check = <R>(law: Law, subject: Subject<R>) =>
  Effect.flatMap(folder, (directory) => law.run(bench(law.closing ? closing(subject) : subject, directory))).pipe(
    Effect.provide(subject.layer)
  )

const closing = <R>(subject: Subject<R>): Subject<R> =>
  subject.closing === undefined
    ? expect.fail("a sink with scd2 has `removed: close`; tell the suite how, with `closing`")
    : { ...subject, destination: subject.closing }
