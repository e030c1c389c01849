// What `millrace check` would print of a file named a.yaml that is wrong.
import * as Effect from "effect/Effect"
import type { Connector } from "#engine/Connector"
import * as PipelineFile from "#engine/PipelineFile"
import { toyConnectors } from "./toyConnectors.ts"

export const renderedProblems = (text: string, connectors: ReadonlyArray<Connector> = toyConnectors): Promise<string> =>
  PipelineFile.load("a.yaml", text, {
    connectors,
    env: {},
    runDate: new Date("2026-11-21T23:30:00Z"),
    runId: "run-7"
  }).pipe(
    Effect.flip,
    Effect.map((error) => error.render()),
    Effect.runPromise
  )
