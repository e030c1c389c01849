/**
 * Removes or repairs what an earlier process left in the folder of a pipeline when it was killed or its disk failed.
 *
 * Guarantee: only the process that has the journal tidies it. Answers are never removed: a run whose state is missing or cannot
 * be read, or that would be continued from a damaged file, is moved with its answers into `damaged/`, and reported.
 */

import { existsSync } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Durable from "#base/Durable"
import { makePrivateFolder } from "#base/privateFolder"
import * as Segment from "#base/Segment"
import * as Journal from "../Journal.ts"
import * as AnswerFile from "./AnswerFile.ts"
import * as RunFolder from "./RunFolder.ts"

interface Tidied {
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
    const stateReading = RunFolder.readState(folder)
    if (stateReading === undefined && !(await hasAnswers(folder))) {
      await Fs.rm(folder, { recursive: true, force: true })
      continue
    }
    const reason = await damageOf(folder, stateReading)
    if (reason !== undefined) moved.push({ runId: name, folder: await setAside(pipelineFolder, folder), reason })
    else if (stateReading !== undefined && "state" in stateReading) {
      states.set(name, stateReading.state)
      // If a process died while it wrote the next state, the state before is the last one.
      if (existsSync(RunFolder.nextOf(folder))) await Fs.rm(RunFolder.nextOf(folder), { force: true })
    }
  }
  return { setAside: moved, states }
}

/**
 * Looks at every file of every run, and at those of runs that are over too. Changes nothing: `setAside` moves one away.
 */
export const inspectAll = async (pipelineFolder: string): Promise<ReadonlyArray<Omit<Journal.SetAside, "folder">>> => {
  const runs = Path.join(pipelineFolder, "runs")
  if (!existsSync(runs)) return []
  const damagedRuns: Array<Omit<Journal.SetAside, "folder">> = []
  for (const { name } of (await Fs.readdir(runs, { withFileTypes: true })).filter((entry) => entry.isDirectory())) {
    const folder = Path.join(runs, name)
    const state = RunFolder.readState(folder)
    if (state === undefined && !(await hasAnswers(folder))) continue
    const reason = (await damageOf(folder, state)) ?? (await damageOfOver(folder))
    if (reason !== undefined) damagedRuns.push({ runId: name, reason })
  }
  return damagedRuns
}

/** What is wrong with the files that `replay` reads. */
const damageOfOver = async (folder: string): Promise<string | undefined> => {
  const files = [RunFolder.answersOf(folder), RunFolder.blocksOf(folder), RunFolder.knownOf(folder)]
  const inspected = await Promise.all(files.map((path) => Segment.inspect(path)))
  return inspected.find(({ damage }) => damage !== undefined)?.damage
}

/** Why a run cannot be listed or continued; undefined: it can. The files of a run that is over are read by `replay` alone. */
const damageOf = async (
  folder: string,
  stateReading: RunFolder.StateReading | undefined
): Promise<string | undefined> => {
  if (stateReading === undefined) return "run.json is gone"
  if ("damaged" in stateReading) return stateReading.damaged
  if (stateReading.state.run_id !== Path.basename(folder))
    return `run.json is that of another run, ${stateReading.state.run_id}`
  const { answers, status } = stateReading.state
  if (Journal.isOver(status)) return undefined
  const files = [RunFolder.answersOf, RunFolder.blocksOf, RunFolder.progressOf, RunFolder.knownOf]
  const [answered, blocks, ...others] = await Promise.all(files.map((fileOf) => Segment.inspect(fileOf(folder))))
  const damage = [answered, blocks, ...others].find((file) => file?.damage !== undefined)?.damage
  if (damage !== undefined) return damage
  if (answers !== undefined && answers !== answered?.blocks) {
    return `${RunFolder.answersOf(folder)} has ${answered?.blocks ?? 0} of ${answers} answers`
  }
  const named = await blocksNamed(RunFolder.answersOf(folder))
  return named > (blocks?.blocks ?? 0)
    ? `${RunFolder.blocksOf(folder)} has ${blocks?.blocks ?? 0} of the ${named} blocks that answers name`
    : undefined
}

/** How many blocks the answers of a run need. */
const blocksNamed = async (path: string): Promise<number> => {
  if (!existsSync(path)) return 0
  const file = await AnswerFile.open(path)
  try {
    let named = 0
    for (let at = 0; ; ) {
      const storedAnswer = await file.read(at)
      if (storedAnswer === undefined) return named
      for (const number of storedAnswer.answer.blocks ?? []) named = Math.max(named, number + 1)
      at = storedAnswer.next
    }
  } finally {
    await file.close()
  }
}

const hasAnswers = async (folder: string): Promise<boolean> => {
  const sizes = [RunFolder.answersOf(folder), RunFolder.blocksOf(folder)].map(async (path) => {
    const { size } = await Fs.stat(path).catch(() => ({ size: 0 }))
    return size
  })
  return (await Promise.all(sizes)).some((size) => size > 0)
}

/** Moves a run away, under an unused name. */
export const setAside = async (pipelineFolder: string, folder: string): Promise<string> => {
  const damaged = Path.join(pipelineFolder, "damaged")
  await makePrivateFolder(damaged)
  const taken = new Set(await Fs.readdir(damaged))
  const name = Path.basename(folder)
  let free = name
  for (let n = 2; taken.has(free); n += 1) free = `${name}-${n}`
  await Durable.rename(folder, Path.join(damaged, free))
  return Path.join(damaged, free)
}
