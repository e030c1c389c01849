/**
 * The environment of the command line: that of the process; then, for what it does not set, the `.env` file of the working
 * folder; then the files that variables MILLRACE_NAME_FILE name, whose text is MILLRACE_NAME, as Docker and Kubernetes mount
 * keys. Secrets of pipeline files (MILLRACE_SECRET_NAME_FILE) are read when one is asked for (`secrets.ts`).
 */
import { readFileSync } from "node:fs"
import { parseEnv } from "node:util"
import * as Effect from "effect/Effect"
import { wrong } from "./StartError.ts"

/** Completes the environment. The answer says why it cannot. */
export const completeEnvironment = (env: Record<string, string | undefined> = process.env): string | undefined => {
  const found = fileOfFolder()
  if (typeof found === "string") return found
  for (const [name, value] of Object.entries(found)) {
    if (env[name] === undefined && !steering.test(name)) env[name] = value
  }
  for (const [variable, file = ""] of Object.entries(env)) {
    const name = named.exec(variable)?.[1]
    if (name === undefined || file === "" || env[name] !== undefined) continue
    try {
      env[name] = readFileSync(file, "utf8").replace(/\r?\n$/, "")
    } catch (cause) {
      return `millrace: ${file}, which ${variable} names, cannot be read: ${codeOf(cause)}; name a file that can be read`
    }
  }
  return undefined
}

/** The environment of a program that uses the library: completed in a copy, so that the process keeps its own. */
export const environmentOf = Effect.suspend(() => {
  const env = { ...process.env }
  const fault = completeEnvironment(env)
  return fault === undefined ? Effect.succeed(env) : Effect.fail(wrong(fault.replace(/^millrace: /, "")))
})

/** Its variables, or why it cannot be read. A folder of this name is somebody's Python. */
const fileOfFolder = (): NodeJS.Dict<string> | string => {
  try {
    return parseEnv(readFileSync(".env", "utf8").replace(/^\uFEFF/, ""))
  } catch (cause) {
    const code = codeOf(cause)
    return code === "ENOENT" || code === "EISDIR"
      ? {}
      : `millrace: .env cannot be read: ${code}; make it readable, or start the command in another folder`
  }
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)

const named = /^(MILLRACE_(?!SECRETS?_).+)_FILE$/

/** What the folder of somebody else must not do: steer Node, or what is loaded into processes. */
const steering = /^(?:NODE_|LD_|DYLD_)/
