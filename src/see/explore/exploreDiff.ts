/** What changed in a table between two runs: rows by their names, and numbers by how far they moved. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import type * as Difference from "#engine/Difference"
import type * as Queries from "#engine/Queries"
import type * as Table from "#engine/Table"
import { failed, wrong } from "../CliFailure.ts"
import { piecesOf, textOf } from "../diff/differenceText.ts"
import { diffRequest, loadsOf } from "../diff/diffRequest.ts"
import { directionOf } from "../diff/moved.ts"
import { namedLoad } from "../diff/namedLoad.ts"
import { columnContents, namingColumn } from "./columnContents.ts"
import { isNumeric } from "./columnTypes.ts"
import type { CellValue, DiffAnswer, DiffChange, DiffField, DiffPiece } from "./ExploreApi.ts"
import * as Explorer from "./Explorer.ts"
import { columnsIn } from "./exploreTables.ts"
import { literal, quote } from "./gridSql.ts"

const mostChanges = 200
const longestPiece = 2000
/** Values of this length stand beside each other; of longer ones the changed words are shown. */
const longestValue = 60

/**
 * The differences from the sink that is shown, if it has both loads, otherwise from the first sink that has both, otherwise
 * from the first sink that has a part of them.
 */
export const exploreDiff = Effect.fn("exploreDiff")(function* (explorer: Explorer.Explorer, params: URLSearchParams) {
  const { loaded, name } = explorer
  const sinks = Object.entries(loaded.pipeline.sinks).toSorted(([a], [b]) => Number(b === name) - Number(a === name))
  let partly: DiffAnswer | undefined
  const failures: Array<string> = []
  for (const [sinkName, sink] of sinks) {
    const answer = yield* Effect.result(Effect.scoped(diffOf(explorer, { name: sinkName, sink }, params)))
    if (answer._tag === "Failure") failures.push(answer.failure.message)
    else if (answer.success.whole) return yield* withNames(explorer, params.get("table") ?? "", answer.success)
    else partly ??= answer.success
  }
  if (partly === undefined) return yield* failed([...new Set(failures)].join("\n"))
  return yield* withNames(explorer, params.get("table") ?? "", partly)
})

const diffOf = Effect.fnUntraced(function* (
  { layout, loaded: { pipeline } }: Explorer.Explorer,
  { name, sink }: { readonly name: string; readonly sink: Explorer.Explorer["loaded"]["pipeline"]["sinks"][string] },
  params: URLSearchParams
) {
  const where = `${pipeline.name}: sink ${name}`
  if (sink.differences === undefined) return yield* failed(`${where}: ${sink.type} cannot compare two loads`)
  const table = layout.tables.find((one) => one.name === params.get("table"))
  if (table === undefined) return yield* wrong(`the pipeline has no table ${params.get("table") ?? ""}`)
  const runs = loadsOf(pipeline.name, yield* sink.runs(pipeline.directory))
  const from = yield* namedLoad(params.get("from") ?? "previous", runs, where)
  const to = yield* namedLoad(params.get("to") ?? "latest", runs, where)
  if (from.runId === to.runId) return yield* wrong("choose two different runs")
  const by = yield* numberIn(table, params.get("by") ?? "")
  const request = diffRequest(pipeline, layout, { sink, table, columns: [], runs, from, to, limit: mostChanges, by })
  if (by !== undefined && !request.compared.includes(by.column))
    return yield* wrong(`column ${by.column} of ${table.name} is not compared between two loads`)
  const found = yield* sink.differences(pipeline.directory, request)
  const changes = yield* Stream.runCollect(Stream.take(found.changes, mostChanges))
  const answer: DiffAnswer = {
    sink: name,
    from: from.runId,
    to: to.runId,
    basis: found.basis,
    whole: found.whole,
    counts: found.counts,
    fields: found.fields,
    ...(found.moved === undefined ? {} : { moved: found.moved }),
    changes: changes.map(changeOf)
  }
  return answer
})

/** The column and the direction of `price` or `-price`; undefined: none is asked for. */
const numberIn = Effect.fnUntraced(function* (table: Table.Table, text: string) {
  if (text === "") return undefined
  const by = directionOf(text)
  const known = Column.named(table.columns, by.column)
  if (known === undefined) return yield* wrong(`table ${table.name} has no column ${by.column}`)
  return isNumeric({ type: Column.toSql(known.type) })
    ? by
    : yield* wrong(`column ${by.column} of ${table.name} has no numbers, so it cannot become smaller or larger`)
})

const changeOf = (change: Difference.Change): DiffChange => ({
  kind: change.kind,
  key: Object.entries(change.key).map(([column, value]) => [column, cut(textOf(value))] as const),
  fields: change.fields.map((name): DiffField => {
    const [old, now] = [cellOf(change.old[name]), cellOf(change.new[name])]
    if (change.kind === "changed" && old !== undefined && now !== undefined) return { name, old, new: now }
    return {
      name,
      pieces: piecesOf(change, name, 120).map((piece): DiffPiece => ({ ...piece, text: cut(piece.text) }))
    }
  })
})

/** A value that a reader takes in at once; undefined: it is longer, or a list or an object. */
const cellOf = (value: unknown): CellValue | undefined => {
  if (value === null || value === undefined) return null
  if (typeof value === "number" || typeof value === "boolean") return value
  return typeof value === "string" && value.length <= longestValue && !value.includes("\n") ? value : undefined
}

/** Names rows as the table that is shown does: without it, or if it cannot be read, rows have their keys alone. */
const withNames = (explorer: Explorer.Explorer, table: string, answer: DiffAnswer) =>
  Explorer.ask(explorer, (queries) => namedChanges(explorer, queries, table, answer)).pipe(
    Effect.orElseSucceed(() => answer)
  )

const namedChanges = Effect.fnUntraced(function* (
  explorer: Explorer.Explorer,
  queries: Queries.Queries,
  table: string,
  answer: DiffAnswer
) {
  const key = explorer.layout.tables.find(({ name }) => name === table)?.key ?? []
  const columns = (yield* columnsIn(explorer, queries)).get(table)
  if (columns === undefined || key.length === 0 || answer.changes.length === 0) return answer
  const naming = namingColumn(yield* columnContents(queries, table, columns), key)
  if (naming === undefined) return answer
  const textual = (name: string): string => `CAST(${quote(name)} AS VARCHAR)`
  const rows = answer.changes.map((change) => {
    const parts = change.key.map(([name, value]) => `${textual(name)} = ${literal(value)}`)
    return `(${parts.join(" AND ")})`
  })
  const keys = key.map((name) => `${textual(name)} AS ${quote(name)}`)
  const found = yield* Explorer.rowsOf(
    queries,
    `SELECT ${keys.join(", ")}, max(${quote(naming)}) AS row_name_ FROM ${quote(table)}
      WHERE ${rows.join(" OR ")} GROUP BY ${key.map(textual).join(", ")}`
  )
  const names = new Map(found.map((row) => [JSON.stringify(key.map((name) => row[name])), row["row_name_"]]))
  const named: DiffAnswer = {
    ...answer,
    changes: answer.changes.map((change): DiffChange => {
      const values = new Map(change.key)
      const name = names.get(JSON.stringify(key.map((column) => values.get(column))))
      return typeof name === "string" && name !== "" ? { ...change, name: cut(name) } : change
    })
  }
  return named
})

const cut = (text: string): string =>
  text.length <= longestPiece ? text : `${text.slice(0, longestPiece - 1).toWellFormed()}…`
