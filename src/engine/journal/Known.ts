/**
 * What sources know of the last committed run: one file in `known/` of the pipeline's folder. Its name has the id of the
 * run, and a hash of how the run made its rows (`Revalidation.printOf`).
 */

import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Durable from "#base/Durable"
import { makePrivateFolder } from "#base/privateFolder"
import * as Segment from "#base/Segment"
import * as RunFolder from "./RunFolder.ts"

const nameOf = (runId: string, print: string): string => `${runId}-${print}.zst`

/** Moves the file from the folder of its run, and removes older ones. An empty file is removed too. */
export const keep = async (runFolder: string, runId: string, print: string): Promise<void> => {
  const pipelineFolder = Path.resolve(runFolder, "../..")
  const known = Path.join(pipelineFolder, "known")
  const own = RunFolder.knownOf(runFolder)
  const { size } = await Fs.stat(own).catch(() => ({ size: 0 }))
  if (size === 0) await Fs.rm(own, { force: true })
  else {
    await makePrivateFolder(known)
    await Durable.rename(own, Path.join(known, nameOf(runId, print)))
  }
  for (const name of await Fs.readdir(known).catch((): ReadonlyArray<string> => [])) {
    if (size === 0 || name !== nameOf(runId, print)) await Fs.rm(Path.join(known, name), { force: true })
  }
}

/** Opens what is known of a run; undefined: nothing is known of it, or its file is damaged and the run reads everything. */
export const open = async (
  pipelineFolder: string,
  runId: string,
  print: string
): Promise<Segment.Segment | undefined> => {
  const path = Path.join(pipelineFolder, "known", nameOf(runId, print))
  const isThere = await Fs.stat(path).then(
    () => true,
    () => false
  )
  return isThere && (await Segment.inspect(path)).damage === undefined ? Segment.open(path) : undefined
}
