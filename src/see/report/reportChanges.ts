/**
 * What a run changed in the main table and its children, word by word: the differences of a destination between its load
 * and the one before, as `millrace diff` has them.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Piece } from "#base/wordDiff"
import type * as OutputTables from "#engine/OutputTables"
import type * as Pipeline from "#engine/Pipeline"
import type * as Sink from "#engine/Sink"
import type * as Table from "#engine/Table"
import { piecesOf, textOf } from "../diff/differenceText.ts"
import { diffRequest, loadsOf } from "../diff/diffRequest.ts"
import type { TableChanges } from "./ReportModel.ts"

/** By the first sink that has both states; else what the first says that can say something. */
export const changesOf = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  runId: string
) {
  const notes = new Set<string>()
  let partly: ReadonlyArray<TableChanges> | undefined
  let isCompared = false
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    if (sink.differences === undefined) continue
    const answer = yield* Effect.result(Effect.scoped(inSink(pipeline, layout, { name, sink, runId })))
    if (answer._tag === "Failure") {
      notes.add(`sink ${name} cannot say what changed: ${answer.failure.message}`)
      continue
    }
    isCompared ||= answer.success.isCompared
    const { changes } = answer.success
    if (changes.length > 0 && changes.every(({ whole }) => whole)) return { changes, notes: [], isCompared }
    if (changes.length > 0) partly ??= changes
  }
  return { changes: partly ?? [], notes: [...notes], isCompared }
})

/** Rows of each table, and characters of each piece, that a report shows. */
const mostRows = 20

const longestPiece = 600

const inSink = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  layout: OutputTables.OutputTables,
  { name, runId, sink }: { readonly name: string; readonly sink: Sink.Destination<R>; readonly runId: string }
) {
  const { differences } = sink
  const runs = loadsOf(pipeline.name, yield* sink.runs(pipeline.directory))
  const at = runs.findIndex((run) => run.runId === runId)
  const [from, to] = [runs[at - 1], runs[at]]
  const changes: Array<TableChanges> = []
  if (from === undefined || to === undefined || differences === undefined) return { changes, isCompared: false }
  for (const table of layout.tables.filter((table) => isOf(layout, table) && table.key.length > 0)) {
    const request = diffRequest(pipeline, layout, { sink, table, columns: [], runs, from, to, limit: mostRows })
    const found = yield* differences(pipeline.directory, request)
    const shown = yield* Stream.runCollect(Stream.take(found.changes, mostRows))
    changes.push({
      table: table.name,
      sink: name,
      from: from.runId,
      write: request.write,
      basis: found.basis,
      whole: found.whole,
      counts: found.counts,
      fields: found.fields,
      shown: [...shown].map((change) => ({
        kind: change.kind,
        key: Object.entries(change.key).map(([column, value]) => [column, cut(textOf(value))] as const),
        fields: change.fields.map((column) => ({
          name: column,
          pieces: piecesOf(change, column, 120).map((piece): Piece => ({ ...piece, text: cut(piece.text) }))
        }))
      }))
    })
  }
  return { changes, isCompared: true }
})

/** The main table, and those whose rows belong to its rows. */
const isOf = (layout: OutputTables.OutputTables, { name, parent }: Table.Table): boolean => {
  if (name === layout.main.name) return true
  const above = layout.tables.find((table) => table.name === parent?.table)
  return above !== undefined && isOf(layout, above)
}

const cut = (text: string): string =>
  text.length <= longestPiece ? text : `${text.slice(0, longestPiece - 1).toWellFormed()}…`
