/**
 * Converts the items of a job to rows: pure functions of the service's answer and its cursor.
 *
 * An item that does not fit its schema is rejected, with the reason and an answer that holds only this item. From a job
 * that asked again, only the missing values are taken, under the key of the row that lacked them: the engine fills them
 * into the row.
 */
import * as Result from "effect/Result"
import * as Column from "#engine/Column"
import type * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import { isObject } from "../foundJson.ts"
import type { Item } from "./extractedItems.ts"
import type { ExtractedTable } from "./extractedTable.ts"
import type * as JobPlan from "./JobPlan.ts"

/** What the rows of one job share. */
interface Context {
  readonly jobId: string
  /** When the answer arrived, in milliseconds since the epoch. */
  readonly now: number
  readonly task: JobPlan.Task
  /** The answer with this item alone. */
  readonly alone: (item: Item) => Source.Reject["answer"]
}

type Elements = ReadonlyArray<Table.Batch | Source.Reject>

/** The rows of the items, the sources of their values, and the rejected items. */
export const elementsOf = (extracted: ExtractedTable, items: ReadonlyArray<Item>, context: Context): Elements => {
  const rows: Array<Table.Row> = []
  const sources: Array<Table.Row> = []
  const rejects: Array<Source.Reject> = []
  const numbered = new Map<string, number>()
  for (const item of wantedOf(extracted, items, context.task)) {
    if (Result.isFailure(item.cells)) {
      const { message, path } = item.cells.failure
      const reason = `it does not fit the schema: ${message}`
      const answer = context.alone(item)
      rejects.push({
        _tag: "Reject",
        table: extracted.table,
        reason,
        path,
        raw: item.json,
        ...(answer === undefined ? {} : { answer })
      })
      continue
    }
    const row = rowOf(extracted, item, item.cells.success, context)
    rows.push(row)
    // A row without its key is rejected, so no source can belong to it.
    if (!extracted.table.key.every((name) => row[name] != null)) continue
    for (const source of sourcesOf(extracted, item, row, context, numbered)) sources.push(source)
  }
  return [...Table.batches(extracted.table, rows), ...Table.batches(extracted.sources, sources), ...rejects]
}

/** Without a user's key, a row is identified by the job that first gave it. */
const rowOf = (extracted: ExtractedTable, item: Item, cells: Table.Row, { jobId, now, task }: Context): Table.Row => ({
  ...cells,
  ...(extracted.key === undefined ? { _row: item.number } : {}),
  _fetched_at: Column.timestampFromMillis(now),
  _source_url: item.url ?? null,
  _job_id: extracted.key === undefined ? (task.again?.jobId ?? jobId) : jobId
})

/** `numbered`: how many sources each value has so far, because several items may belong to one row. */
const sourcesOf = (
  { names, table }: ExtractedTable,
  { json, sources }: Item,
  row: Table.Row,
  { jobId, now }: Context,
  numbered: Map<string, number>
): ReadonlyArray<Table.Row> => {
  const parent = Object.fromEntries(names.map(([own, theirs]) => [theirs, row[own]]))
  const name = Table.keyText(row, table.key)
  return sources.flatMap(([path, from]) => {
    const before = numbered.get(name + path) ?? 0
    numbered.set(name + path, before + from.length)
    return from.map(({ certainty, inferred, kind, path: place, span, supported, url }, at) => ({
      ...parent,
      path,
      source_index: before + at,
      value: textAt(json, path),
      url,
      kind,
      source_path: place,
      span_from: span?.[0] ?? null,
      span_to: span?.[1] ?? null,
      certainty: certainty ?? null,
      supported: supported ?? null,
      inferred: inferred ?? null,
      _fetched_at: Column.timestampFromMillis(now),
      _source_url: url,
      _job_id: jobId
    }))
  })
}

/** The items of a job that are used, each with the number of its row. */
const wantedOf = (extracted: ExtractedTable, items: ReadonlyArray<Item>, task: JobPlan.Task): ReadonlyArray<Item> =>
  task.again === undefined
    ? items
    : answersTo(extracted, items, task.again).map(([{ row }, item]) => ({ ...item, number: row }))

/** What a job that asked again found for each row that lacked values. */
export const answersTo = (
  extracted: ExtractedTable,
  items: ReadonlyArray<Item>,
  { rows }: NonNullable<JobPlan.Task["again"]>
): ReadonlyArray<readonly [JobPlan.Lacking, Item]> => {
  const pairs = (of: (row: JobPlan.Lacking) => Item | undefined) =>
    rows.flatMap((row): ReadonlyArray<readonly [JobPlan.Lacking, Item]> => {
      const item = of(row)
      return item === undefined ? [] : [[row, item]]
    })
  if (extracted.key !== undefined) {
    const byName = new Map(items.map((item) => [nameOf(extracted, item), item]))
    return pairs(({ name }) => (name === null ? undefined : byName.get(name)))
  }
  if (isSingle(extracted)) return pairs(() => items[0])
  const byUrl = onlyOnes(items)
  return pairs(({ url }) => (url === null ? undefined : byUrl.get(url)))
}

/** Whether the data of a job is one row. */
export const isSingle = ({ schema }: ExtractedTable): boolean => schema === undefined || schema.read.at === ""

/** The identity of an item by the user's key; null if a part of the key was not found. */
export const nameOf = ({ key }: ExtractedTable, { cells, url }: Item): string | null => {
  if (key === undefined || Result.isFailure(cells)) return null
  const row: Table.Row = { ...cells.success, _source_url: url }
  return key.some((name) => row[name] == null) ? null : Table.keyText(row, key)
}

/** Whether an item becomes a row: it fits the schema, and has the user's key. Others are rejected. */
export const isRow = (extracted: ExtractedTable, item: Item): boolean =>
  Result.isSuccess(item.cells) && (extracted.key === undefined || nameOf(extracted, item) !== null)

/** The items that are the only ones of their page. */
export const onlyOnes = <A extends { readonly url?: string | null | undefined }>(
  all: ReadonlyArray<A>
): ReadonlyMap<string, A> => {
  const counts = new Map<string, number>()
  for (const { url } of all) if (url != null) counts.set(url, (counts.get(url) ?? 0) + 1)
  return new Map(
    all.flatMap(
      (one): ReadonlyArray<readonly [string, A]> =>
        one.url != null && counts.get(one.url) === 1 ? [[one.url, one]] : []
    )
  )
}

/** The value at a JSON pointer, as text; null if there is none. */
const textAt = (json: unknown, pointer: string): string | null => {
  let value = json
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~")
    if (!(isObject(value) || Array.isArray(value)) || !Object.hasOwn(value, name)) return null
    value = Reflect.get(value, name)
  }
  if (value == null) return null
  return typeof value === "string" ? value : JSON.stringify(value)
}
