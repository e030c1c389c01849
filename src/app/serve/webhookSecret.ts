/**
 * The secret that a service signs its webhooks with, where it is given none: made once, and kept beside its database.
 *
 * It is in a file that only its owner reads, and never in what is printed.
 */
import { randomBytes } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { failed } from "#see/CliFailure"

export const webhookSecret = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.tryPromise({
    try: () => readOrMake(path),
    catch: (cause) => failed(`cannot keep the webhook secret in ${path}: ${String(cause)}`)
  })
  if (text === "") {
    return yield* failed(`the webhook secret in ${path} is empty; delete the file for a new one, or write one to it`)
  }
  return Redacted.make(text)
})

/** Never writes over a secret that is there: what was signed with it could not be verified any more. */
const readOrMake = async (path: string): Promise<string> => {
  const made = randomBytes(32).toString("hex")
  const isMade = await writeFile(path, `${made}\n`, { flag: "wx", mode: 0o600 }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") return false
      throw error
    }
  )
  return isMade ? made : (await readFile(path, "utf8")).trim()
}
