/** Writes the output of a command to a file. Every failure, at any time, is reported with the path of the file. */
import { createWriteStream } from "node:fs"
import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import * as Effect from "effect/Effect"
import { type CliFailure, notWritten } from "./CliFailure.ts"

export const writingFile = <E, R>(
  path: string,
  write: (file: Writable) => Effect.Effect<void, E, R>
): Effect.Effect<void, E | CliFailure, R> =>
  Effect.suspend(() => {
    const file = createWriteStream(path)
    const broken = (cause: unknown) => notWritten(path, cause)
    // A full disk may be reported between two writes, when no write is in progress.
    const breaking = new Promise<never>((_, reject) => file.once("error", reject))
    breaking.catch(() => {})
    const ended = Effect.tryPromise({
      try: () => {
        file.end()
        return finished(file)
      },
      catch: broken
    })
    return Effect.raceFirst(
      Effect.andThen(write(file), ended),
      Effect.tryPromise({ try: () => breaking, catch: broken })
    ).pipe(Effect.ensuring(Effect.sync(() => void file.destroy())))
  })
