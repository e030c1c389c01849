/** A file that a command writes its answer into. Whatever goes wrong with it, at whatever moment, is reported with its path. */
import { createWriteStream } from "node:fs"
import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import * as Effect from "effect/Effect"
import type { CliFailure } from "./CliFailure.ts"
import { notWritten } from "./systemFailure.ts"

export const writingFile = <E, R>(
  path: string,
  write: (file: Writable) => Effect.Effect<void, E, R>
): Effect.Effect<void, E | CliFailure, R> =>
  Effect.suspend(() => {
    const file = createWriteStream(path)
    const broken = (cause: unknown) => notWritten(path, cause)
    // A full disk is reported between two writes, when nothing waits for a write.
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
