/** What another scheduler is to run, and what it gets for it. */
import type { Task } from "../Task.ts"

/** A file to be written. */
export interface File {
  readonly name: string
  readonly text: string
}

export interface Exported {
  readonly files: ReadonlyArray<File>
  /** What the other scheduler cannot do as the pipeline file says. */
  readonly losses: ReadonlyArray<string>
}

export interface Options {
  /** In plain words, as `plainTasks` makes them. */
  readonly tasks: ReadonlyArray<Task>
  /** The moment of the export. */
  readonly now: number
  /** The `millrace` to run, by its path. */
  readonly command: string
  /** What `schedule run` gets beside the file. */
  readonly args: ReadonlyArray<string>
  /** Of containers. */
  readonly image: string
}

/** For a shell, as one word. */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
