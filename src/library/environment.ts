/**
 * The environment of the command line: the variables of the process; then, for variables that it does not set, those of the
 * `.env` file of the working folder; then MILLRACE_NAME from the file that MILLRACE_NAME_FILE names, as Docker and Kubernetes
 * mount keys. Secrets of pipeline files (MILLRACE_SECRET_NAME_FILE) are read only when they are needed (`secrets.ts`).
 */
import { readFileSync } from "node:fs"
import { parseEnv } from "node:util"
import * as Effect from "effect/Effect"
import { wrong } from "./StartError.ts"

/** Completes the environment. Returns the reason if it cannot; undefined: it is complete. */
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

/** The environment of a program that uses the library. A copy is completed, so the environment of the process stays as it is. */
export const environmentOf = Effect.suspend(() => {
  const env = { ...process.env }
  const fault = completeEnvironment(env)
  return fault === undefined ? Effect.succeed(env) : Effect.fail(wrong(fault.replace(/^millrace: /, "")))
})

/** The variables of the `.env` file, or why it cannot be read. A folder named `.env` belongs to Python, so it is ignored. */
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

/** Variables that a `.env` file must not set: they control Node, or which libraries processes load. */
const steering = /^(?:NODE_|LD_|DYLD_)/
