/**
 * The work behind `millrace rejects list`, `show` and `replay`: the rows that did not fit, as destinations have stored them.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { rejectsOf, resolveRejects } from "#engine/resolveRejects"
import type * as Table from "#engine/Table"
import { engine } from "#library/services"
import { wrong } from "#see/CliFailure"
import { type Options as Files, loadPipelines } from "#see/pipelineFiles"
import { jsonLine, printable, printableLine, textTable } from "#see/printable"
import { failureOf } from "#see/runReport"
import { iso, when } from "#see/summary"

interface Options extends Files {
  /** The sink to read; default: the first of each file, and for `replay` all sinks. */
  readonly sink: Option.Option<string>
  readonly json: boolean
}

export const listRejects = Effect.fn("listRejects")(function* (options: Options & { readonly all: boolean }) {
  const rows = (yield* all(options)).filter((row) => options.all || row["resolved_by"] === null)
  if (options.json) return print(rows)
  const lines = rows.map((row) => [
    String(row["reject_id"]),
    String(row["table_name"]),
    typeof row["rejected_at"] === "bigint" ? when(row["rejected_at"]) : "",
    String(row["_run_id"]),
    row["resolved_by"] === null ? String(row["reason"]) : `resolved by ${String(row["resolved_by"])}`
  ])
  process.stdout.write(
    lines.length === 0 ? "no rejects\n" : textTable([["REJECT", "TABLE", "REJECTED", "RUN", "REASON"], ...lines])
  )
}, Effect.provide(engine))

export const showReject = Effect.fn("showReject")(function* (options: Options & { readonly reject: string }) {
  const found = (yield* all(options)).filter((row) => String(row["reject_id"]).startsWith(options.reject))
  const [row] = found
  if (row === undefined)
    return yield* wrong(`no reject has an id that begins with ${options.reject}: see millrace rejects list`)
  if (found.length > 1)
    return yield* wrong(`${found.length} rejects begin with ${options.reject}: give more characters of the id`)
  if (options.json) return print([row])
  const { answer: _, raw, ...rest } = row
  const lines = Object.entries(rest).map(([name, cell]) => {
    const shown = typeof cell === "bigint" ? when(cell) : String(cell ?? "")
    return `${name.padEnd(12)} ${printableLine(shown)}`
  })
  process.stdout.write(`${lines.join("\n")}\nraw\n${printable(JSON.stringify(raw, undefined, 2))}\n`)
}, Effect.provide(engine))

export const replayRejects = Effect.fn("replayRejects")(function* (options: Options) {
  for (const { file, pipeline } of yield* loadPipelines(options)) {
    const sinks = Option.match(options.sink, { onNone: () => Object.keys(pipeline.sinks), onSome: (name) => [name] })
    for (const name of sinks) {
      const { rejected, resolved, runId, tried } = yield* resolveRejects(pipeline, name).pipe(
        Effect.mapError((error) => failureOf(file, error, false))
      )
      process.stdout.write(
        options.json
          ? `${JSON.stringify({ pipeline: pipeline.name, sink: name, run_id: runId, tried, resolved, rejected })}\n`
          : `${pipeline.name}: sink ${name}: ${resolved} of ${tried} rejects fit now and are loaded${
              rejected === 0 ? "" : `; ${rejected} of their rows do not fit the destination: see millrace rejects list`
            }\n`
      )
    }
  }
}, Effect.provide(engine))

const all = Effect.fnUntraced(function* (options: Options) {
  const rows: Array<Table.Row> = []
  for (const { file, pipeline } of yield* loadPipelines(options)) {
    const name = Option.getOrElse(options.sink, () => Object.keys(pipeline.sinks)[0] ?? "")
    const own = yield* rejectsOf(pipeline, name).pipe(Effect.mapError((error) => failureOf(file, error, false)))
    for (const row of own) rows.push(row)
  }
  return rows
})

const print = (rows: ReadonlyArray<Table.Row>) => {
  for (const row of rows) {
    const shown = { ...row, rejected_at: typeof row["rejected_at"] === "bigint" ? iso(row["rejected_at"]) : null }
    process.stdout.write(jsonLine(shown))
  }
}
