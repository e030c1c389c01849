/**
 * The pipeline files of a folder that have a schedule, and how they change.
 *
 * If a file becomes invalid, its last valid version stays scheduled, even after a restart, and the problem is reported once.
 * A file counts as removed when two reads of the folder in a row did not find it, because editors move files away for a
 * moment.
 */
import { readdir, readFile, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import type { StoredTask } from "#engine/ScheduleStore"
import type { Task } from "#engine/ScheduleTask"
import { wrong } from "#see/CliFailure"
import { loadText } from "#see/loadPipeline"

interface Look {
  readonly tasks: ReadonlyArray<Task>
  /** What has changed since the last look. */
  readonly news: ReadonlyArray<FolderNews>
  /** The current problems, by the path of the file. */
  readonly problems: ReadonlyMap<string, string>
}

export interface FolderNews {
  readonly _tag: "Added" | "Changed" | "Removed" | "Broken"
  readonly path: string
  /** The pipeline, if its name is known. */
  readonly task: string | undefined
  readonly message: string | undefined
}

interface FileState {
  /** Changes with every version of the file. */
  readonly stamp: string
  readonly task: Task | undefined
  readonly problem: string | undefined
}

/** The values of `${vars.NAME}`. */
type Variables = Readonly<Record<string, string>>

/** Each run of the effect looks at the folder once. `past`: the tasks of the previous scheduler. */
export const scheduleFolder = (folder: string, vars: Variables, past: ReadonlyArray<StoredTask>) => {
  const states = new Map<string, FileState>()
  const missing = new Set<string>()
  /** Files that are not scheduled because another file has the same pipeline name, with the message about them. */
  const doubles = new Map<string, string>()
  const before = new Map(past.map((one) => [one.path, one]))

  const version = Effect.fnUntraced(function* (path: string, stamp: string) {
    const old = states.get(path)
    const text = yield* Effect.promise(() => readFile(path, "utf8").catch(() => undefined))
    if (text === undefined) return { stamp: "", task: old?.task, problem: `${path}: it cannot be read` }
    const last = before.get(path)
    const isKnown = old?.task !== undefined || last !== undefined
    // A YAML file without a source or without sinks belongs to another program.
    if (!isKnown && !(/^source:/m.test(text) && /^sinks:/m.test(text))) {
      return { stamp, task: undefined, problem: undefined }
    }
    const made = yield* Effect.result(taskOf(path, text, vars))
    if (made._tag === "Success") return { stamp, task: made.success, problem: undefined }
    const good = old?.task ?? (last === undefined ? undefined : yield* lastGood(last, vars))
    return { stamp, task: good, problem: made.failure.message }
  })

  return Effect.gen(function* () {
    const stamps = yield* stampsOf(folder)
    const news: Array<FolderNews> = []
    for (const [path, stamp] of stamps) {
      missing.delete(path)
      const old = states.get(path)
      if (old?.stamp === stamp) continue
      const found = yield* version(path, stamp)
      states.set(path, found)
      const task = found.task?.name ?? old?.task?.name
      if (found.problem !== undefined) {
        if (found.problem !== old?.problem) news.push({ _tag: "Broken", path, task, message: found.problem })
      } else if (found.task === undefined) {
        if (old?.task !== undefined) news.push({ _tag: "Removed", path, task, message: undefined })
      } else {
        const isNew = (old?.task === undefined && !before.has(path)) || doubles.has(path)
        if (isNew) news.push({ _tag: "Added", path, task, message: undefined })
        else if ((old?.task?.text ?? before.get(path)?.text) !== found.task.text || old?.problem !== undefined) {
          news.push({ _tag: "Changed", path, task, message: undefined })
        }
      }
    }
    for (const [path, { task }] of states) {
      if (stamps.has(path)) continue
      if (!missing.has(path)) {
        missing.add(path)
        continue
      }
      missing.delete(path)
      states.delete(path)
      before.delete(path)
      if (task !== undefined) news.push({ _tag: "Removed", path, task: task.name, message: undefined })
    }
    const tasks = new Map<string, Task>()
    for (const path of [...states.keys()].sort()) {
      const task = states.get(path)?.task
      const first = task === undefined ? undefined : tasks.get(task.name)
      if (first === undefined) {
        if (task !== undefined) tasks.set(task.name, task)
        const isFreed = doubles.delete(path) && task !== undefined && !news.some((one) => one.path === path)
        if (isFreed) news.push({ _tag: "Added", path, task: task.name, message: undefined })
        continue
      }
      const message = `${path}: ${first.path} already has a pipeline named ${first.name}: rename one of them`
      const place = news.findIndex((one) => one.path === path && one._tag !== "Broken")
      if (place >= 0) news.splice(place, 1)
      if (doubles.get(path) !== message) news.push({ _tag: "Broken", path, task: undefined, message })
      doubles.set(path, message)
    }
    for (const path of doubles.keys()) if (!states.has(path)) doubles.delete(path)
    const broken = Array.from(states, ([path, { problem }]) => [path, problem ?? doubles.get(path)] as const)
    const problems = new Map(broken.flatMap(([path, problem]) => (problem === undefined ? [] : [[path, problem]])))
    const look: Look = { tasks: [...tasks.values()], news, problems }
    return look
  })
}

/** The task of a file; undefined: it has no schedule. */
const taskOf = Effect.fnUntraced(function* (path: string, text: string, vars: Variables) {
  const { file } = yield* loadText(path, text, vars, "none")
  if (file.schedule === undefined) return undefined
  const { cron: _, ...timing } = file.schedule
  const task: Task = { name: file.name, path: resolve(path), text, timing, notify: file.notify }
  return task
})

/** The last valid version in the ledger. It may have become invalid too, if a secret is missing or Millrace is newer. */
const lastGood = (last: StoredTask, vars: Variables) =>
  Effect.orElseSucceed(taskOf(last.path, last.text, vars), () => undefined)

/** The message for a path that should be a folder. */
export const notAFolder = "it is a file; name the folder that has it"

const whyUnread = (cause: unknown): string => {
  if (!(cause instanceof Error)) return `it cannot be read: ${String(cause)}`
  return "code" in cause && cause.code === "ENOTDIR" ? notAFolder : `it cannot be read: ${cause.message}`
}

const stampsOf = Effect.fnUntraced(function* (folder: string) {
  const names = yield* Effect.tryPromise({
    try: () => readdir(folder),
    catch: (cause) => wrong(`${folder}: ${whyUnread(cause)}`)
  })
  const paths = names
    .filter((name) => /\.ya?ml$/i.test(name))
    .sort()
    .map((name) => resolve(join(folder, name)))
  const stamps = new Map<string, string>()
  for (const path of paths) {
    const info = yield* Effect.promise(() => stat(path).catch(() => undefined))
    if (info?.isFile() === true) stamps.set(path, `${info.ino} ${info.size} ${info.mtimeMs}`)
  }
  return stamps
})
