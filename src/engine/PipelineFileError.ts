/**
 * The error of a pipeline file: all its issues, each with line and column, in the order of the text.
 *
 * `render` prints each issue as compilers do, so that terminals and editors can jump to it:
 *
 * ```
 * nightly.yaml:4:3: unknown key `limt` in `source`
 *       limt: 20
 *       ^
 *   hint: did you mean `limit`?
 * ```
 */
import * as Schema from "effect/Schema"

export const Issue = Schema.Struct({
  file: Schema.String,
  /** The line, from 1. */
  line: Schema.Int,
  /** The column, from 1, in UTF-16 units, as editors count. */
  column: Schema.Int,
  /** The place by keys: "sinks.lake.write"; empty: the file as a whole. */
  path: Schema.String,
  message: Schema.String,
  hint: Schema.optionalKey(Schema.String),
  /** The line of text. */
  source: Schema.String
})
export interface Issue extends Schema.Schema.Type<typeof Issue> {}

/**
 * A pipeline file with problems: all of them, each with its line and column, both counted from 1. `message` shows them as
 * compilers do, with the line of the file and a hint.
 *
 * @example
 * ```ts
 * import { writeFile } from "node:fs/promises"
 * import { PipelineFileError, run } from "millrace"
 *
 * await writeFile("wrong.yaml", "sorce: { type: crawl, url: https://your.site }\nsinks: { out: { type: memory, name: a } }\n")
 * const error: unknown = await run("wrong.yaml").catch((error: unknown) => error)
 * const issues = error instanceof PipelineFileError ? error.issues : []
 * console.log(issues.map(({ line, message }) => `${line}: ${message}`)) // ["1: unknown key `sorce`", "1: `source` is missing"]
 * ```
 */
export class PipelineFileError extends Schema.TaggedError<PipelineFileError>()("PipelineFileError", {
  /** Every problem of the file, in its order. */
  issues: Schema.Array(Issue)
}) {
  override get message(): string {
    return this.render()
  }

  render(): string {
    return this.issues.map(renderIssue).join("\n")
  }
}

const renderIssue = (issue: Issue): string => {
  const { caret, line } = excerpt(issue.source, issue.column)
  const head = `${issue.file}:${issue.line}:${issue.column}: ${issue.message}`
  const body = line.trim() === "" || isBinary(issue.source) ? [] : [`    ${line}`, `    ${caret}^`]
  const hint = issue.hint === undefined ? [] : [`  hint: ${issue.hint}`]
  return [head, ...body, ...hint].join("\n")
}

const widest = 100

/** Whether a line is not text: then it is not shown. */
const isBinary = (line: string): boolean => (line.slice(0, widest).match(control)?.length ?? 0) > 10

/**
 * The part of a line around the column, without passwords of URLs and control characters, and the blanks before the caret
 * below it.
 */
const excerpt = (source: string, column: number): { readonly line: string; readonly caret: string } => {
  const from = Math.max(0, column - widest + 20)
  const shown = source.replaceAll(password, (text) => "*".repeat(text.length))
  const line = shown.slice(from, from + widest).replaceAll(control, "�")
  return { line, caret: line.slice(0, column - 1 - from).replaceAll(/[^\t]/g, " ") }
}

/** The password of a URL, if it is not a reference to a secret: what a terminal shows is copied into tickets. */
const password = /(?<=:\/\/[^\s/@:]*:)(?!\$\{)[^\s/@]+(?=@)/g

/** Control characters except the tab: a file must not control a terminal. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const control = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g
