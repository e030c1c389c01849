/**
 * A run's files in the store of a shared journal. Each growth of a file is an object, named by its position in the
 * file; `run.json` is one object.
 *
 * Guarantee: if a process dies while it copies, the copy is an earlier state of the run. Therefore files are measured in
 * the order in which they refer to each other (answers name pages, records name blocks), and copied in the opposite
 * order.
 */

import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Durable from "#base/Durable"
import { makePrivateFolder } from "#base/privateFolder"
import type * as Journal from "../../Journal.ts"
import { attempt } from "../attempt.ts"
import * as RunFolder from "../RunFolder.ts"
import type { SharedStore } from "./SharedStore.ts"

/** Each of these files refers to those after it. */
const grown = [RunFolder.answersOf, RunFolder.progressOf, RunFolder.knownOf, RunFolder.blocksOf].map((of) =>
  Path.basename(of(""))
)
const state = "run.json"
/** The maximum size of an object. */
const partBytes = 16 * 1024 * 1024

/** What the store has of a run: the parts of each file, in order. */
export type Parts = ReadonlyMap<string, ReadonlyArray<Part>>
interface Part {
  readonly path: string
  readonly from: number
  readonly bytes: number
}

/** The runs of the store, the oldest first. */
export const list = (store: SharedStore): Effect.Effect<ReadonlyMap<string, Parts>, Journal.JournalError> =>
  Effect.map(store.list("runs/"), (objects) => {
    const runs = new Map<string, Map<string, Array<Part>>>()
    for (const { bytes, path } of objects) {
      const [, run = "", file = "", from = "0"] = path.split("/")
      const files = runs.get(run) ?? new Map<string, Array<Part>>()
      runs.set(run, files)
      files.set(file, [...(files.get(file) ?? []), { path, from: Number(from), bytes }])
    }
    return runs
  })

interface RunCopy {
  /** Copies what has changed since the last call. */
  readonly push: Effect.Effect<void, Journal.JournalError>
  /**
   * Copies the files that are not the journal's own and that nobody has open: the rows of a run that is held. Removes
   * from the store those that are gone.
   */
  readonly pushOthers: Effect.Effect<void, Journal.JournalError>
}

/** `parts`: what the store already has of the run. */
export const begin = (store: SharedStore, folder: string, parts: Parts): RunCopy => {
  const run = Path.basename(folder)
  const copied = new Map(Array.from(parts, ([file, some]): [string, Array<Part>] => [file, [...some]]))
  const partsOf = (file: string): Array<Part> => {
    const some = copied.get(file) ?? []
    copied.set(file, some)
    return some
  }
  let last = ""

  const read = (file: string, from: number, to: number) =>
    attempt(`cannot read ${file} of run ${run}`, () => readRange(Path.join(folder, file), from, to))

  const pushFile = Effect.fnUntraced(function* (file: string, bytes: number) {
    const own = partsOf(file)
    // A file became shorter or is gone: what the store has of its end is replaced before it grows again.
    const first = own.findIndex((part) => part.from + part.bytes > bytes)
    const beyond = first < 0 ? [] : own.splice(first)
    const cut = beyond[0]
    if (cut !== undefined && cut.from < bytes) {
      const part = yield* read(file, cut.from, bytes)
      yield* store.put(cut.path, part)
      own.push({ ...cut, bytes: part.length })
      beyond.shift()
    }
    yield* store.remove(beyond.map(({ path }) => path))
    for (let from = endOf(own); from < bytes; from = endOf(own)) {
      const part = yield* read(file, from, Math.min(bytes, from + partBytes))
      // It was cut off since it was measured: the next call sees that.
      if (part.length === 0) return
      const path = `runs/${run}/${file}/${String(from).padStart(15, "0")}`
      yield* store.put(path, part)
      own.push({ path, from, bytes: part.length })
    }
  })

  return {
    push: Effect.gen(function* () {
      const text = yield* attempt(`cannot read the state of run ${run}`, () =>
        Fs.readFile(Path.join(folder, state), "utf8")
      )
      const sizes: Array<readonly [file: string, bytes: number]> = []
      for (const file of grown) sizes.push([file, yield* Effect.promise(() => sizeOf(Path.join(folder, file)))])
      for (const [file, bytes] of sizes.toReversed()) yield* pushFile(file, bytes)
      // The state is copied last, so everything that it refers to is there.
      if (text === last) return
      yield* store.put(`runs/${run}/${state}`, Buffer.from(text))
      last = text
    }),
    pushOthers: Effect.gen(function* () {
      const here = yield* attempt(`cannot look into ${folder}`, () => othersIn(folder))
      for (const [file, bytes] of here) {
        yield* store.remove(
          partsOf(file)
            .splice(0)
            .map(({ path }) => path)
        )
        yield* pushFile(file, bytes)
      }
      for (const file of copied.keys()) if (isOther(file) && !here.has(file)) yield* pushFile(file, 0)
    })
  }
}

const isOther = (file: string): boolean => file !== state && !grown.includes(file)

/** The run's files that are not the journal's own, with their sizes. */
const othersIn = async (folder: string): Promise<ReadonlyMap<string, number>> => {
  const entries = await Fs.readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && isOther(entry.name)).map(({ name }) => name)
  const sized = names
    .filter((name) => !name.endsWith(".next"))
    .map(async (name) => [name, await sizeOf(Path.join(folder, name))] as const)
  return new Map(await Promise.all(sized))
}

/**
 * Replaces the run on this machine by the run in the store. The state comes last: without it, the folder is not a run.
 */
export const pull = Effect.fnUntraced(function* (store: SharedStore, folder: string, parts: Parts) {
  yield* attempt(`cannot make ${folder}`, () => makePrivateFolder(folder))
  for (const file of new Set([...grown, ...[...parts.keys()].filter(isOther)])) {
    const path = Path.join(folder, file)
    yield* attempt(`cannot remove ${path}`, () => Fs.rm(path, { force: true }))
    let end = 0
    for (const part of parts.get(file) ?? []) {
      // A part written by a machine that had lost the journal does not continue the file.
      if (part.from !== end) break
      const bytes = yield* store.get(part.path)
      if (bytes === undefined) break
      yield* attempt(`cannot write ${path}`, () => Fs.appendFile(path, bytes, { flush: true }))
      end += bytes.length
    }
  }
  yield* pullState(store, folder)
})

/** Fetches only the state of a run, which is enough to list it. */
export const pullState = Effect.fnUntraced(function* (store: SharedStore, folder: string) {
  const bytes = yield* store.get(`runs/${Path.basename(folder)}/${state}`)
  if (bytes === undefined) return
  yield* attempt(`cannot write the state in ${folder}`, async () => {
    await makePrivateFolder(folder)
    await Fs.writeFile(RunFolder.nextOf(folder), bytes, { flush: true })
    await Durable.rename(RunFolder.nextOf(folder), Path.join(folder, state))
  })
})

/** Whether this machine has as much of each file as the store, except the state. */
export const isHere = (folder: string, parts: Parts): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    for (const [file, some] of parts) {
      if (file === state) continue
      if ((await sizeOf(Path.join(folder, file))) < endOf(some)) return false
    }
    return true
  })

/** The bytes that the store has of a run. */
export const bytesOf = (parts: Parts): number => [...parts.values()].flat().reduce((sum, { bytes }) => sum + bytes, 0)

export const remove = (store: SharedStore, parts: Parts): Effect.Effect<void, Journal.JournalError> =>
  store.remove([...parts.values()].flatMap((some) => some.map(({ path }) => path)))

const endOf = (parts: ReadonlyArray<Part>): number => {
  const last = parts.at(-1)
  return last === undefined ? 0 : last.from + last.bytes
}

const sizeOf = (path: string): Promise<number> =>
  Fs.stat(path).then(
    ({ size }) => size,
    () => 0
  )

const readRange = async (path: string, from: number, to: number): Promise<Uint8Array> => {
  const file = await Fs.open(path, "r")
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
