/**
 * The folder of one run: `run.json` says how far it came, `answers.ndjson.zst` what its source said.
 *
 * The law: `run.json` is replaced in one rename, so that it is always whole; a folder without it is no run.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Schema from "effect/Schema"
import * as Journal from "../pipeline/Journal.ts"

export const answersOf = (folder: string): string => Path.join(folder, "answers.ndjson.zst")

export const writeState = async (folder: string, state: Journal.RunState): Promise<void> => {
  const next = Path.join(folder, "run.json.next")
  await Fs.writeFile(next, `${JSON.stringify(state, undefined, 1)}\n`, { flush: true })
  await Fs.rename(next, Path.join(folder, "run.json"))
  const handle = await Fs.open(folder, "r")
  await handle.sync().finally(() => handle.close())
}

/** None: no run was begun here, as when a process died in the middle of it. */
export const readState = async (folder: string): Promise<Journal.RunState | undefined> => {
  const path = Path.join(folder, "run.json")
  const text = await Fs.readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined
    throw cause
  })
  if (text === undefined) return undefined
  const state = decode(text)
  if (state._tag === "Success") return state.success
  throw new Error(`${path} is no run of this version of millrace: ${state.failure.message}`)
}

/** What all files of a folder take on the disk. */
export const bytesOf = async (folder: string): Promise<number> => {
  let bytes = 0
  for (const entry of await Fs.readdir(folder, { withFileTypes: true })) {
    const path = Path.join(folder, entry.name)
    bytes += entry.isDirectory() ? await bytesOf(path) : (await Fs.stat(path)).size
  }
  return bytes
}

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Journal.RunState))
