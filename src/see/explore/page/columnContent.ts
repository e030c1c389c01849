/**
 * How the columns of a grid are shown, by what stands in them: in which order, how wide, and each value as people write it.
 *
 * It looks at the first rows only: the rest of a table has the same kind of values.
 */
import type { CellValue, ColumnInfo } from "../ExploreApi.ts"
import { isNested, isNumeric, isTime } from "../gridSql.ts"
import type { Row } from "./rows.ts"

export interface ShownColumn {
  readonly column: ColumnInfo
  /** Where its value stands in a row. */
  readonly at: number
  /** In pixels. */
  readonly width: number
  /** Whether somebody has chosen widths. */
  readonly isSized?: boolean
  readonly kind: Kind
  /** The value of a row as people write it; the value itself where that is the same. */
  readonly text: (row: Row) => string
}

type Kind = "number" | "money" | "time" | "boolean" | "link" | "text" | "nested"

/** What a person calls a value of this kind. */
export const kindWord = ({ column: { type }, kind }: Pick<ShownColumn, "column" | "kind">): string => {
  switch (kind) {
    case "time":
      return type === "DATE" || type === "date" ? "day" : "time"
    case "boolean":
      return "yes or no"
    case "nested":
      return type.endsWith("[]") ? "list" : "object"
    case "number":
    case "money":
    case "link":
    case "text":
      return kind
  }
}

const narrowest = 112
/** With a profile in the head, which has a line of words. */
const narrowestProfiled = 142
const widest = 360
const widestKey = 300
/** Texts of more characters than these are no words any more, and of more than those are for reading. */
const [shortText, wideText] = [40, 80]
const sampled = 200
/** Rows of which each text is measured, which costs more than to look at it. */
const measured = 60

interface Content {
  readonly columns: ReadonlyArray<ColumnInfo>
  /** The first rows. */
  readonly rows: ReadonlyArray<Row>
  readonly key: ReadonlyArray<string>
  /** Whether heads have a profile. */
  readonly isProfiled: boolean
}

/** The columns in the order of the table. */
export const columnContent = ({ columns, isProfiled, key, rows: all }: Content): ReadonlyArray<ShownColumn> => {
  const rows = all.slice(0, sampled)
  const currencies = currencyColumns(columns, rows, key)
  return columns.map((column, at) => {
    const kind = kindOf(column, at, rows, currencies)
    const text = writerOf({ column, at, kind, rows, isKey: key.includes(column.name), currency: currencies.get(at) })
    const lengths = rows
      .slice(0, measured)
      .map((row) => textWidth(text(row)))
      .toSorted((a, b) => a - b)
    // A few long values do not make a column wide.
    const usual = lengths[Math.floor(lengths.length * 0.95)] ?? 0
    const least = Math.max(isProfiled ? narrowestProfiled : narrowest, textWidth(column.name) * 1.1 + 48)
    const most = key.includes(column.name) ? widestKey : widest
    return { column, at, kind, text, width: Math.round(Math.max(least, Math.min(most, usual + 22))) }
  })
}

/** Key and short columns first, then what Millrace adds, and texts for reading last. */
export const arranged = (
  columns: ReadonlyArray<ShownColumn>,
  { key, rows }: Pick<Content, "key" | "rows">
): ReadonlyArray<ShownColumn> => {
  const rank = ({ at, column: { name }, kind }: ShownColumn): number => {
    if (key.includes(name)) return 0
    const lengths = rows.slice(0, sampled).flatMap((row) => (row[at] == null ? [] : [String(row[at]).length]))
    const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
    if (mean > wideText && kind !== "link") return 4
    if (name.startsWith("_") || historyNames.has(name)) return 3
    return kind === "link" || kind === "nested" || mean > shortText ? 2 : 1
  }
  return columns
    .map((column) => ({ column, rank: rank(column) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ column }) => column)
}

/** What a history adds to the columns of a table. */
const historyNames: ReadonlySet<string> = new Set(["valid_from", "valid_to", "is_current"])

const kindOf = (
  column: ColumnInfo,
  at: number,
  rows: ReadonlyArray<Row>,
  currencies: ReadonlyMap<number, number>
): Kind => {
  if (isNumeric(column)) return currencies.has(at) ? "money" : "number"
  if (isTime(column)) return "time"
  if (/^BOOL(?:EAN)?$/i.test(column.type)) return "boolean"
  if (isNested(column)) return "nested"
  const values = rows.flatMap((row) => (row[at] == null ? [] : [String(row[at])]))
  return values.length > 0 && values.filter(isLink).length > values.length / 2 ? "link" : "text"
}

export const isLink = (value: string): boolean => /^https?:\/\/\S+$/i.test(value)

/**
 * The columns of money, each with the column that has its currency: codes of ISO 4217. Its amounts stand before it and have one type,
 * so that an `id` before `price` is none, or behind it where no number stands before it; or it is named after them, as `price` and
 * `price_currency`. A key is no amount.
 */
const currencyColumns = (
  columns: ReadonlyArray<ColumnInfo>,
  rows: ReadonlyArray<Row>,
  key: ReadonlyArray<string>
): ReadonlyMap<number, number> => {
  const found = new Map<number, number>()
  const isAmount = (at: number): boolean => {
    const column = columns[at]
    return column !== undefined && isNumeric(column) && !key.includes(column.name)
  }
  for (const [at, { name }] of columns.entries()) {
    const values = rows.flatMap((row) => (row[at] == null ? [] : [row[at]]))
    if (values.length === 0 || !values.every(isCurrency)) continue
    const stem = /^(.+?)_?currency(?:_code)?$/i.exec(name)?.[1]
    const named = columns.findIndex((column, amount) => column.name === stem && isAmount(amount))
    let before = at - 1
    while (isAmount(before) && !found.has(before) && columns[before]?.type === columns[at - 1]?.type)
      found.set(before--, at)
    if (named !== -1) found.set(named, at)
    else if (before === at - 1 && isAmount(at + 1)) found.set(at + 1, at)
  }
  return found
}

let currencyCodes: ReadonlySet<string> | undefined

const isCurrency = (value: CellValue | undefined): boolean =>
  typeof value === "string" && (currencyCodes ??= new Set(Intl.supportedValuesOf("currency"))).has(value)

interface Written extends Pick<ShownColumn, "column" | "at" | "kind"> {
  readonly rows: ReadonlyArray<Row>
  readonly isKey: boolean
  /** The column with the currency of an amount. */
  readonly currency: number | undefined
}

const writerOf = (of: Written): ((row: Row) => string) => {
  const { at, currency, isKey, kind } = of
  const plain = (row: Row): string => (row[at] == null ? "null" : oneLine(String(row[at])))
  switch (kind) {
    case "boolean":
      return (row) => (row[at] == null ? "null" : yesOrNo(row[at]))
    case "link":
      return (row) => plain(row).replace(/^https?:\/\/(?:www\.)?(?=.)/i, "")
    case "time": {
      const write = timeWriter(of)
      return (row) => (row[at] == null ? "null" : write(String(row[at])))
    }
    case "number":
    case "money": {
      // The number of a thing is no amount.
      if (isKey) return plain
      const write = numberWriter(of)
      return (row) => {
        const value = row[at]
        if (value == null) return "null"
        const code = currency === undefined ? null : row[currency]
        return write(value, typeof code === "string" ? code : undefined)
      }
    }
    case "nested":
    case "text":
      return plain
  }
}

export const yesOrNo = (value: CellValue | undefined): string =>
  value === true || value === "true" ? "yes" : value === false || value === "false" ? "no" : String(value)

/** All numbers of a column have the same digits behind the point, so that they stand below each other. */
const numberWriter = ({ at, rows }: Written): ((value: CellValue, currency: string | undefined) => string) => {
  const digits = rows.reduce((most, row) => Math.max(most, fractionOf(row[at])), 0)
  const shown = Math.min(4, digits)
  const plain = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
    useGrouping: !isYears(rows, at)
  })
  const formats = new Map<string, Intl.NumberFormat>()
  const money = (currency: string): Intl.NumberFormat => {
    const known = formats.get(currency)
    if (known !== undefined) return known
    const made = new Intl.NumberFormat("en-US", { style: "currency", currency })
    formats.set(currency, made)
    return made
  }
  return (value, currency) => {
    const number = Number(value)
    if (!Number.isFinite(number) || (typeof value === "string" && !isExact(value))) return String(value)
    if (currency !== undefined && isCurrency(currency)) return money(currency).format(number)
    // A number that is almost nothing is not nothing.
    return number !== 0 && Math.abs(number) < 10 ** -shown / 2 ? String(value) : plain.format(number)
  }
}

/** Numbers that all have four digits are years or codes, which nobody writes with a comma. */
const isYears = (rows: ReadonlyArray<Row>, at: number): boolean =>
  rows.every((row) => row[at] == null || /^\d{4}$/.test(String(row[at])))

const fractionOf = (value: CellValue | undefined): number => /\.(\d+)$/.exec(String(value ?? ""))?.[1]?.length ?? 0

/** Whether a number that comes as text is one that JavaScript has. */
const isExact = (text: string): boolean => text.replace(/\D/g, "").replace(/^0+/, "").length <= 15

/** Times are UTC. A column whose times are all at midnight has days; one of a short while shows seconds. */
const timeWriter = ({ at, rows }: Written): ((value: string) => string) => {
  const times = rows.flatMap((row) => {
    const time = timeOf(String(row[at] ?? ""))
    return time === undefined ? [] : [time]
  })
  const isDay = times.every((time) => time % 86_400_000 === 0)
  const isShort = !isDay && Math.max(...times) - Math.min(...times) < 3_600_000
  const format = timeFormat(isDay ? "day" : isShort ? "second" : "minute")
  return (value) => {
    const time = timeOf(value)
    return time === undefined ? value : format.format(time)
  }
}

/** Milliseconds since 1970, of a day or a moment as databases write it; undefined: it is another text. */
export const timeOf = (text: string): number | undefined => {
  const [whole, day, clock = "00:00", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  // A browser knows no zone of hours alone.
  const time = Date.parse(`${day}T${clock}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`)
  return Number.isNaN(time) ? undefined : time
}

/** As "29 Nov 2026, 06:48". */
export const timeFormat = (precision: "day" | "minute" | "second"): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    dateStyle: "medium",
    ...(precision === "day" ? {} : { timeStyle: precision === "second" ? "medium" : "short" })
  })

/** A row of the grid is one line. */
const oneLine = (text: string): string => text.replace(/\s+/gu, " ")

let pen: CanvasRenderingContext2D | null | undefined

/** The pixels that a text takes in a cell. */
const textWidth = (text: string): number => {
  if (pen === undefined) {
    pen = document.createElement("canvas").getContext("2d")
    // The font of `pageHtml.ts`; to ask the page for it would lay it out once more.
    if (pen !== null) pen.font = '13px system-ui,-apple-system,"Segoe UI",sans-serif'
  }
  // Wider than any column.
  return pen?.measureText(text.slice(0, 80)).width ?? text.length * 7
}
