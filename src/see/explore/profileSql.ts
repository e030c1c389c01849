/**
 * What the columns of a table hold, in SQL of DuckDB or Postgres: how many values there are, how many differ, which are frequent,
 * and how numbers and times are spread.
 *
 * A large table is looked at in a part, so that nobody waits long. It imports nothing of the server, since the page of an
 * exported folder asks with it in the browser.
 */
import type { Bin, CellValue, ColumnInfo, ColumnSummary, TablesAnswer } from "./ExploreApi.ts"
import { isNested, isNumeric, isText, isTime, quote } from "./gridSql.ts"

/** Rows of which all are read. */
const mostRows = 200_000
/** Rows that are read of a larger table. */
const someRows = 100_000
/** Rows of which different values are counted exactly. */
const exactRows = 20_000

export interface Source {
  readonly table: string
  /** Which of its rows are meant: " WHERE ..."; empty: all of them. */
  readonly only: string
  /** How many these are. */
  readonly rows: number
  readonly dialect: TablesAnswer["dialect"]
}

export const rowsSql = ({ only, table }: Pick<Source, "table" | "only">): string =>
  `SELECT count(*) AS n FROM ${quote(table)}${only}`

/** How figures are counted: "The figures are ...". */
export const basisOf = ({ dialect, only, rows }: Source): string => {
  if (rows <= mostRows) return only === "" ? "counted in all rows" : "counted in all rows that the filters leave"
  const n = (count: number) => count.toLocaleString("en-US")
  return dialect === "DuckDB"
    ? `estimated from a sample of about ${n(someRows)} of ${n(rows)} rows`
    : `estimated from the first ${n(someRows)} of ${n(rows)} rows`
}

/** What is known of a column before its values are counted one by one. */
export interface Figures {
  readonly column: ColumnInfo
  readonly rows: number
  readonly filled: number
  readonly distinct: number | null
  readonly compared: number
  readonly isDistinctExact: boolean
  readonly mean: number | null
  readonly median: number | null
  /** Of numbers, and of times in seconds since 1970. */
  readonly min: number | null
  readonly max: number | null
  readonly meanLength: number | null
  /** Undefined: not known yet. */
  readonly top: ColumnSummary["top"] | undefined
}

export const figuresSql = (source: Source, columns: ReadonlyArray<ColumnInfo>): string => {
  const figures = columns.flatMap((column, at) => {
    const name = quote(column.name)
    const value = numberSql(column)
    return [
      `count(${name}) AS filled${at}`,
      ...(isNested(column) ? [] : [`${distinctSql(source, name)} AS distinct${at}`]),
      ...(isText(column) && !isNested(column) ? [`avg(length(${name})) AS length${at}`] : []),
      ...(value === undefined ? [] : [`min(${value}) AS least${at}`, `max(${value}) AS greatest${at}`]),
      ...(isNumeric(column)
        ? [`avg(${value}) AS mean${at}`, `percentile_cont(0.5) WITHIN GROUP (ORDER BY ${value}) AS median${at}`]
        : [])
    ]
  })
  return `SELECT count(*) AS n, ${figures.join(", ")} FROM ${sampleOf(source)}`
}

export const figuresIn = (
  source: Source,
  columns: ReadonlyArray<ColumnInfo>,
  row: Readonly<Record<string, unknown>>
): ReadonlyArray<Figures> => {
  const looked = Number(row["n"] ?? 0)
  // What was counted in a sample is said of all rows.
  const scaled = (count: number) => (looked === 0 ? 0 : Math.round((count * source.rows) / looked))
  return columns.map((column, at) => {
    const number = (name: string): number | null => {
      const value = row[`${name}${at}`]
      return value === null || value === undefined ? null : Number(value)
    }
    return {
      column,
      rows: source.rows,
      filled: scaled(number("filled") ?? 0),
      distinct: number("distinct"),
      compared: looked,
      isDistinctExact: source.rows <= exactRows,
      mean: number("mean"),
      median: number("median"),
      min: number("least"),
      max: number("greatest"),
      meanLength: number("length"),
      top: undefined
    }
  })
}

/** In a large table an estimate of different values takes no memory. */
const distinctSql = ({ dialect, rows }: Source, name: string): string =>
  dialect === "DuckDB" && rows > exactRows ? `approx_count_distinct(${name})` : `count(DISTINCT ${name})`

/** A number or a time as a number; undefined: it is neither. */
const numberSql = (column: ColumnInfo): string | undefined => {
  const name = quote(column.name)
  return isNumeric(column)
    ? `CAST(${name} AS FLOAT8)`
    : isTime(column)
      ? `CAST(extract(epoch FROM ${name}) AS FLOAT8)`
      : undefined
}

const sampleOf = ({ dialect, only, rows, table }: Source): string => {
  if (rows <= mostRows) return `${quote(table)}${only}`
  if (dialect === "Postgres") return `(SELECT * FROM ${quote(table)}${only} LIMIT ${someRows}) AS part`
  const percent = ((100 * someRows) / rows).toFixed(4)
  return `${quote(table)} TABLESAMPLE system(${percent}%) REPEATABLE (1)${only}`
}

/** Numbers of fewer different values are shown one by one. */
const fewValues = 6
const mostTop = 10
/** Longer texts are read, and not compared. */
const longestTop = 80

interface Counted {
  readonly at: number
  /** Undefined: the most frequent values are counted. */
  readonly bins: { readonly start: number; readonly step: number; readonly count: number } | undefined
}

const countedOf = (figures: ReadonlyArray<Figures>): ReadonlyArray<Counted> =>
  figures.flatMap((one, at): ReadonlyArray<Counted> => {
    const { column, compared, distinct, filled, max, meanLength, min, rows, top } = one
    if (filled === 0 || isNested(column)) return []
    const isSpread = min !== null && max !== null && max > min && (distinct ?? 0) > fewValues
    if (isSpread) return [{ at, bins: binsOf(column, min, max) }]
    const isRare = distinct !== null && distinct > (filled * compared) / rows / 2 && distinct > mostTop
    return top !== undefined || isRare || (meanLength ?? 0) > longestTop ? [] : [{ at, bins: undefined }]
  })

/** Counts of bins and of frequent values; undefined: nothing is to be counted. */
export const countsSql = (source: Source, figures: ReadonlyArray<Figures>): string | undefined => {
  const from = sampleOf(source)
  const parts = countedOf(figures).flatMap(({ at, bins }) => {
    const column = figures[at]?.column
    if (column === undefined) return []
    const name = quote(column.name)
    if (bins === undefined) {
      const sql = `SELECT ${at} AS at, CAST(${name} AS VARCHAR) AS value, count(*) AS n FROM ${from} GROUP BY ${name} ORDER BY n DESC, value LIMIT ${mostTop + 1}`
      return [`SELECT * FROM (${sql}) AS top${at}`]
    }
    // A value at a border, such as 2.4 in steps of 0.2, would be under it by the dust of the division.
    const place = `floor((${numberSql(column) ?? name} - ${bins.start}) / ${bins.step} + 1e-9)`
    // The greatest value is in the last bin. (`least` of a null would be that bin.)
    const bin = `CAST(CASE WHEN ${place} >= ${bins.count} THEN ${bins.count - 1} ELSE ${place} END AS VARCHAR)`
    return [`SELECT ${at} AS at, ${bin} AS value, count(${name}) AS n FROM ${from} GROUP BY 2`]
  })
  return parts.length === 0 ? undefined : parts.join("\nUNION ALL ")
}

/** `counts`: of the rows that were looked at, which are said of all. */
export const summariesOf = (
  source: Source,
  figures: ReadonlyArray<Figures>,
  counts: ReadonlyArray<{ readonly at: number; readonly value: CellValue; readonly count: number }>
): ReadonlyArray<ColumnSummary> => {
  const counted = countedOf(figures)
  const share = source.rows <= mostRows ? 1 : source.rows / someRows
  return figures.map((one, at): ColumnSummary => {
    const own = counts.flatMap(({ at: of, count, value }) =>
      of === at && value !== null ? [{ value, count: Math.round(count * share) }] : []
    )
    const { start, step, count } = counted.find((part) => part.at === at)?.bins ?? { start: 0, step: 0, count: 0 }
    const inBin = new Map(own.map(({ count, value }) => [Number(value), count]))
    const bins = Array.from(
      { length: count },
      (_, bin): Bin => ({
        from: rounded(start + bin * step),
        to: rounded(start + (bin + 1) * step),
        count: inBin.get(bin) ?? 0
      })
    )
    const top = own.toSorted((a, b) => b.count - a.count).map(({ count, value }) => ({ value: String(value), count }))
    return {
      name: one.column.name,
      rows: one.rows,
      filled: one.filled,
      distinct: one.distinct === null ? null : Math.min(one.distinct, one.filled),
      compared: one.compared,
      isDistinctExact: one.isDistinctExact,
      mean: one.mean,
      median: one.median,
      bins,
      top: (bins.length > 0 ? [] : (one.top ?? top)).slice(0, mostTop)
    }
  })
}

const mostBins = 24
const [minute, hour, day] = [60, 3600, 86_400]
const timeSteps = [
  [1, 5, 15, 30],
  [1, 5, 15, 30].map((minutes) => minutes * minute),
  [1, 3, 6, 12].map((hours) => hours * hour),
  [1, 2, 7, 14, 28, 91].map((days) => days * day)
].flat()

/** Bins of a width that a person would choose. */
const binsOf = (column: ColumnInfo, min: number, max: number): NonNullable<Counted["bins"]> => {
  const raw = (max - min) / mostBins
  const step = isTime(column) ? timeStep(column, raw) : numberStep(column, raw)
  const start = Math.floor(min / step) * step
  return { start: rounded(start), step, count: Math.max(1, Math.floor(rounded((max - start) / step)) + 1) }
}

const numberStep = (column: ColumnInfo, raw: number): number => {
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = ([1, 2, 5, 10].find((nice) => nice * power >= raw) ?? 10) * power
  return /INT/i.test(column.type) ? Math.max(1, step) : rounded(step)
}

const timeStep = (column: ColumnInfo, raw: number): number => {
  const least = column.type === "DATE" ? day : 1
  const found = timeSteps.find((step) => step >= raw && step >= least)
  return found ?? Math.ceil(raw / (365 * day)) * 365 * day
}

/** Without the dust of sums: 0.1 + 0.2. */
const rounded = (value: number): number => Number(value.toPrecision(12))
