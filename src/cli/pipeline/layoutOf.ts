/**
 * What the tables of a pipeline file will be, without a run: its steps and checks are tried on empty tables, in a folder
 * that is gone afterwards.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layout from "../../pipeline/run/Layout.ts"
import { failureOf } from "../runs/runReport.ts"
import type { Loaded } from "./loadPipeline.ts"

export const layoutOf = Effect.fn("layoutOf")(function* ({ file, pipeline }: Loaded) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "millrace-plan-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )
  return yield* Layout.make(pipeline, { folder, home: folder, reopen: false }).pipe(
    Effect.mapError((error) => failureOf(file, error, false))
  )
})
