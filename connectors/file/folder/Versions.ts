/**
 * The versions of a folder of files. A reader sees one version.
 *
 *     out/pages.csv                 -> _millrace/current/pages.csv
 *     out/_millrace.json            -> _millrace/current/_millrace.json
 *     out/_millrace/current         -> versions/7
 *     out/_millrace/versions/7/     all files after the seventh commit
 *     out/_millrace/versions/6/     the files before it, for readers that have begun
 *     out/_millrace/commits/7.json  the record of its run
 *
 * Guarantee: the link `current` is the commit. When every byte of the new version is on the disk, one rename replaces the link:
 * all tables change at once, or none does. A version or record with a higher number was left by a writer that died, and the
 * next writer removes it.
 */

import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Durable from "#base/Durable"
import { type CommitRecord, decodeRecord, decodeState, type State } from "./State.ts"

export const homeOf = (root: string): string => Path.join(root, home)
export const lockOf = (root: string): string => Path.join(root, home, "lock")
export const stageOf = (root: string): string => Path.join(root, home, "stage")
export const versionOf = (root: string, commit: number): string => Path.join(root, home, "versions", String(commit))

const home = "_millrace"
const stateFile = "_millrace.json"
const current = (root: string) => Path.join(root, home, "current")
const recordOf = (root: string, commit: number) => Path.join(root, home, "commits", `${commit}.json`)

/** The committed state, and the folder with its files; undefined: nothing is committed. */
export const read = async (root: string): Promise<{ readonly state: State; readonly folder: string } | undefined> => {
  const folder = await unlessAbsent(Fs.realpath(current(root)))
  const text = folder && (await unlessAbsent(Fs.readFile(Path.join(folder, stateFile), "utf8")))
  return folder === undefined || text === undefined ? undefined : { state: await decodeState(text), folder }
}

/** The version that a run committed last, if it is one of the last two versions; older versions are removed. */
export const readRun = async (root: string, runId: string): ReturnType<typeof read> => {
  const last = await read(root)
  if (last === undefined || last.state.run_id === runId) return last
  const folder = versionOf(root, last.state.commit - 1)
  const text = await unlessAbsent(Fs.readFile(Path.join(folder, stateFile), "utf8"))
  const state = text === undefined ? undefined : await decodeState(text)
  return state?.run_id === runId ? { state, folder } : undefined
}

/** The records of all commits, the oldest first. */
export const records = async (root: string): Promise<ReadonlyArray<CommitRecord>> => {
  const last = (await read(root))?.state.commit ?? 0
  const all: Array<CommitRecord> = []
  for (let commit = 1; commit <= last; commit++) {
    all.push(await decodeRecord(await Fs.readFile(recordOf(root, commit), "utf8")))
  }
  return all
}

/** Prepares the folder for its next version: removes what a dead writer has left. */
export const prepare = async (root: string, state: State | undefined): Promise<void> => {
  const last = state?.commit ?? 0
  for (const folder of ["versions", "commits"]) await Fs.mkdir(Path.join(root, home, folder), { recursive: true })
  await Fs.rm(stageOf(root), { recursive: true, force: true })
  await Fs.mkdir(stageOf(root))
  await removeVersions(root, (commit) => commit > last || commit < last - 1)
  await Fs.rm(recordOf(root, last + 1), { force: true })
  await link(root, state)
}

/** Why files of these names cannot be published, because something else has the name; undefined: they can. */
export const nameFault = async (root: string, names: ReadonlyArray<string>): Promise<string | undefined> => {
  for (const name of [...names, stateFile]) {
    const path = Path.join(root, name)
    if ((await unlessAbsent(Fs.lstat(path))) !== undefined && !(await isOurs(path))) {
      return `${path} is there and Millrace did not write it; move it, or give the sink another path`
    }
  }
  return undefined
}

/** Publishes the version whose files are in `versionOf(root, state.commit)`. */
export const publish = async (root: string, state: State, record: CommitRecord): Promise<void> => {
  const folder = versionOf(root, state.commit)
  const written = Object.keys(record.bytes).flatMap((table) => state.tables[table]?.file ?? [])
  // Somebody may have put a file there while the run read its source.
  const taken = await nameFault(root, written)
  if (taken !== undefined) throw new Error(taken)
  await write(Path.join(folder, stateFile), `${JSON.stringify(state, null, 2)}\n`)
  for (const { file } of Object.values(state.tables)) await Durable.sync(Path.join(folder, file))
  await write(recordOf(root, state.commit), `${JSON.stringify(record)}\n`)
  await Durable.sync(folder)
  await Durable.sync(Path.dirname(folder))
  await Durable.sync(Path.dirname(recordOf(root, state.commit)))
  // The link to a new table leads nowhere until `current` is replaced. It is not part of the commit.
  await link(root, state)
  await replaceLink(Path.join("versions", String(state.commit)), current(root))
  await Durable.sync(homeOf(root))
}

/** Removes versions and links that are not needed after a commit. If this fails, the next writer removes them. */
export const tidy = async (root: string, state: State): Promise<void> => {
  await removeVersions(root, (commit) => commit < state.commit - 1)
  const files = new Set(Object.values(state.tables).map(({ file }) => file))
  for (const name of await Fs.readdir(root)) {
    if (name !== stateFile && !files.has(name) && (await isOurs(Path.join(root, name))))
      await Fs.rm(Path.join(root, name))
  }
}

/**
 * Makes a link beside `_millrace` for each file of a state. A file that Millrace did not write stays, such as one that a
 * spreadsheet has saved in the place of its link: a run that writes this table is refused (`nameFault`).
 */
const link = async (root: string, state: State | undefined): Promise<void> => {
  if (state === undefined) return
  for (const name of [stateFile, ...Object.values(state.tables).map(({ file }) => file)]) {
    const path = Path.join(root, name)
    const target = Path.join(home, "current", name)
    const isFree = (await unlessAbsent(Fs.lstat(path))) === undefined || (await isOurs(path))
    if (isFree && (await unlessAbsent(Fs.readlink(path))) !== target) await replaceLink(target, path)
  }
  await Durable.sync(root)
}

const replaceLink = async (target: string, path: string): Promise<void> => {
  const next = `${path}.next`
  await Fs.rm(next, { force: true })
  await Fs.symlink(target, next)
  await Fs.rename(next, path)
}

const isOurs = async (path: string): Promise<boolean> => {
  try {
    return (await Fs.readlink(path)).startsWith(Path.join(home, "current", Path.sep))
  } catch {
    return false
  }
}

const removeVersions = async (root: string, goes: (commit: number) => boolean): Promise<void> => {
  for (const name of await Fs.readdir(Path.join(root, home, "versions"))) {
    if (goes(Number(name))) await Fs.rm(versionOf(root, Number(name)), { recursive: true, force: true })
  }
}

const write = (path: string, text: string) => Fs.writeFile(path, text, { flush: true })

const unlessAbsent = async <A>(found: Promise<A>): Promise<A | undefined> => {
  try {
    return await found
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && ["ENOENT", "ENOTDIR", "EINVAL"].includes(String(cause.code))) {
      return undefined
    }
    throw cause
  }
}
