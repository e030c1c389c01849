/**
 * What the sources extract and agent share: their tables, and how a job's data becomes rows.
 *
 * It is made once for the options of a source and the user's key. The schema is compiled once, before the first
 * request, so nobody pays for data that an invalid schema could not read.
 */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { SchemaObject } from "#engine/JsonSchemaDraft"
import type { JsonSchemaError } from "#engine/JsonSchemaValidator"
import * as Source from "#engine/Source"
import type { SourceResponse } from "#engine/SourceElement"
import { isObject } from "../foundJson.ts"
import { once } from "../once.ts"
import * as extractedItems from "./extractedItems.ts"
import * as extractedRows from "./extractedRows.ts"
import { type ExtractedTable, extractedTable } from "./extractedTable.ts"
import type * as JobPlan from "./JobPlan.ts"

export interface ExtractedSource {
  readonly extracted: ExtractedTable
  /** Reads data; fails if the schema is invalid. */
  readonly items: Effect.Effect<extractedItems.ReadItems, Source.SourceError>
  /** The rows of an answer with data, and the sources of their values. */
  readonly elementsOf: (
    answer: Source.Fetched<JobPlan.Cursor>,
    given: extractedItems.Given,
    hasData: boolean
  ) => Effect.Effect<ReturnType<typeof extractedRows.elementsOf>, Source.SourceError>
  readonly unreadable: (answer: Pick<SourceResponse, "kind">) => (cause: Schema.SchemaError) => Source.SourceError
}

export const extractedSource = (options: {
  readonly source: string
  readonly name: string
  readonly schema: SchemaObject | undefined
  readonly key: ReadonlyArray<string> | undefined
  readonly isOfPage?: boolean
}): ExtractedSource => {
  const { source } = options
  const extracted = extractedTable(options)
  const items = once(Effect.mapError(extractedItems.reader(extracted), unusable(source)))
  return {
    extracted,
    items,
    elementsOf: Effect.fnUntraced(function* (answer, given, hasData) {
      const { alone = 0, task } = answer.cursor
      if (!hasData || task.job === undefined) return []
      const read = (yield* items)(given).map((item) => ({
        ...extractedItems.ofPage(extracted, task.urls, item),
        number: item.number + alone
      }))
      return extractedRows.elementsOf(extracted, read, {
        jobId: task.job.jobId,
        now: answer.at,
        task,
        alone: (item) => aloneOf(extracted, answer, item)
      })
    }),
    unreadable:
      ({ kind }) =>
      (cause) =>
        new Source.SourceError({
          source,
          message: `the service's answer (${kind} of a job) does not match the API contract: ${cause.message}`,
          retryable: false,
          cause
        })
  }
}

/** The answer with this item alone. */
const aloneOf = (
  { schema }: ExtractedTable,
  answer: Source.Fetched<JobPlan.Cursor>,
  { json, number, sources }: extractedItems.Item
): Source.Fetched<JobPlan.Cursor> => {
  const list = schema === undefined || schema.read.at === "" ? undefined : schema.read.within
  const isSingle = schema === undefined || schema.read.at === ""
  const data = isSingle ? json : list === undefined ? [json] : { [list]: [json] }
  const prefix = isSingle ? "" : list === undefined ? "/0" : `/${list.replaceAll("~", "~0").replaceAll("/", "~1")}/0`
  const own = Object.fromEntries(sources.map(([pointer, from]) => [`${prefix}${pointer}`, from]))
  const status: unknown = JSON.parse(answer.text)
  return {
    ...answer,
    text: JSON.stringify({ ...(isObject(status) ? status : {}), data, sources: own }),
    cursor: { ...answer.cursor, isLast: false, alone: number }
  }
}

const unusable = (source: string) => (cause: JsonSchemaError) =>
  new Source.SourceError({ source, message: `${cause.message}; correct source.schema`, retryable: false, cause })
