/**
 * Removes or repairs what an earlier process left in the folder of a pipeline when it was killed or its disk failed.
 *
 * The law: only the process that has the journal tidies it. Answers are never removed: a run whose state is missing or cannot
 * be read is moved with its answers into `damaged/`, and reported.
 */
import { existsSync } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import type * as Journal from "../pipeline/Journal.ts"
import * as RunFolder from "./RunFolder.ts"

export interface Tidied {
  readonly setAside: ReadonlyArray<Journal.SetAside>
  /** The states of the readable runs, by folder name. */
  readonly states: ReadonlyMap<string, Journal.RunState>
}

/** Removes what belongs to no run, and sets aside what cannot be read. */
export const tidy = async (pipelineFolder: string): Promise<Tidied> => {
  const runs = Path.join(pipelineFolder, "runs")
  const moved: Array<Journal.SetAside> = []
  const states = new Map<string, Journal.RunState>()
  for (const { name } of (await Fs.readdir(runs, { withFileTypes: true })).filter((entry) => entry.isDirectory())) {
    const folder = Path.join(runs, name)
    const found = RunFolder.readState(folder)
    // If a process died while it wrote the next state, the state before is the last one.
    if (found !== undefined && "state" in found) {
      states.set(name, found.state)
      if (existsSync(RunFolder.nextOf(folder))) await Fs.rm(RunFolder.nextOf(folder), { force: true })
    } else if (found === undefined && !(await hasAnswers(folder))) await Fs.rm(folder, { recursive: true, force: true })
    else {
      const reason = found === undefined ? "run.json is gone" : found.damaged
      moved.push({ runId: name, folder: await setAside(pipelineFolder, folder), reason })
    }
  }
  return { setAside: moved, states }
}

const hasAnswers = async (folder: string): Promise<boolean> => {
  const sizes = [RunFolder.answersOf(folder), RunFolder.blocksOf(folder)].map(async (path) => {
    const { size } = await Fs.stat(path).catch(() => ({ size: 0 }))
    return size
  })
  return (await Promise.all(sizes)).some((size) => size > 0)
}

/** Moves a run away, under an unused name. */
const setAside = async (pipelineFolder: string, folder: string): Promise<string> => {
  const damaged = Path.join(pipelineFolder, "damaged")
  await Fs.mkdir(damaged, { recursive: true })
  const taken = new Set(await Fs.readdir(damaged))
  const name = Path.basename(folder)
  let free = name
  for (let n = 2; taken.has(free); n += 1) free = `${name}-${n}`
  await Fs.rename(folder, Path.join(damaged, free))
  return Path.join(damaged, free)
}
