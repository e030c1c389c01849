/**
 * The reports of a pipeline's scheduled runs: FOLDER/NAME/RUN.html of each, and FOLDER/NAME/latest.html.
 *
 * Each file is written in one step, and the last thirty are kept. What stands in the folder under other names stays.
 */
import { copyFile, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { engine } from "#library/services"
import { failed } from "./CliFailure.ts"
import type { Loaded } from "./loadPipeline.ts"
import { shownOf, writeReport } from "./makeReport.ts"
import { collectReport } from "./report/collectReport.ts"
import { folderOf } from "./reportPlace.ts"

const mostKept = 30

/** Writes the report of a run that has just ended: its own, or the last that the journal knows of where it has no id. */
export const reportRun = Effect.fnUntraced(function* (
  path: string,
  loaded: Loaded,
  of: {
    readonly folder: string
    readonly runId: string | null
    /** A run that ended earlier has its report already, or never had one; in milliseconds since the epoch. */
    readonly since: number
  }
) {
  const { name } = loaded.pipeline
  const model = yield* collectReport(path, loaded, of.runId ?? "latest").pipe(Effect.scoped, Effect.provide(engine))
  const { ended_at: ended, run_id: runId, started_at: started } = model.run
  if (of.runId === null && Date.parse(ended ?? started) < of.since) return undefined
  const folder = folderOf(path, of.folder, name)
  const file = join(folder, `${runId}.html`)
  yield* writeReport(file, shownOf(loaded, model))
  yield* Effect.tryPromise({
    try: () => settle(folder, file),
    catch: (cause) => failed(`${folder}: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
  return runId
})

/** The latest is a copy, so that it can be sent and served by itself; the oldest are removed. */
const settle = async (folder: string, file: string): Promise<void> => {
  const beside = join(folder, `latest.html.${process.pid}.tmp`)
  await copyFile(file, beside)
  await rename(beside, join(folder, "latest.html"))
  const reports = (await readdir(folder)).filter((name) => /^\d{8}T\d{9}Z-[0-9a-f]+\.html$/.test(name)).sort()
  await Promise.all(reports.slice(0, -mostKept).map((name) => rm(join(folder, name), { force: true })))
}
