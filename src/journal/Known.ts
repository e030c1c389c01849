/**
 * What sources know of the last run that is committed, in `known/` of the pipeline's folder: one file, whose name says of which
 * run it is, and how rows were made.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Segment from "../segments/Segment.ts"
import * as RunFolder from "./RunFolder.ts"

const nameOf = (runId: string, print: string): string => `${runId}-${print}.zst`

/** Takes it over from the folder of its run. What was known before is of no use any more. */
export const keep = async (runFolder: string, runId: string, print: string): Promise<void> => {
  const pipelineFolder = Path.resolve(runFolder, "../..")
  const known = Path.join(pipelineFolder, "known")
  const own = RunFolder.knownOf(runFolder)
  const { size } = await Fs.stat(own).catch(() => ({ size: 0 }))
  if (size === 0) await Fs.rm(own, { force: true })
  else {
    await Fs.mkdir(known, { recursive: true })
    await Fs.rename(own, Path.join(known, nameOf(runId, print)))
  }
  for (const name of await Fs.readdir(known).catch((): ReadonlyArray<string> => [])) {
    if (size === 0 || name !== nameOf(runId, print)) await Fs.rm(Path.join(known, name), { force: true })
  }
}

/** Undefined: nothing is known of that run. */
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
  return isThere ? Segment.open(path) : undefined
}
