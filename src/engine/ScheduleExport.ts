/** The export of a schedule to another scheduler. */
import type { Task } from "./ScheduleTask.ts"

/** A file to write. */
interface File {
  readonly name: string
  readonly text: string
}

export interface Exported {
  readonly files: ReadonlyArray<File>
  /** What the other scheduler cannot do, although the pipeline file says it. */
  readonly losses: ReadonlyArray<string>
}

export interface Options {
  /** The tasks, with expressions that other schedulers understand (`plainTasks`). */
  readonly tasks: ReadonlyArray<Task>
  /** The moment of the export. */
  readonly now: number
  /** The path of the `millrace` to run. */
  readonly command: string
  /** The arguments of `schedule run` before the file. */
  readonly args: ReadonlyArray<string>
  /** The image of containers. */
  readonly image: string
}

/** A text as one word for a shell. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
