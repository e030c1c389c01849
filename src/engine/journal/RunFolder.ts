/**
 * The folder of one run. `run.json` has its progress, `answers.ndjson.zst` the answers of its source, and `blocks.zst`
 * the blocks that they name. `reading.zst` has what a source that reads in this process needs to continue, and
 * `known.zst` what the source may use in the next run.
 *
 * `run.json` is replaced in one rename, so it is always complete; a folder without it is not a run. If it cannot be
 * read, or is not as its digest says, another program or the disk changed it.
 */

import { lstatSync, readdirSync, readFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Schema from "effect/Schema"
import * as DigestedJson from "#base/DigestedJson"
import * as Durable from "#base/Durable"
import * as Journal from "../Journal.ts"

export const answersOf = (folder: string): string => Path.join(folder, "answers.ndjson.zst")
export const blocksOf = (folder: string): string => Path.join(folder, "blocks.zst")
export const knownOf = (folder: string): string => Path.join(folder, "known.zst")
export const progressOf = (folder: string): string => Path.join(folder, "reading.zst")

/** Whether a file belongs to the stage of a run (`src/engine/Stages.ts`). */
export const isStage = (name: string): boolean => name.startsWith("stage.")

/** The file of the next state, until it replaces the last one. */
export const nextOf = (folder: string): string => Path.join(folder, "run.json.next")

export const writeState = async (folder: string, state: Journal.RunState): Promise<void> => {
  await Fs.writeFile(nextOf(folder), DigestedJson.encode(state, 1), { flush: true })
  await Durable.rename(nextOf(folder), Path.join(folder, "run.json"))
}

/** The state of a run, or why it cannot be read. */
export type StateReading = { readonly state: Journal.RunState } | { readonly damaged: string }

/**
 * Undefined: no run was begun here, or a process died while it began one. This reads synchronously: there may be
 * thousands of runs, and a call through another thread takes ten times as long as the read.
 */
export const readState = (folder: string): StateReading | undefined => {
  try {
    return stateOf(readFileSync(Path.join(folder, "run.json"), "utf8"))
  } catch (cause) {
    // A file, or a folder that has been removed meanwhile, is not a run.
    if (isCode(cause, "ENOENT") || isCode(cause, "ENOTDIR")) return undefined
    throw cause
  }
}

/** The state of a run, from the text of its file. */
export const stateOf = (text: string): StateReading => {
  if (DigestedJson.isDamaged(text)) return { damaged: "run.json is not as it was written" }
  const state = decode(text)
  return state._tag === "Success"
    ? { state: state.success }
    : { damaged: `run.json was not written by this version of millrace: ${state.failure.message.replace(/\s+/g, " ")}` }
}

/**
 * The size on the disk of a file, or of a folder with its contents. What is removed meanwhile counts as 0. `isLeft`:
 * names in the folder that do not count.
 */
export const bytesOf = (path: string, isLeft?: (name: string) => boolean): number => {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there === undefined) return 0
  // Some file systems do not report how many blocks of 512 bytes a file has.
  const own = Number.isFinite(there.blocks) ? there.blocks * 512 : there.size
  if (!there.isDirectory()) return own
  const entries = namesIn(path).filter((name) => isLeft === undefined || !isLeft(name))
  return entries.reduce((sum, name) => sum + bytesOf(Path.join(path, name)), own)
}

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch (cause) {
    if (isCode(cause, "ENOENT")) return []
    throw cause
  }
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Journal.RunState))
