/** Makes the folder that a command keeps its data in, with the folders around it. */
import { mkdir } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { failed } from "#see/CliFailure"

export const makeFolder = (folder: string) =>
  Effect.tryPromise({
    try: () => mkdir(folder, { recursive: true }),
    catch: (cause) => failed(`cannot make the folder ${folder}: ${String(cause)}`)
  })
