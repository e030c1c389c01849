/**
 * Where the secret of a name is: in the environment variable MILLRACE_SECRET_NAME; in the file that
 * MILLRACE_SECRET_NAME_FILE names, as Docker and Kubernetes mount secrets; or in the file of all secrets that
 * MILLRACE_SECRETS_FILE names, a YAML or JSON mapping of names to texts. The first that is there counts.
 */
import { readFileSync } from "node:fs"
import { parse } from "yaml"
import type { Wrong } from "#engine/Interpolation"

type Environment = Readonly<Record<string, string | undefined>>

/** The secret, or what is wrong. A file is read only when a secret of it is needed. */
export const secretIn = (name: string, env: Environment): string | Wrong => {
  const own = `MILLRACE_SECRET_${name}`
  const value = env[own]
  if (value !== undefined) return value
  const file = env[`${own}_FILE`]
  if (file !== undefined && file !== "") return withoutLineEnd(readText(file, `${own}_FILE`))
  const all = env[allSecrets]
  if (all !== undefined && all !== "") return ofFile(name, all)
  return {
    message: `the secret ${name} is not set`,
    hint: `set the environment variable ${own}, or ${own}_FILE to the file that has it`
  }
}

const allSecrets = "MILLRACE_SECRETS_FILE"

const ofFile = (name: string, file: string): string | Wrong => {
  const text = readText(file, allSecrets)
  if (typeof text !== "string") return text
  const hint = "write a line `NAME: value` for each secret"
  let secrets: unknown
  try {
    secrets = parse(text)
  } catch {
    // The message of the parser may contain a secret, so it is not shown.
    return { message: `${file}, which ${allSecrets} names, is not YAML`, hint }
  }
  if (typeof secrets !== "object" || secrets === null || Array.isArray(secrets))
    return { message: `${file}, which ${allSecrets} names, is not a mapping of names to secrets`, hint }
  const value: unknown = Object.hasOwn(secrets, name) ? Reflect.get(secrets, name) : undefined
  if (typeof value === "string") return value
  if (value === undefined || value === null) return { message: `${file} has no secret ${name}`, hint }
  return { message: `the secret ${name} of ${file} is not text`, hint: `put it in quotes: \`${name}: "..."\`` }
}

const readText = (file: string, variable: string): string | Wrong => {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "")
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)
    return {
      message: `${file}, which ${variable} names, cannot be read: ${code}`,
      hint: "name a file that can be read"
    }
  }
}

/** Editors add a line break at the end of a file, which is not part of the secret. */
const withoutLineEnd = (text: string | Wrong): string | Wrong =>
  typeof text === "string" ? text.replace(/\r?\n$/, "") : text
