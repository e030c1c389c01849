/**
 * The items in the data of a job: each with its cells, the sources of its values, and what it lacks.
 *
 * An item of only nulls does not count. The sources of an item's values are addressed by JSON pointers within the item.
 */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { pointerOf } from "#base/pointerOf"
import type { Sources, ValueSource } from "#contract/Extract"
import * as JsonSchemaTable from "#engine/JsonSchemaTable"
import type * as Table from "#engine/Table"
import { found, isNothing } from "../foundJson.ts"
import type { ExtractedTable } from "./extractedTable.ts"
import { type RequiredValues, requiredValues } from "./requiredValues.ts"

/** The data of a job. */
export interface Given {
  readonly data: unknown
  readonly sources: Sources
}

/** One item of the data. */
export interface Item {
  /** Its number in the job. */
  readonly number: number
  readonly json: unknown
  /** Its cells without the system columns, or why it has none. */
  readonly cells: Result.Result<Table.Row, { readonly path: string; readonly message: string }>
  /** The sources of its values, by JSON pointer in the item. */
  readonly sources: ReadonlyArray<readonly [pointer: string, from: ReadonlyArray<ValueSource>]>
  /** The page that most of its values come from. */
  readonly url: string | undefined
  readonly required: RequiredValues
}

export type ReadItems = (given: Given) => ReadonlyArray<Item>

/** Compiles the schema. */
export const reader = ({ schema }: ExtractedTable) =>
  schema === undefined
    ? Effect.succeed(
        itemsOf(
          (data) => [data],
          "",
          (json) => Result.succeed({ data: json }),
          () => nothingRequired
        )
      )
    : Effect.map(JsonSchemaTable.reader(schema.read), (read) => {
        const { at, within } = schema.read
        const prefix = at === "" ? undefined : within === undefined ? "" : pointerOf("", within)
        return itemsOf(
          (data) => JsonSchemaTable.rowsIn(schema.read, data),
          prefix,
          (json) => read(found(schema.read.shape, json)),
          (json) => requiredValues(schema.strict.shape, json)
        )
      })

const nothingRequired: RequiredValues = { filled: 0, missing: 0, properties: [] }

const itemsOf =
  (
    rowsIn: (data: unknown) => ReadonlyArray<unknown>,
    /** The pointer to the list of items; undefined: the data is the item. */
    prefix: string | undefined,
    read: (json: unknown) => Item["cells"],
    required: (json: unknown) => RequiredValues
  ): ReadItems =>
  ({ data, sources }) => {
    const bySource = sourcesByItem(sources, prefix)
    return rowsIn(data).flatMap((json, number): ReadonlyArray<Item> => {
      if (isNothing(json)) return []
      const sources = bySource.get(prefix === undefined ? 0 : number) ?? []
      return [{ number, json, cells: read(json), sources: sources, url: maxOf(sources), required: required(json) }]
    })
  }

/** The sources of each item, collected in one pass. */
const sourcesByItem = (
  sources: Sources,
  prefix: string | undefined
): ReadonlyMap<number, Array<Item["sources"][number]>> => {
  const all = new Map<number, Array<Item["sources"][number]>>()
  for (const [pointer, from] of Object.entries(sources)) {
    let [number, rest] = [0, pointer]
    if (prefix !== undefined) {
      const match = pointer.startsWith(`${prefix}/`) ? /^\/(\d{1,9})(\/.*)?$/s.exec(pointer.slice(prefix.length)) : null
      if (match === null) continue
      number = Number(match[1])
      rest = match[2] ?? ""
    }
    const some = all.get(number) ?? []
    all.set(number, some)
    some.push([rest, from])
  }
  return all
}

/** The page that is named most often, of several the first. */
const maxOf = (sources: Item["sources"]): string | undefined => {
  const counts = new Map<string, number>()
  for (const [, from] of sources) for (const { url } of from) counts.set(url, (counts.get(url) ?? 0) + 1)
  let most: readonly [string, number] | undefined
  for (const entry of counts) if (most === undefined || entry[1] > most[1]) most = entry
  return most?.[0]
}

/** For a job of one page, every item belongs to that page, even if its values have no sources. */
export const ofPage = ({ isOfPage }: ExtractedTable, [page]: ReadonlyArray<string>, item: Item): Item =>
  isOfPage && page !== undefined ? { ...item, url: page } : item
