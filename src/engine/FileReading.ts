/**
 * Reading one pipeline file: its tree, the values of `${...}`, and the problems found so far.
 *
 * Reading continues after a problem, so that all problems are reported together. A value that depends on a problem is
 * not reported a second time.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Interpolation from "./Interpolation.ts"
import { explainIssue, type Problem, pathInWords } from "./keys/explainIssue.ts"
import * as Shape from "./keys/Shape.ts"
import * as Location from "./Location.ts"
import { type Issue, PipelineFileError } from "./PipelineFileError.ts"
import * as YamlTree from "./YamlTree.ts"

export interface FileReading {
  readonly file: string
  readonly text: string
  readonly tree: YamlTree.YamlTree
  readonly values: Interpolation.Values
  /** The schemes of the object stores that connectors open. */
  readonly schemes: ReadonlyArray<string>
  readonly problems: Array<YamlTree.YamlProblem>
}

/** A part of the file that one schema decodes. */
interface Section<A> {
  readonly path: ReadonlyArray<string | number>
  readonly node: YamlTree.YamlNode
  readonly schema: Schema.Constraint
  readonly decode: (value: unknown) => Effect.Effect<A, Schema.SchemaError>
}

/** Decodes a section. None: it is invalid, and its problems were added to the reading. */
export const read = <A>(reading: FileReading, section: Section<A>): Effect.Effect<Option.Option<A>> => {
  const shape = section.schema.ast
  const broken = new Set<string>()
  const secret = new Set<string>()
  const value = YamlTree.toValue(section.node, section.path, (scalar, path) => {
    const shapes = Shape.at(shape, path.slice(section.path.length))
    const filled = fillIn(reading, scalar, path, shapes)
    if (filled.isSecret) secret.add(pathInWords(path))
    if (filled.failed) broken.add(pathInWords(path))
    else if (Shape.areStored(shapes)) checkStore(reading, path, filled.value)
    return filled.value
  })
  return section.decode(value).pipe(
    Effect.map(Option.some),
    Effect.catch((error) => {
      for (const problem of explainIssue(error.issue, { shape, value, prefix: section.path })) {
        const path = pathInWords(problem.path)
        if (broken.has(path)) continue
        add(reading, secret.has(path) ? { ...problem, message: problem.message.replace(/, got .*$/s, "") } : problem)
      }
      return Effect.succeedNone
    })
  )
}

/** The value of a scalar, with `${...}` filled in. */
export const fillIn = (
  reading: FileReading,
  scalar: YamlTree.YamlScalar,
  path: ReadonlyArray<string | number>,
  shapes: ReadonlyArray<Shape.Shape>
): { readonly value: YamlTree.YamlScalar["value"]; readonly failed: boolean; readonly isSecret?: boolean } => {
  const filled = typeof scalar.value === "string" ? Interpolation.resolve(scalar.value, reading.values) : undefined
  if (filled === undefined) return { value: scalar.value, failed: false }
  const raw = reading.text.slice(scalar.start, scalar.end)
  let from = 0
  for (const { message, piece, hint } of filled.failures) {
    const index = raw.indexOf(piece, from)
    from = Math.max(from, index + 1)
    const offset = scalar.start + Math.max(0, index)
    reading.problems.push({ offset, path, message, ...(hint === undefined ? {} : { hint }) })
  }
  if (filled.failures.length > 0) return { value: filled.text, failed: true }
  if (filled.secret && !Shape.mayBeSecret(shapes)) {
    const message = `\`${pathInWords(path)}\` cannot hold a secret: it is written to logs and tables`
    reading.problems.push({ offset: scalar.start, path, message, hint: "use ${env.NAME} for what is not secret" })
    return { value: filled.text, failed: true }
  }
  const value = filled.whole ? asShape(filled.text, shapes) : filled.text
  return { value, failed: false, isSecret: filled.secret }
}

export const add = (reading: FileReading, problem: Problem): void => {
  const node = YamlTree.nearest(reading.tree.root, problem.path)
  const offset = problem.at === "key" ? (node.key ?? node.start) : node.start
  const path = problem.path.map((step) => (typeof step === "number" ? step : String(step)))
  const { hint, message } = problem
  reading.problems.push({ offset, path, message, ...(hint === undefined ? {} : { hint }) })
}

const checkStore = (reading: FileReading, path: ReadonlyArray<string | number>, value: unknown): void => {
  const fault = typeof value === "string" ? Location.storeFault(value, reading.schemes) : undefined
  if (fault !== undefined) add(reading, { path, at: "value", message: `\`${pathInWords(path)}\`: ${fault}` })
}

/** The error with all problems, in the order of the text. */
export const toError = (reading: FileReading): PipelineFileError => {
  const lines = reading.text.split(/\r\n|\n|\r/)
  const issues = [...reading.problems]
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, path, message, hint }): Issue => {
      const { column, line } = reading.tree.position(offset)
      const source = (lines[line - 1] ?? "").replace("\uFEFF", "")
      const issue = { file: reading.file, line, column, path: pathInWords(path), message, source }
      return hint === undefined ? issue : { ...issue, hint }
    })
  return new PipelineFileError({ issues })
}

/** Text from `${...}` becomes a number or a boolean if the schema expects that and no text. */
const asShape = (text: string, shapes: ReadonlyArray<Shape.Shape>): string | number | boolean => {
  if (shapes.some((shape) => AST.isString(shape) || Shape.areSecret([shape]))) return text
  const literals = shapes.flatMap((shape) => (AST.isLiteral(shape) ? [shape.literal] : []))
  if (literals.includes(text)) return text
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined
  if (number !== undefined && (shapes.some(AST.isNumber) || literals.includes(number))) return number
  const truth = text === "true" || text === "false" ? text === "true" : undefined
  return truth !== undefined && (shapes.some(AST.isBoolean) || literals.includes(truth)) ? truth : text
}
