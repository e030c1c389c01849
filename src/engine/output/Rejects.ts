/**
 * The table of rows that did not fit: `TABLE__rejects`, with the reason and the raw value.
 *
 * Guarantee: no row is lost. The id of a reject follows from its content and its place in its run, so the same journal gives
 * the same ids. When a later run loads its row, the reject stays, and `resolved_by` names that run.
 */
import { createHash } from "node:crypto"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as CellJson from "../CellJson.ts"
import type { ColumnType } from "../Column.ts"
import * as Column from "../Column.ts"
import type { SourceResponse } from "../SourceElement.ts"
import * as Table from "../Table.ts"

export interface Rejected {
  /** The name in the pipeline of the table that the row was meant for. */
  readonly table: string
  readonly reason: string
  readonly path?: string
  readonly raw: unknown
  /** When its answer arrived, in milliseconds since the epoch. */
  readonly at: number
  /** Its number among the rejects of its run. */
  readonly ordinal: number
  /** An answer with the data of this row alone, if the source could not make a row of it. */
  readonly answer?: SourceResponse
}

/** How many rows were rejected, and the first reasons: one for each part that did not fit. */
export interface Reasons {
  readonly count: number
  readonly first: ReadonlyArray<string>
}

/** Reasons that are still counted. */
export interface ReasonCounter extends Reasons {
  readonly take: (some: ReadonlyArray<Rejected>) => void
}

/** Collects the first reasons. */
export const reasons = (): ReasonCounter => {
  const byPart = new Map<string, { readonly reason: string; times: number }>()
  let count = 0
  return {
    get count() {
      return count
    },
    get first() {
      return [...byPart.values()].map(({ reason, times }) => (times === 1 ? reason : `${reason} (${times} times)`))
    },
    take: (some) => {
      count += some.length
      for (const { path, reason, table } of some) {
        const part = `${table} ${path ?? reason}`
        const known = byPart.get(part)
        if (known !== undefined) known.times++
        else if (byPart.size < mostReasons) byPart.set(part, { reason, times: 1 })
      }
    }
  }
}

const mostReasons = 3

/**
 * Who rejected the row. source: the raw value is the row as the source gave it. destination: it is the row after the steps,
 * as the destination should have got it.
 */
type RejectedBy = "source" | "destination"

const { described } = Column

export const tableOf = (main: Table.Table): Table.Table =>
  Table.make({
    name: `${main.name}__rejects`,
    description: "one row per value that did not fit its table, with the reason",
    key: ["reject_id"],
    schema: Schema.Struct({
      reject_id: described(Schema.String, "the id of the reject: it follows from its content and its place in the run"),
      table_name: described(Schema.String, "the table that the value was meant for"),
      rejected_by: described(
        Schema.Literals(["source", "destination"]),
        "source: the value as it came; destination: a row after the steps"
      ),
      reason: described(Schema.String, "why it did not fit"),
      path: described(
        Schema.NullOr(Schema.String),
        "the part that did not fit: the name of a column, or a JSON pointer into the value"
      ),
      raw: described(Schema.NullOr(Schema.Unknown), "the value"),
      answer: described(Schema.NullOr(Schema.Unknown), "the answer of the source, for this row alone"),
      rejected_at: described(Column.Timestamp, "when the value arrived"),
      resolved_by: described(Schema.NullOr(Schema.String), "the run that loaded it later")
    })
  })

export const rowsOf = (rejected: ReadonlyArray<Rejected>, by: RejectedBy): ReadonlyArray<Table.Row> =>
  rejected.map(({ answer, at, ordinal, path, raw, reason, table }) => {
    const rawJson = CellJson.ofAnything(raw)
    return {
      reject_id: createHash("sha256")
        .update(JSON.stringify([table, ordinal, at, rawJson]))
        .digest("hex")
        .slice(0, 24),
      table_name: table,
      rejected_by: by,
      reason,
      path: path ?? null,
      raw: rawJson,
      answer: answer === undefined ? null : { ...answer },
      rejected_at: Column.timestampFromMillis(at),
      resolved_by: null
    }
  })

/**
 * A row from the JSON that the table of rejects kept.
 *
 * Whole numbers and points in time are bigints in a row, and numbers or (if they are long) text in its JSON. A value
 * that cannot be converted back stays as it is: it does not fit, and is rejected again with its reason.
 */
export const rejectedRow = ({ columns }: Table.Table, raw: unknown): Table.Row => {
  if (!Predicate.isObject(raw)) return { raw }
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  return Object.fromEntries(Object.entries(raw).map(([name, cell]) => [name, cellOf(types.get(name), cell)]))
}

const cellOf = (type: ColumnType | undefined, cell: unknown): unknown => {
  switch (type?._tag) {
    case undefined:
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "JSON":
    case "VARCHAR":
      return cell
    case "BIGINT":
    case "TIMESTAMP": {
      const isWhole = typeof cell === "string" ? /^-?\d+$/.test(cell) : Number.isSafeInteger(cell)
      return isWhole ? BigInt(String(cell)) : cell
    }
    case "DOUBLE":
      return cell === "NaN" || cell === "Infinity" || cell === "-Infinity" ? Number(cell) : cell
    case "LIST":
      return Array.isArray(cell) ? cell.map((item) => cellOf(type.of.type, item)) : cell
    case "STRUCT":
      return Predicate.isObject(cell)
        ? Object.fromEntries(
            Object.entries(cell).map(([name, item]) => [
              name,
              cellOf(type.fields.find((field) => field.name === name)?.type, item)
            ])
          )
        : cell
  }
}
