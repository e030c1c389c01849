/** The access log of `millrace serve`: one line of JSON for each request, in a file or on stdout. */
import { createWriteStream } from "node:fs"
import * as Effect from "effect/Effect"
import { failed } from "#see/CliFailure"
import type * as Server from "#service/Server"

/** `path`: "-" for stdout; undefined: there is no log. A file is only added to, so that it may be rotated by copy and truncate. */
export const accessLogOf = Effect.fnUntraced(function* (path: string | undefined) {
  if (path === undefined || path === "") return {}
  if (path === "-") return logTo((line) => void process.stdout.write(line))
  const file = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        new Promise<ReturnType<typeof createWriteStream>>((resolve, reject) => {
          const stream = createWriteStream(path, { flags: "a", mode: 0o600 })
          stream.once("open", () => resolve(stream))
          stream.once("error", reject)
        }),
      catch: (cause) => failed(`cannot write the access log: ${cause instanceof Error ? cause.message : String(cause)}`)
    }),
    (stream) => Effect.callback<void>((resume) => void stream.end(() => resume(Effect.void)))
  )
  // A disk that is full costs lines of the log, and no request.
  file.on("error", () => {})
  return logTo((line) => void file.write(line))
})

const logTo = (write: (line: string) => void): Pick<Server.Address, "accessLog"> => ({
  accessLog: (entry) => write(`${JSON.stringify(entry)}\n`)
})
