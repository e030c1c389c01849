/**
 * The values of `${...}` in a pipeline file.
 *
 * | written                | value                                                   |
 * | ---------------------- | ------------------------------------------------------- |
 * | `${env.X}`             | the environment variable X; unset is an error           |
 * | `${env.X:-text}`       | the same, or the text if X is unset or empty            |
 * | `${vars.X}`            | X of the file's `vars:`, or of `--var X=...`            |
 * | `${secrets.X}`         | the secret X                                            |
 * | `${run.date}`          | the day of the run, 2026-11-21, in the schedule's zone  |
 * | `${run.id}`            | the id of the run                                       |
 * | `${interval.start}`    | when the interval of a backfill begins, RFC 3339        |
 * | `${interval.X:-text}`  | X of the interval, or the text if there is no interval  |
 * | `$${`                  | the two characters `${`                                 |
 *
 * Values are inserted into text after parsing, once. An inserted value is never parsed, neither as YAML nor for `${`.
 */
import { didYouMean } from "#base/didYouMean"
import * as KnownSecrets from "#base/KnownSecrets"

export interface Values {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly vars: ReadonlyMap<string, string>
  /** The secret of a name, or why there is none. */
  readonly secrets: (name: string) => string | Wrong
  readonly run: { readonly date: string; readonly id: string }
  /** The interval of a backfill; undefined: there is none. */
  readonly interval?: IntervalValues | undefined
}

export interface IntervalValues {
  /** start, end, start_date, end_date. */
  readonly values: Readonly<Record<string, string>>
  /** Whether it is only a placeholder, because no backfill runs: a default has priority over it. */
  readonly standsIn: boolean
}

interface Resolved {
  readonly text: string
  /** Whether the text was one `${...}` and nothing else: then it may be read as a number if one is expected. */
  readonly whole: boolean
  readonly secret: boolean
  readonly failures: ReadonlyArray<Failure>
}

interface Failure {
  /** The wrong piece, as it is written, and its position in the text. */
  readonly piece: string
  readonly index: number
  readonly message: string
  readonly hint?: string
}

/** Fills in values. Undefined: the text has no `${`. */
export const resolve = (text: string, values: Values): Resolved | undefined => {
  if (!text.includes("${")) return undefined
  const failures: Array<Failure> = []
  let out = ""
  let secret = false
  let end = 0
  for (const reference of text.matchAll(piece)) {
    const [written, escaped, namespace, name, fallback] = reference
    out += text.slice(end, reference.index)
    end = reference.index + written.length
    if (escaped !== undefined) {
      out += "${"
      continue
    }
    const value = lookUp({ written, namespace, name, fallback }, values)
    secret ||= namespace === "secrets"
    if (typeof value === "string") out += value
    else failures.push({ piece: written, index: reference.index, ...value })
  }
  const whole = failures.length === 0 && wholePiece.test(text)
  return { text: out + text.slice(end), whole, secret, failures }
}

/** `$${`, or `${namespace.name}`, or `${namespace.name:-fallback}`, or any other `${` up to its brace or the end. */
const piece = /(\$\$\{)|\$\{(?:([a-z]+)\.([A-Za-z_][\w-]*)(?::-([^}]*))?\}|[^}]*\}?)/g
const wholePiece = /^\$\{[^}]*\}$/

interface Expression {
  readonly written: string
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly fallback: string | undefined
}

/** The secrets of an environment: NAME is MILLRACE_SECRET_NAME. */
export const secretOf =
  (env: Values["env"]): Values["secrets"] =>
  (name) =>
    env[`MILLRACE_SECRET_${name}`] ?? {
      message: `the secret ${name} is not set`,
      hint: `set the environment variable MILLRACE_SECRET_${name}`
    }

/** Why there is no value, and what to do about it. */
export type Wrong = { readonly message: string; readonly hint?: string }

const lookUp = ({ fallback, name, namespace, written }: Expression, values: Values): string | Wrong => {
  if (namespace === undefined || name === undefined) return malformed(written)
  if (fallback !== undefined && namespace !== "env" && namespace !== "interval") {
    return {
      message: `\`${written}\` cannot have a default`,
      hint: "only ${env.NAME:-default} and ${interval.NAME:-default} can"
    }
  }
  switch (namespace) {
    case "env":
      return fromEnvironment(name, fallback, values)
    case "vars":
      return values.vars.get(name) ?? unsetVar(name, values)
    case "secrets": {
      const secret = values.secrets(name)
      if (typeof secret === "string") KnownSecrets.remember(secret)
      return secret
    }
    case "run":
      return name === "date" || name === "id"
        ? values.run[name]
        : { message: `\`${written}\` is not defined`, hint: "a run has ${run.date} and ${run.id}" }
    case "interval":
      return ofInterval(name, fallback, values)
    default: {
      const meant = didYouMean(namespace, namespaces)
      return malformed(written, meant === undefined ? undefined : `${meant}.${name}`)
    }
  }
}

const namespaces = ["env", "vars", "secrets", "run", "interval"]

const ofInterval = (name: string, fallback: string | undefined, { interval }: Values): string | Wrong => {
  if (!intervalNames.includes(name)) {
    return {
      message: `\`\${interval.${name}}\` is not defined`,
      hint: `an interval has ${intervalNames.join(", ")}`
    }
  }
  if (fallback !== undefined && (interval === undefined || interval.standsIn)) return fallback
  return (
    interval?.values[name] ?? {
      message: "only a backfill has an interval",
      hint: `run it with millrace backfill, or give a default: \${interval.${name}:-...}`
    }
  )
}

const intervalNames = ["start", "end", "start_date", "end_date"]

const fromEnvironment = (name: string, fallback: string | undefined, { env }: Values): string | Wrong => {
  const secret = /^MILLRACE_SECRET_(?!S_FILE$)(\w+?)(?:_FILE)?$/.exec(name)?.[1]
  if (secret !== undefined) {
    return {
      message: `${name} is a secret, and not a variable of the environment`,
      hint: `write \${secrets.${secret}}`
    }
  }
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  if (value !== undefined && (value !== "" || fallback === undefined)) return value
  if (fallback !== undefined) return fallback
  return {
    message: `the environment variable ${name} is not set`,
    hint: `set it before the run, or give a default: \${env.${name}:-...}`
  }
}

const unsetVar = (name: string, { vars }: Values): Wrong => {
  const meant = didYouMean(name, vars.keys())
  return {
    message: `the variable ${name} is not set`,
    hint: meant === undefined ? `add it to \`vars:\`, or pass --var ${name}=...` : `did you mean \`\${vars.${meant}}\`?`
  }
}

const malformed = (written: string, meant?: string): Wrong => {
  if (!written.endsWith("}")) {
    return { message: "`${` is not closed", hint: "close it with `}`, or write `$${` for the text `${`" }
  }
  const bare = /^\$\{([A-Za-z_]\w*)\}$/.exec(written)?.[1]
  const better = bare === undefined ? meant : `env.${bare}`
  const all =
    "write ${env.NAME}, ${vars.NAME}, ${secrets.NAME}, ${run.date}, ${run.id} or ${interval.start}; `$${` is the text `${`"
  return {
    message: `\`${written}\` is not defined`,
    hint: better === undefined ? all : `did you mean \`\${${better}}\`?`
  }
}
