/**
 * Reads cells from the text of the server: how a column is selected, and how its text is converted.
 *
 * A member of JSON is converted to the type of its column, even if it was written with another type: 7 becomes "7" if the
 * member is text now. So all rows of a struct whose fields were widened are read with the wider types.
 */
import * as Column from "#engine/Column"
import * as Instant from "#engine/Instant"
import { parseJson } from "#engine/parseJson"
import { isPlain } from "../columnSql.ts"

/** The expression that selects a column for `cellReader`. */
export const selected = ({ name, type }: Column.Column): string => {
  const quoted = Column.quote(name)
  return type._tag === "LIST" && isPlain(type.of.type) ? `to_json(${quoted}::text[])::text AS ${quoted}` : quoted
}

/** Makes the function that converts the text of a cell to the cell. */
export const cellReader = (type: Column.ColumnType): ((text: string | null) => unknown) => {
  const read = readerOf(type)
  return (text) => (text === null ? null : read(text))
}

const readerOf = (type: Column.ColumnType): ((text: string) => unknown) => {
  switch (type._tag) {
    case "VARCHAR":
    case "DECIMAL":
    case "DATE":
      return (text) => text
    case "BOOLEAN":
      return (text) => text === "t" || text === "true"
    case "BIGINT":
      return BigInt
    case "DOUBLE":
      return Number
    case "TIMESTAMP":
      return momentOf
    case "JSON":
      return parseJson
    case "STRUCT":
    case "LIST": {
      const member = memberReader(type)
      return (text) => member(parseJson(text))
    }
  }
}

/** A member of JSON as a cell of its type. */
const memberReader = (type: Column.ColumnType): ((value: unknown) => unknown) => {
  switch (type._tag) {
    case "STRUCT": {
      const fields = type.fields.map((field) => [field.name, memberReader(field.type)] as const)
      return (value) =>
        typeof value === "object" && value !== null
          ? Object.fromEntries(
              fields.map(([name, read]) => [name, read(Object.hasOwn(value, name) ? Reflect.get(value, name) : null)])
            )
          : null
    }
    case "LIST": {
      const read = memberReader(type.of.type)
      return (value) => (Array.isArray(value) ? value.map(read) : null)
    }
    case "JSON":
      return (value) => value ?? null
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "TIMESTAMP":
    case "VARCHAR": {
      const read = readerOf(type)
      return (value) => (value === null || value === undefined ? null : read(textOf(value)))
    }
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const pattern = /^([+-]?\d{4,})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?(?:Z|\+00(?::00)?)?( BC)?$/

/** The microseconds of a moment in UTC, as Postgres and as `Instant.textOf` write it. */
const momentOf = (text: string): bigint => {
  const endless = /^-?infinity$/.test(text) ? Instant.writtenMicrosOf(text) : undefined
  if (endless !== undefined) return endless
  const found = pattern.exec(text)
  if (found === null) throw new Error(`${text} is not a point in time of ours; cast it to text`)
  const [, years = "", month = "", day = "", hour = "0", minute = "0", second = "0", fraction = "", before] = found
  const year = before === undefined ? Number(years) : 1 - Number(years)
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const days = Instant.daysBefore(year, Number(month), Number(day))
  return BigInt(days) * 86_400_000_000n + BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, "0"))
}
