/**
 * Decides which rows lack required values, which pages are asked for them again, and with which schema.
 *
 * Only the pages of such rows are asked, only for missing values, and as often as the options allow. A row is
 * recognised by the user's key; without a key, by its page, if it is the only row of that page.
 */
import * as Schema from "effect/Schema"
import { JsonSchema } from "#contract/Formats"
import { maxExtractUrls } from "#contract/Limits"
import { isSchemaObject, type SchemaObject } from "#engine/JsonSchemaDraft"
import type * as JsonSchemaTable from "#engine/JsonSchemaTable"
import { filled } from "#engine/PartialRowMerger"
import { isObject } from "../foundJson.ts"
import type { Item } from "./extractedItems.ts"
import { answersTo, isRow, isSingle, nameOf, onlyOnes } from "./extractedRows.ts"
import type { ExtractedTable } from "./extractedTable.ts"
import * as JobPlan from "./JobPlan.ts"
import { type RequiredValues, requiredValues } from "./requiredValues.ts"

/**
 * The counts of required values, and the jobs that ask again for what is missing. Items that are rejected do not count. If the
 * data of a job is one row, and it gave none, all values of that row are missing.
 */
interface FilledAnswer {
  readonly filled: number
  readonly missing: number
  /** By property of a row: how many rows have come that lack it; of a job that asked again, less those that lack it no more. */
  readonly lacking: Readonly<Record<string, number>>
  readonly again: ReadonlyArray<JobPlan.Task>
}

export const askAgain = (
  extracted: ExtractedTable,
  items: ReadonlyArray<Item>,
  task: JobPlan.Task,
  job: { readonly jobId: string; readonly times: number; readonly size: number }
): FilledAnswer => {
  const { again } = task
  const round = (again?.round ?? 0) + 1
  const isAsked = round <= job.times
  const tasks = (rows: ReadonlyArray<JobPlan.Lacking>) => (isAsked ? tasksOf(extracted, rows, task, round, job) : [])
  if (again === undefined) {
    const wholes = wholesOf(extracted, items).filter((item) => isRow(extracted, item))
    const sum = (countOf: (item: Item) => number) => wholes.reduce((total, item) => total + countOf(item), 0)
    const none = items.length === 0 ? noneOf(extracted) : undefined
    return {
      filled: sum(({ required }) => required.filled),
      missing: none?.missing ?? sum(({ required }) => required.missing),
      lacking: countsOf(none?.properties ?? wholes.flatMap(({ required }) => required.properties), 1),
      again: tasks(lackingOf(extracted, wholes))
    }
  }
  const answers = new Map(answersTo(extracted, items, again))
  const rows = again.rows.map((row) => {
    const json = answers.get(row)?.json
    return { ...row, missing: row.missing.filter((name) => !isObject(json) || json[name] == null) }
  })
  const still = rows.reduce((sum, { missing }) => sum + missing.length, 0)
  const before = again.rows.reduce((sum, { missing }) => sum + missing.length, 0)
  const filledNow = again.rows.flatMap(({ missing }, at) => missing.filter((name) => !rows[at]?.missing.includes(name)))
  const lacking = countsOf(filledNow, -1)
  return {
    filled: before - still,
    missing: still,
    lacking,
    again: tasks(rows.filter(({ missing }) => missing.length > 0))
  }
}

const countsOf = (names: ReadonlyArray<string>, step: 1 | -1): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + step)
  return Object.fromEntries(counts)
}

/** The values that the one row of a job must have, all of them missing. */
const noneOf = (extracted: ExtractedTable): RequiredValues =>
  extracted.schema === undefined || !isSingle(extracted)
    ? { filled: 0, missing: 0, properties: [] }
    : requiredValues(extracted.schema.strict.shape, {})

/** The items with the same key joined, as the engine joins them to one row. */
const wholesOf = (extracted: ExtractedTable, items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const { key, schema } = extracted
  if (key === undefined || schema === undefined) return items
  const wholes = new Map<string, Item>()
  for (const [at, item] of items.entries()) {
    const name = nameOf(extracted, item) ?? `${at}`
    const before = wholes.get(name)
    const isFilled = before !== undefined && isObject(before.json) && isObject(item.json)
    const json = isFilled ? filled(before.json, item.json) : item.json
    wholes.set(name, isFilled ? { ...before, json, required: requiredValues(schema.strict.shape, json) } : item)
  }
  return [...wholes.values()]
}

/** The rows of a job that lack something and can be recognised later. */
const lackingOf = (extracted: ExtractedTable, items: ReadonlyArray<Item>): ReadonlyArray<JobPlan.Lacking> => {
  const alone = onlyOnes(items)
  return items.flatMap((item): ReadonlyArray<JobPlan.Lacking> => {
    const { number: row, required, url = null } = item
    const name = nameOf(extracted, item)
    const isKnown = name !== null || isSingle(extracted) || (url !== null && alone.get(url) === item)
    if (required.properties.length === 0 || item.cells._tag === "Failure" || !isKnown) return []
    if (extracted.key !== undefined && name === null) return []
    return [{ row, name, url, missing: required.properties }]
  })
}

const tasksOf = (
  extracted: ExtractedTable,
  rows: ReadonlyArray<JobPlan.Lacking>,
  task: JobPlan.Task,
  round: number,
  { jobId, size }: { readonly jobId: string; readonly size: number }
): ReadonlyArray<JobPlan.Task> => {
  const ofTask = isSingle(extracted) && extracted.key === undefined ? task.urls : []
  const pages = ofTask.length > 0 ? ofTask : [...new Set(rows.flatMap(({ url }) => url ?? []))]
  const first = task.again?.jobId ?? jobId
  return JobPlan.spread(rows.length === 0 ? [] : pages.slice(0, maxExtractUrls), ofTask.length || size).map(
    (urls, part) => ({
      name: `${task.name}.${round}.${part}`,
      urls,
      tries: 0,
      again: {
        round,
        jobId: first,
        rows: ofTask.length > 0 ? rows : rows.filter(({ url }) => url !== null && urls.includes(url))
      }
    })
  )
}

/** The user's schema, reduced to what identifies a row and what is missing. */
export const missingSchema = (
  { key, schema }: ExtractedTable,
  { rows }: NonNullable<JobPlan.Task["again"]>
): typeof JsonSchema.Type | undefined => {
  const cut = cutSchema({ key, schema }, rows)
  return isSent(cut) ? cut : undefined
}

const isSent = Schema.is(JsonSchema)

const cutSchema = (
  { key, schema }: Pick<ExtractedTable, "key" | "schema">,
  rows: ReadonlyArray<JobPlan.Lacking>
): SchemaObject | undefined => {
  if (schema === undefined) return undefined
  const { strict } = schema
  const whole = isSchemaObject(strict.schema) ? strict.schema : undefined
  if (whole === undefined || !canBeCut(strict)) return whole
  const named = [...strict.columns].flatMap(([property, column]) => (key?.includes(column) === true ? [property] : []))
  const wanted = new Set([...named, ...rows.flatMap(({ missing }) => missing)])
  const properties = propertiesOf(strict.row)
  const row = {
    ...(isSchemaObject(strict.row) ? strict.row : {}),
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => wanted.has(name))),
    required: [...wanted]
  }
  if (strict.at === "") return row
  const rest = Object.fromEntries(Object.entries(whole).filter(([keyword]) => shared.has(keyword)))
  const list = { type: "array", items: row }
  return strict.within === undefined
    ? { ...rest, ...list }
    : { ...rest, type: "object", required: [strict.within], properties: { [strict.within]: list } }
}

/** What other parts of a schema may refer to, and what says how to read it. */
const shared: ReadonlySet<string> = new Set("$schema $id id $anchor $defs definitions title description".split(" "))

/** Whether the schema can be reduced: its row declares its own properties, and nothing refers to them. */
const canBeCut = ({ row, schema }: JsonSchemaTable.JsonSchemaTable): boolean =>
  Object.keys(propertiesOf(row)).length > 0 && !/"#(?:\/(?:properties|items)[^"]*)?"/.test(JSON.stringify(schema))

const propertiesOf = (row: unknown): SchemaObject =>
  isSchemaObject(row) && isSchemaObject(row["properties"]) ? row["properties"] : {}
