/** The work behind `millrace report`: collects the figures, and writes them as an HTML page, as JSON, or as a few lines. */
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { engine } from "#library/services"
import { notWritten } from "./CliFailure.ts"
import { type Loaded, loadPipeline } from "./loadPipeline.ts"
import { jsonLine, printable } from "./printable.ts"
import { collectReport } from "./report/collectReport.ts"
import { openFile } from "./report/openFile.ts"
import type { ReportModel } from "./report/ReportModel.ts"
import {
  askedLines,
  changeCounts,
  changedTables,
  comparedOf,
  type Missing,
  missingOf,
  noChecks,
  nothingMissing,
  signsOf,
  sumLine,
  type Tone,
  verdictOf
} from "./report/reportAnswers.ts"
import { count, size } from "./summary.ts"

interface Options {
  readonly file: string
  readonly run: Option.Option<string>
  readonly vars: Readonly<Record<string, string>>
  readonly html: Option.Option<string>
  readonly open: boolean
  readonly json: boolean
}

export const makeReport = Effect.fn("makeReport")(function* (options: Options) {
  const loaded = yield* loadPipeline(options.file, options.vars)
  const name = Option.getOrElse(options.run, () => "latest")
  const model = yield* collectReport(options.file, loaded, name).pipe(Effect.scoped, Effect.provide(engine))
  const path = Option.orElse(options.html, () =>
    options.open
      ? Option.some(join(dirname(options.file), `${model.pipeline}-${model.run.run_id}.html`))
      : Option.none()
  )
  const shown = shownOf(loaded, model)
  const bytes = Option.isSome(path) ? yield* writeReport(path.value, shown) : 0
  if (options.json) process.stdout.write(jsonLine(model))
  else process.stdout.write(printable(textOf(shown, Option.getOrUndefined(path), bytes)))
  if (options.open && Option.isSome(path)) yield* openFile(resolve(path.value))
})

/** A report as people see it: nobody pays for a crawl on one's own machine, so it does not speak of credits. */
export const shownOf = ({ file }: Pick<Loaded, "file">, model: ReportModel): ReportModel =>
  file.service === "embedded"
    ? { ...model, credits: null, history: model.history.map((point) => ({ ...point, credits: null })) }
    : model

/** Writes the page in one step, so that a reader sees the old page or the new one. Returns its size. */
export const writeReport = Effect.fnUntraced(function* (path: string, model: ReportModel) {
  const { reportHtml } = yield* Effect.promise(() => import("./report/reportHtml.ts"))
  const html = reportHtml(model)
  const beside = `${path}.${process.pid}.tmp`
  yield* Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(resolve(path)), { recursive: true })
      await writeFile(beside, html)
      await rename(beside, path)
    },
    catch: (cause) => notWritten(path, cause)
  }).pipe(Effect.tapError(() => Effect.ignore(Effect.tryPromise(() => rm(beside, { force: true })))))
  return Buffer.byteLength(html)
})

/** The answers of the first screen as lines; everything else is in the page and in `--json`. */
const textOf = (model: ReportModel, path: string | undefined, bytes: number): string => {
  const { compared_with: compared, notes, pipeline, run } = model
  const { commands, says, title } = verdictOf(model)
  const sum = sumLine(model)
  const missing = missingOf(model)
  const lines = [
    `${pipeline}: run ${run.run_id}, ${run.status}, ${comparedWith(compared.length)}`,
    `  ${title}. ${says}`,
    ...commands.map((command) => `  ${command}`),
    ...part("is it good", [
      ...signsOf(model).map(({ found, tone, what }) => `${words[tone]}  ${what}: ${found}`),
      ...(model.checks.length === 0 ? [noChecks(model)] : [])
    ]),
    ...part("what changed since the run before", [
      ...changedTables(model).map((of) => `${of.table}: ${changeCounts(of)}`),
      ...comparedOf(model).map(
        ({ before, difference, name, now }) => `${name}: ${now}, before ${before} (${difference})`
      )
    ]),
    ...part("what is missing, and why", [
      ...(sum === undefined ? [] : [sum]),
      ...(missing.length === 0 ? [nothingMissing(model)] : missing.map(lineOf))
    ]),
    ...part("what was asked of the pages", askedLines(model)),
    ...part("the rest", restOf(model)),
    ...part("what this report cannot say", notes),
    path === undefined ? "for the whole report: --html FILE" : `${path} (${size(bytes)})`
  ]
  return `${lines.join("\n")}\n`
}

const lineOf = ({ code, count: n, example, why }: Missing): string =>
  `${count(n)}  ${why}${code === "" ? "" : ` (${code})`}${example === "" ? "" : `, for example ${example}`}`

const restOf = ({ credits, download, status_codes: codes, tables }: ReportModel): ReadonlyArray<string> => [
  ...(tables.length === 0 ? [] : [`rows: ${tables.map(({ name, rows }) => `${name} ${count(rows ?? 0)}`).join(", ")}`]),
  ...(download === null
    ? codes === null
      ? []
      : ["bytes on the wire: not reported"]
    : [
        `${size(download.wire_bytes)} downloaded${download.body_bytes === null ? "" : `, ${size(download.body_bytes)} decompressed`}`
      ]),
  ...(credits === null
    ? []
    : [
        `${count(credits.used)} credits${credits.per_changed_row === null ? "" : `, ${credits.per_changed_row} for each changed row`}`
      ])
]

/** The words of `millrace run` for its checks. */
const words: Readonly<Record<Tone, string>> = { good: "passed", warn: "look  ", bad: "FAILED" }

const part = (question: string, answers: ReadonlyArray<string>): ReadonlyArray<string> =>
  answers.length === 0 ? [] : [question, ...answers.map((answer) => `  ${answer}`)]

const comparedWith = (runs: number): string =>
  runs === 0
    ? "no good run before it to compare with"
    : `compared with ${runs} good ${runs === 1 ? "run" : "runs"} before it`
