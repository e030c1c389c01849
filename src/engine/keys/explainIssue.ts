/**
 * Explains why a schema refuses a value, for the person who wrote the value.
 *
 * There is one problem for each place, in plain words, with what to write instead. A message of the schema's author is used
 * unchanged.
 */
import type * as SchemaIssue from "effect/SchemaIssue"
import { didYouMean } from "#base/didYouMean"
import { keyInOtherWords, writeInOtherWords } from "./otherWords.ts"
import * as Shape from "./Shape.ts"

export interface Problem {
  readonly path: Shape.Path
  /** key: the key is wrong, or the mapping at the path lacks a key. value: the value is wrong. */
  readonly at: "key" | "value"
  readonly message: string
  readonly hint?: string
}

interface Subject {
  readonly shape: Shape.Shape
  readonly value: unknown
  /** The beginning of every path: ["source"]. */
  readonly prefix: Shape.Path
}

export const explainIssue = (issue: SchemaIssue.Issue, subject: Subject): ReadonlyArray<Problem> => {
  const knownProblems = new Set<string>()
  return explain(issue, [], undefined, subject).filter((problem) => {
    const id = `${problem.at} ${problem.path.map(String).join("\0")} ${problem.message}`
    return !knownProblems.has(id) && knownProblems.add(id)
  })
}

/** A path as text: `source.formats[0].type`. */
export const pathInWords = (path: Shape.Path): string =>
  path.map((step, i) => (typeof step === "number" ? `[${step}]` : `${i === 0 ? "" : "."}${String(step)}`)).join("")

/** The problem of a key that is not allowed at a place: its name has the wrong form, or is unknown. */
const unexpectedKey = (path: Shape.Path, shapes: ReadonlyArray<Shape.Shape>): Problem => {
  const form = Shape.keyInWords(shapes)
  if (form === undefined) return unknownKey(path, Shape.keys(shapes))
  const key = String(path.at(-1))
  return { path, at: "key", message: `the key \`${key}\`${inside(path.slice(0, -1))} must be ${form}` }
}

/** The problem of an unknown key. */
const unknownKey = (path: Shape.Path, known: ReadonlyArray<string>): Problem => {
  const key = String(path.at(-1))
  const ours = keyInOtherWords(key)
  const meant = didYouMean(key, known)
  const list = known.length === 0 ? "no keys are allowed here" : `known keys: ${known.join(", ")}`
  return {
    path,
    at: "key",
    message: `unknown key \`${key}\`${inside(path.slice(0, -1))}`,
    hint:
      ours !== undefined && !isSlip(key, meant)
        ? `${ours}; ${list}`
        : meant === undefined
          ? list
          : `did you mean \`${meant}\`? ${list}`
  }
}

/** Whether a key differs from a known one only by one character at its end. */
const isSlip = (key: string, meant: string | undefined): boolean =>
  meant !== undefined && Math.abs(meant.length - key.length) < 2 && (meant.startsWith(key) || key.startsWith(meant))

/** The problem of a missing key. `hint` says what the key is for. */
export const missingKey = (path: Shape.Path, hint: string | undefined): Problem => ({
  path: path.slice(0, -1),
  at: "key",
  message: `\`${String(path.at(-1))}\` is missing${inside(path.slice(0, -1))}`,
  ...(hint === undefined ? {} : { hint })
})

/** The problem of a wrong value. `known`: the values that are allowed, for a suggestion. */
export const wrongValue = (
  path: Shape.Path,
  expected: string,
  value: unknown,
  known: ReadonlyArray<string>
): Problem => {
  const meant = typeof value === "string" ? didYouMean(value, known) : undefined
  const ours = typeof value === "string" && path.at(-1) === "write" ? writeInOtherWords(value) : undefined
  const hint =
    ours !== undefined
      ? `this is called \`${ours}\` here`
      : meant === undefined
        ? hintFor(expected, value)
        : `did you mean \`${meant}\`?`
  return {
    path,
    at: "value",
    message: `\`${pathInWords(path)}\` must be ${expected}, got ${valueInWords(value)}`,
    ...(hint === undefined ? {} : { hint })
  }
}

const explain = (
  issue: SchemaIssue.Issue,
  path: Shape.Path,
  authored: string | undefined,
  subject: Subject
): ReadonlyArray<Problem> => {
  switch (issue._tag) {
    case "Pointer":
      return explain(issue.issue, [...path, ...issue.path], authored, subject)
    case "Composite":
      return issue.issues.flatMap((one) => explain(one, path, authored, subject))
    case "Filter":
      return explain(issue.issue, path, authored ?? textOf(issue.filter.annotations?.["message"]), subject)
    case "Encoding":
      return explain(issue.issue, path, authored, subject)
    case "AnyOf":
      return explainChoice(issue, path, authored, subject)
    case "MissingKey":
      return [missing(path, subject)]
    case "UnexpectedKey":
      return [unexpectedKey([...subject.prefix, ...path], Shape.at(issue.ast, []))]
    case "InvalidType":
    case "OneOf":
      return [wrong(path, authored, undefined, subject)]
    case "Forbidden":
    case "InvalidValue": {
      const message = authored ?? textOf(issue.annotations?.["message"])
      return [wrong(path, message, textOf(issue.annotations?.["expected"]), subject)]
    }
  }
}

/** The value fits none of several kinds. If one of them was clearly meant, its problems are reported. */
const explainChoice = (
  issue: SchemaIssue.AnyOf,
  path: Shape.Path,
  authored: string | undefined,
  subject: Subject
): ReadonlyArray<Problem> => {
  const tried = issue.issues.map((one) => explain(one, path, authored, subject))
  const deeper = tried.filter((problems) =>
    problems.some((one) => one.path.length > subject.prefix.length + path.length)
  )
  const candidates = deeper.length > 0 ? deeper : tried
  const [only] = candidates
  if (only !== undefined && candidates.length === 1) return only
  const kinds = Shape.at(subject.shape, path)
  const value = valueAt(subject.value, path)
  const by = isMapping(value) ? Shape.discriminator(kinds) : undefined
  if (by === undefined || !isMapping(value)) return [wrong(path, authored, undefined, subject)]
  return value[by] === undefined
    ? [missing([...path, by], subject)]
    : [wrong([...path, by], undefined, undefined, subject)]
}

const missing = (path: Shape.Path, { prefix, shape, value }: Subject): Problem => {
  const shapes = Shape.at(shape, path)
  const parent = path.slice(0, -1)
  if (typeof path.at(-1) === "number") {
    return wrongValue([...prefix, ...parent], Shape.inWords(Shape.at(shape, parent)), valueAt(value, parent), [])
  }
  const description = Shape.description(shapes)
  const expected = Shape.inWords(shapes)
  return missingKey(
    [...prefix, ...path],
    description === undefined ? `it must be ${expected}` : `${description} (${expected})`
  )
}

const wrong = (
  path: Shape.Path,
  message: string | undefined,
  expected: string | undefined,
  { prefix, shape, value }: Subject
): Problem => {
  const keyPath = [...prefix, ...path]
  if (message !== undefined) return { path: keyPath, at: "value", message: `\`${pathInWords(keyPath)}\`: ${message}` }
  const shapes = Shape.at(shape, path)
  const actual = valueAt(value, path)
  const known = Shape.choices(shapes)
  return Shape.areSecret(shapes)
    ? { path: keyPath, at: "value", message: `\`${pathInWords(keyPath)}\` must be ${Shape.inWords(shapes)}` }
    : wrongValue(keyPath, expected ?? Shape.inWords(shapes), actual, known)
}

const inside = (path: Shape.Path): string => (path.length === 0 ? "" : ` in \`${pathInWords(path)}\``)

const valueInWords = (value: unknown): string => {
  if (value === undefined || value === null) return "nothing"
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list"
  if (typeof value === "object") return "a mapping"
  const text = typeof value === "string" ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}..."` : text
}

const hintFor = (expected: string, value: unknown): string | undefined => {
  if (typeof value === "string" && expected.includes("number") && /^-?\d+(\.\d+)?$/.test(value)) {
    return "remove the quotes"
  }
  if (typeof value === "string" && expected.includes("true or false") && /^(yes|no|on|off|y|n)$/i.test(value)) {
    return `write ${/^(yes|on|y)$/i.test(value) ? "true" : "false"}`
  }
  if ((typeof value === "number" || typeof value === "boolean") && expected.startsWith("text"))
    return `quote it: "${value}"`
  return undefined
}

const valueAt = (value: unknown, path: Shape.Path): unknown =>
  path.reduce<unknown>((one, step) => (isHolder(one) && Object.hasOwn(one, step) ? one[step] : undefined), value)

const isHolder = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
