/**
 * The suite of a sink whose rows take a way that another subject keeps every law of: on each commit it is tried with the laws
 * that the other subject cannot keep for it, and in a soak with all of them.
 */
import { tmpdir } from "node:os"
import { describe, it } from "@effect/vitest"
import type { Law } from "#testing/SinkBench"
import * as SinkSuite from "#testing/SinkSuite"
import { soaking } from "../thoroughness.ts"

export const lawsOnCommit = <R>(name: string, subject: SinkSuite.Subject<R>, laws: ReadonlyArray<Law>): void => {
  if (soaking) return SinkSuite.suite(name, subject)
  const { writes } = subject.destination(tmpdir())
  describe(`${name} keeps the laws of a sink that are its own`, () => {
    for (const law of laws) {
      if (writes.includes(law.of)) it.effect(law.sentence, () => SinkSuite.check(law, subject))
    }
  })
}
