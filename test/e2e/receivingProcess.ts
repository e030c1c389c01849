/** `millrace receive` in a process of its own, and what it says as it says it. */
import * as Effect from "effect/Effect"
import { start } from "../app/millrace.ts"

export const secret = "whsec-1"

/** Receives for a pipeline file of the folder; killed with the scope or before. */
export const receivingProcess = Effect.fnUntraced(function* (
  folder: string,
  file: string,
  ...args: ReadonlyArray<string>
) {
  const { ended, process } = yield* Effect.acquireRelease(
    Effect.sync(() => start(folder, "receive", file, `--secret=${secret}`, ...args)),
    ({ process }) => Effect.sync(() => void process.kill("SIGKILL"))
  )
  let said = ""
  let look = () => {}
  process.stdout?.on("data", (chunk) => {
    said += chunk
    look()
  })
  const until = (isSo: (text: string) => boolean) =>
    Effect.promise(
      () =>
        new Promise<string>((done, fail) => {
          look = () => (isSo(said) ? done(said) : undefined)
          look()
          void ended.then(({ code, stderr }) => fail(new Error(`the receiver ended with ${code}: ${stderr}`)))
        })
    )
  const first = yield* until((text) => text.includes("\n"))
  const end = (signal: "SIGKILL" | "SIGTERM") =>
    Effect.promise(() => {
      process.kill(signal)
      return ended
    })
  return { url: /http:\S+/.exec(first)?.[0] ?? "", until, end }
})

/** The rows of all runs that a receiver has told of. */
export const rowsTold = (said: string): number =>
  [...said.matchAll(/: done in .*, ([\d,]+) rows$/gm)].reduce(
    (sum, [, rows = "0"]) => sum + Number(rows.replaceAll(",", "")),
    0
  )
