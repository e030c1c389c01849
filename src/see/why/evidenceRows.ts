/**
 * Where a value comes from, according to the stored rows: its own row, and the rows of its evidence.
 *
 * This file imports nothing that needs Node, because the page of an exported folder uses it in the browser.
 */
import { jsonOf } from "#base/readableText"
import type * as Table from "#engine/Table"
import { isEvidenceFor } from "./evidenceOf.ts"
import type { Evidence, WhyModel } from "./WhyModel.ts"

/** A value as a person writes it. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null))

export const textIn = (row: Table.Row, name: string): string | null => {
  const value = row[name]
  return value === null || value === undefined ? null : textOf(value)
}

/** In a history: the current version, or the last one if none is current. Otherwise: the rows of the last run. */
export const current = (rows: ReadonlyArray<Table.Row>): ReadonlyArray<Table.Row> => {
  const versions = rows.filter((row) => row["valid_from"] !== undefined)
  if (versions.length > 0) {
    const open = versions.filter((row) => row["valid_to"] === null)
    return open.length > 0 ? open : versions.slice(-1)
  }
  const runs = rows.map((row) => textIn(row, "_run_id") ?? "").toSorted()
  return rows.filter((row) => (textIn(row, "_run_id") ?? "") === runs.at(-1))
}

/** Where and when a row was read. */
export const readingOf = (row: Table.Row): WhyModel["row"] => ({
  url: textIn(row, "url") ?? textIn(row, "_source_url"),
  fetched_at: textIn(row, "_fetched_at"),
  run_id: textIn(row, "_run_id"),
  job_id: textIn(row, "_job_id")
})

/** The evidence of one value, from all evidence of its row. */
export const evidenceIn = (
  sources: ReadonlyArray<Table.Row>,
  of: Parameters<typeof isEvidenceFor>[1]
): ReadonlyArray<Omit<Evidence, "context">> => {
  // If loads are appended, each load has evidence of its own.
  const own = sources.filter((source) => source["_run_id"] === of.row["_run_id"])
  const found = (own.length > 0 ? own : sources)
    .filter((source) => isEvidenceFor(String(source["path"]), of))
    .map(evidenceOf)
  // The page that most of the row comes from is the best evidence.
  const isOwn = ({ url }: { readonly url: string }) => Number(url === of.row["_source_url"])
  return found.toSorted((a, b) => isOwn(b) - isOwn(a))
}

const evidenceOf = (source: Table.Row): Omit<Evidence, "context"> => {
  const [from, to] = [source["span_from"], source["span_to"]]
  return {
    url: String(source["url"]),
    fetched_at: textIn(source, "_fetched_at"),
    kind: String(source["kind"]),
    place: String(source["source_path"]),
    value: textIn(source, "value"),
    certainty: textIn(source, "certainty"),
    supported: typeof source["supported"] === "boolean" ? source["supported"] : null,
    span: from === null || from === undefined || to === null || to === undefined ? null : [Number(from), Number(to)]
  }
}

/** Whether a table has the evidence of a column beside it: of data in one cell, and of the fields of a page that changed. */
export const isBeside = (columns: ReadonlyArray<{ readonly name: string }>, column: string): boolean =>
  columns.some(({ name }) => name === `${column}_sources`)

/** The evidence of the values in one cell, from the cell beside it: the sources of each, by its JSON pointer. */
export const evidenceBeside = (row: Table.Row, column: string): ReadonlyArray<Omit<Evidence, "context">> =>
  Object.entries(membersOf(row[`${column}_sources`])).flatMap(([pointer, sources]) =>
    (Array.isArray(sources) ? sources : []).map((source: unknown) => {
      const { certainty, kind, path, span, supported, url } = membersOf(source)
      const { 0: from, 1: to } = membersOf(span)
      return {
        url: String(url),
        fetched_at: textIn(row, "_fetched_at"),
        kind: String(kind),
        place: `${pointer}: ${String(path)}`,
        value: valueAt(row[column], pointer),
        certainty: typeof certainty === "string" ? certainty : null,
        supported: typeof supported === "boolean" ? supported : null,
        span: from === undefined || to === undefined ? null : ([Number(from), Number(to)] as const)
      }
    })
  )

/** A value in a cell, by its JSON pointer; of fields that changed, which have dotted names, as it is now. */
const valueAt = (cell: unknown, pointer: string): string | null => {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
  const inside = (path: ReadonlyArray<string>): unknown => path.reduce((held, step) => membersOf(held)[step], cell)
  const value = inside(steps) ?? inside([steps.join("."), "current"])
  return value === null || value === undefined ? null : textOf(value)
}

/** The members of an object or a list, which a destination may give as text. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> => {
  const held = typeof value === "string" ? jsonOf(value) : value
  return typeof held === "object" && held !== null ? Object.fromEntries(Object.entries(held)) : {}
}

/** Notes for a value without evidence. */
export const notesWithout = (
  table: string,
  keepsEvidence: boolean,
  evidence: ReadonlyArray<unknown>,
  value: unknown
): ReadonlyArray<string> => {
  if (!keepsEvidence)
    return [`table ${table} does not record places of single values: each row is made from its page as a whole`]
  if (evidence.length > 0) return []
  return [
    value === null
      ? "the value is null: no page that was read for this row says it"
      : "no page is recorded for this value: it follows from other columns"
  ]
}
