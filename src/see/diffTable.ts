/**
 * The work behind `millrace diff`: finds the table and its loads, and shows the differences that a sink reports.
 *
 * It uses the first sink that has both loads. If no sink has both, it shows the part that a sink still knows, and says so.
 */
import { once } from "node:events"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import type * as Difference from "#engine/Difference"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { engine } from "#library/services"
import { CliFailure, failed, wrong } from "./CliFailure.ts"
import { differenceText, piecesOf, textOf } from "./diff/differenceText.ts"
import { diffRequest, loadsOf } from "./diff/diffRequest.ts"
import * as Html from "./diff/htmlDifferences.ts"
import { namedLoad } from "./diff/namedLoad.ts"
import { type Format, forTerminal } from "./format.ts"
import { layoutOf } from "./layoutOf.ts"
import { type Options as Files, loadPipelines, withoutFailed } from "./pipelineFiles.ts"
import { jsonLine, printableLine } from "./printable.ts"
import { count, iso, when } from "./summary.ts"
import { writingFile } from "./writingFile.ts"

interface Options extends Files {
  readonly table: string
  readonly from: string
  readonly to: string
  readonly sink: Option.Option<string>
  readonly columns: ReadonlyArray<string>
  readonly limit: Option.Option<number>
  readonly html: Option.Option<string>
  readonly format: Format
}

export const diffTable = Effect.fn("diffTable")(
  function* (options: Options) {
    if (Option.exists(options.limit, (limit) => limit < 0))
      return yield* wrong("--limit must be a number of at least 0")
    yield* forTerminal(options.format)
    const found = yield* findTable(options)
    const answer = yield* answerOf(found, options)
    if (Option.isSome(options.html)) return yield* toHtml(options.html.value, answer)
    if (options.format === "arrow") {
      const { differenceArrow } = yield* Effect.promise(() => import("./diff/differenceArrow.ts"))
      const written = differenceArrow(answer.differences, found.table, process.stdout)
      return yield* Effect.mapError(written, ({ message }) => failed(message))
    }
    if (options.format === "json") return yield* toJson(answer)
    yield* toText(answer)
  },
  Effect.scoped,
  Effect.provide(engine)
)

interface Found extends Effect.Success<ReturnType<typeof findTable>> {}
interface TableDiff {
  readonly title: string
  readonly pipeline: string
  readonly sink: string
  readonly table: string
  readonly from: Sink.RunRecord
  readonly to: Sink.RunRecord
  readonly differences: Difference.Differences
}

/** The pipeline that has the table. */
const findTable = Effect.fnUntraced(function* (options: Options) {
  const names: Array<string> = []
  const found = []
  const all = yield* loadPipelines(options)
  const withLayout = (loaded: (typeof all)[number]) => Effect.map(layoutOf(loaded), (layout) => ({ ...loaded, layout }))
  for (const { layout, ...loaded } of yield* withoutFailed(all, withLayout)) {
    names.push(...layout.tables.map(({ name }) => name))
    const table = layout.tables.find(({ name }) => name === options.table)
    if (table !== undefined) found.push({ ...loaded, layout, table })
  }
  const [first] = found
  if (first === undefined) {
    return yield* wrong(`no pipeline here has a table ${options.table}; tables: ${[...new Set(names)].join(", ")}`)
  }
  if (found.length > 1) {
    return yield* wrong(
      `${found.map(({ path }) => path).join(" and ")} have a table ${options.table}: name one of these files`
    )
  }
  return first
})

/** The differences of the first sink that has both loads, otherwise of the first sink that has a part of them. */
const answerOf = Effect.fnUntraced(function* (found: Found, options: Options) {
  const { pipeline } = found
  const named = Option.match(options.sink, { onNone: () => Object.keys(pipeline.sinks), onSome: (name) => [name] })
  let partly: TableDiff | undefined
  const failures: Array<CliFailure> = []
  for (const name of named) {
    const answer = yield* Effect.result(askSink(found, name, options))
    if (Result.isFailure(answer)) failures.push(answer.failure)
    else if (answer.success.differences.whole) return answer.success
    else partly ??= answer.success
  }
  if (partly !== undefined) return partly
  const [first] = failures
  if (first === undefined) return yield* wrong(`${pipeline.name} has no sinks`)
  const message = [...new Set(failures.map(({ message }) => message))].join("\n")
  return yield* new CliFailure({ message, exitCode: first.exitCode })
})

const askSink = Effect.fnUntraced(function* ({ layout, pipeline, table }: Found, name: string, options: Options) {
  const sink = pipeline.sinks[name]
  if (sink === undefined) {
    return yield* wrong(`${pipeline.name} has no sink ${name}; sinks: ${Object.keys(pipeline.sinks).join(", ")}`)
  }
  const where = `${pipeline.name}: sink ${name}`
  const failing = Effect.mapError((error: Sink.SinkError) => failed(`${where}: ${error.message}`))
  if (sink.differences === undefined) return yield* failed(`${where}: ${sink.type} cannot compare two loads`)
  const records = yield* failing(sink.runs(pipeline.directory))
  const runs = loadsOf(pipeline.name, records)
  const [from, to] = [yield* namedLoad(options.from, runs, where), yield* namedLoad(options.to, runs, where)]
  if (from.runId === to.runId) return yield* wrong(`${where}: --from and --to are the same load, ${from.runId}`)
  const differences = yield* failing(
    sink.differences(
      pipeline.directory,
      diffRequest(pipeline, layout, {
        sink,
        table,
        columns: yield* knownColumns(table, options.columns),
        runs,
        from,
        to,
        ...limitOf(options)
      })
    )
  )
  const title = `${pipeline.name}: ${table.name} from ${shownRun(from)} to ${shownRun(to)}`
  const answer: TableDiff = { title, pipeline: pipeline.name, sink: name, table: table.name, from, to, differences }
  return answer
})

const knownColumns = Effect.fnUntraced(function* (table: Table.Table, given: ReadonlyArray<string>) {
  const unknown = given.find((name) => Column.named(table.columns, name) === undefined)
  if (unknown === undefined) return given
  const names = table.columns.map(({ name }) => name).join(", ")
  return yield* wrong(`table ${table.name} has no column ${unknown}; columns: ${names}`)
})

const limitOf = ({ format, html, limit }: Options) => {
  if (Option.isSome(limit)) return { limit: limit.value }
  return Option.isSome(html) ? { limit: 1000 } : format === "text" ? { limit: 50 } : {}
}

const shownRun = ({ committedAt, runId }: Sink.RunRecord): string => `${runId} (${when(committedAt)})`

const toText = Effect.fnUntraced(function* ({ differences, sink, title }: TableDiff) {
  const color = process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === ""
  const facts = factsOf(sink, differences).map((line) => `  ${line}`)
  process.stdout.write(`${[title, ...facts].map(printableLine).join("\n")}\n`)
  let shown = 0
  yield* Stream.runForEach(differences.changes, (change) => {
    shown += 1
    return put(process.stdout, `\n${differenceText(change, color)}`)
  }).pipe(Effect.mapError(({ message }) => failed(message)))
  const note = noteOf(differences, shown)
  if (note !== "") process.stdout.write(`\n${note}\n`)
})

const toHtml = Effect.fnUntraced(function* (path: string, { differences, sink, title }: TableDiff) {
  const { counts } = differences
  const kinds = differences.whole ? (["added", "removed", "changed"] as const) : (["written"] as const)
  const begin = Html.begin({
    title,
    lines: factsOf(sink, differences).slice(1),
    counts: kinds.map((kind) => [kind, counts[kind]])
  })
  let shown = 0
  yield* writingFile(path, (file) =>
    put(file, begin).pipe(
      Effect.andThen(
        Stream.runForEach(differences.changes, (change) => {
          shown += 1
          const fields = change.fields.map((name) => ({ name, pieces: piecesOf(change, name, 200) }))
          const key = Object.entries(change.key).map(([name, value]) => [name, textOf(value)] as const)
          return put(file, Html.entry({ kind: change.kind, key, fields }))
        }).pipe(Effect.mapError(({ message }) => failed(message)))
      ),
      Effect.andThen(Effect.suspend(() => put(file, Html.end(noteOf(differences, shown)))))
    )
  )
  process.stdout.write(`${title}\n  ${countsLine(differences)}\n  ${path}: ${count(shown)} rows\n`)
})

const toJson = Effect.fnUntraced(function* ({ differences, from, pipeline, sink, table, to }: TableDiff) {
  yield* Stream.runForEach(differences.changes, ({ fields, key, kind, ...values }) => {
    const changed = Object.fromEntries(
      fields.map((name) => [
        name,
        {
          ...(Object.hasOwn(values.old, name) ? { old: values.old[name] } : {}),
          ...(Object.hasOwn(values.new, name) ? { new: values.new[name] } : {})
        }
      ])
    )
    return put(process.stdout, jsonLine({ kind, key, fields: changed }))
  }).pipe(Effect.mapError(({ message }) => failed(message)))
  const { basis, counts, fields, rows, whole } = differences
  const run = ({ committedAt, runId }: Sink.RunRecord) => ({ run_id: runId, committed_at: iso(committedAt) })
  const last = { pipeline, sink, table, from: run(from), to: run(to), whole, basis, rows: rows ?? null, counts, fields }
  yield* put(process.stdout, jsonLine({ summary: last }))
})

const factsOf = (sink: string, differences: Difference.Differences): ReadonlyArray<string> => {
  const { basis, fields, rows, whole } = differences
  const each = Object.entries(fields).map(([name, n]) => `${name} ${count(n)}`)
  return [
    countsLine(differences),
    ...(whole && rows !== undefined ? [`${count(rows.from)} rows before, ${count(rows.to)} after`] : []),
    ...(each.length > 0 ? [`fields that changed: ${each.join(", ")}`] : []),
    `${whole ? "compared by" : "NOT THE WHOLE DIFFERENCE:"} ${basis} (sink ${sink})`
  ]
}

const countsLine = ({ counts, whole }: Difference.Differences): string =>
  whole
    ? `${count(counts.added)} added, ${count(counts.removed)} removed, ${count(counts.changed)} changed`
    : `${count(counts.written)} written`

const noteOf = ({ counts }: Difference.Differences, shown: number): string => {
  const left = Object.values(counts).reduce((sum, n) => sum + n, 0) - shown
  return left > 0 ? `${count(left)} more: --limit ${shown + left} shows all` : ""
}

/** Writes, and waits until a slow reader has caught up. */
const put = (stream: NodeJS.WritableStream, text: string): Effect.Effect<void> =>
  Effect.suspend(() => (stream.write(text) ? Effect.void : Effect.promise(() => once(stream, "drain"))))
