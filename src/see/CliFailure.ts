/**
 * The failure of a command: its message and its exit code.
 *
 * Exit codes: 1: the run failed; 2: the file or the arguments are wrong; 3: a check held the commit. Those of a signal (130) and of
 * wrong arguments are in `src/app/commandLine.ts`.
 */
import * as Schema from "effect/Schema"
import { systemCode, systemReason } from "#base/systemReason"

export const runFailed = 1
export const wrongInput = 2
export const commitHeld = 3

export class CliFailure extends Schema.TaggedError<CliFailure>()("CliFailure", {
  message: Schema.String,
  exitCode: Schema.Int
}) {}

export const wrong = (message: string) => new CliFailure({ message, exitCode: wrongInput })
export const failed = (message: string) => new CliFailure({ message, exitCode: runFailed })
export const heldCommit = (message: string) => new CliFailure({ message, exitCode: commitHeld })

/** A file that cannot be written: the reason, and what to do. */
export const notWritten = (path: string, cause: unknown): CliFailure =>
  failed(`${path} cannot be written: ${reasonOf(cause, writing)}`)

/** A port that cannot be used: the reason, and what to do. */
export const notListening = (host: string, port: number, cause: unknown): CliFailure =>
  failed(`cannot listen on ${host}:${port}: ${reasonOf(cause, listening)}`)

const writing: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder; name a file in it",
  ENOENT: "its folder does not exist; make the folder, or name another file",
  EEXIST: "a part of its path is a file, not a folder; name another path",
  ENOTDIR: "a part of its path is a file, not a folder; name another path",
  EACCES: "you have no permission to write there; name another path",
  EPERM: "you have no permission to write there; name another path",
  EROFS: "its disk is read-only; name another path",
  ENOSPC: "the disk is full; make room, or name a path on another disk",
  EDQUOT: "your disk quota is used up; make room, or name a path on another disk"
}

const listening: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program already listens on this port; stop it, or choose another port",
  EACCES: "you have no permission to use this port; choose one from 1024 on",
  EADDRNOTAVAIL: "this machine has no such address; choose another host"
}

const reasonOf = (cause: unknown, words: Readonly<Record<string, string>>): string =>
  words[systemCode(cause) ?? ""] ?? systemReason(cause)
