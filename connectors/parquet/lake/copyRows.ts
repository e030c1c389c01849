/**
 * Copies the rows of one file into another, group by group: for copy on write and compaction.
 *
 * A row group without changes is copied without decompressing it; of the others one at a time is in memory. Rows keep their
 * order.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { columnsIn, describe } from "#engine/describeDuckdb"
import { exactly } from "#engine/duckdbCast"
import type * as GrowingFile from "#engine/GrowingParquetFile"
import { hasJson } from "#engine/jsonAsText"
import * as Footer from "#engine/ParquetFooter"
import * as Leaf from "#engine/ParquetLeaf"
import { footerOf } from "#engine/readParquetFooter"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import { numbered, projection, scan, stored } from "../format/fileSql.ts"
import type * as Manifest from "../manifest/Manifest.ts"
import * as LakeSession from "./LakeSession.ts"
import { place, placeSql } from "./place.ts"

/** A local file and what is known of it without reading its rows. */
export interface Source {
  readonly path: string
  /** The columns of its rows: those in the file, and those of its partition. */
  readonly columns: ReadonlyArray<Column.Column>
  readonly footer: Footer.Footer
  readonly partition: Manifest.DataFile["partition"]
  /** Its rows as a table in SQL; and the same with the row number in the file as `file_row_number`. */
  readonly rows: string
  readonly numbered: string
  /** Rows of files of its columns and its partition, with the values of that. */
  readonly withPartition: (rows: string) => string
}

/** A file by its number in places. */
export interface Numbered {
  readonly number: number
  readonly source: Source
}

/** The changes of the rows. The queries give row numbers, in a column named `row`. */
export interface RowChange {
  /** The columns of the rows; default: those of the source. */
  readonly columns?: ReadonlyArray<Column.Column>
  /** Only these stay. */
  readonly stay?: string
  /** These are removed. */
  readonly go?: string
  /** The values of columns that the source lacks: SQL by column; default: null. */
  readonly absent?: Values
  /** These get new values in some columns. */
  readonly change?: ReadonlyArray<{ readonly rows: string; readonly values: Values }>
}

/** SQL by column. */
export type Values = Readonly<Record<string, string>>

export const openSource = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  path: string,
  partition: Manifest.DataFile["partition"],
  table: ReadonlyArray<Column.Column>
): Effect.fn.Return<Source, Sink.SinkError> {
  const present = yield* describe(session.database, scan(path)).pipe(Effect.mapError(failure(`cannot read ${path}`)))
  const footer = yield* LakeSession.local(`cannot read ${path}`, () => footerOf(path))
  yield* LakeSession.assertNamed(session, path, footer)
  const own = columnsIn(present).map((column) => typed(column, footer))
  // Files of version 0.1 have these columns themselves.
  const named = table.filter(({ name }) => Object.hasOwn(partition, name) && Column.named(own, name) === undefined)
  const values = named.map(({ name, type }) => {
    const value = partition[name]
    const sql = typeof value === "string" ? Database.literal(value) : "NULL"
    return `CAST(${sql} AS ${Column.toSql(type)}) AS ${Column.quote(name)}`
  })
  const withPartition = (rows: string) => (values.length === 0 ? rows : `(SELECT *, ${values.join(", ")} FROM ${rows})`)
  const columns = [...own, ...named]
  return {
    path,
    columns,
    footer,
    partition,
    rows: withPartition(scan(path)),
    numbered: withPartition(numbered(path)),
    withPartition
  }
})

/** A column with its type in the footer of a file: DuckDB shows JSON as text. */
const typed = (column: Column.Column, footer: Footer.Footer): Column.Column =>
  (hasJson(footer) && Column.named(Leaf.columnsOf(Footer.elementsOf(footer)), column.name)) || column

/** Copies the rows of a file to the end of another. If no row stays, nothing is written. */
export const copyRows = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  source: Source,
  change: RowChange,
  into: GrowingFile.GrowingFile
): Effect.fn.Return<void, Sink.SinkError> {
  const { path, footer, partition } = source
  // Partition columns are in the path of the file, not in the file.
  const columns = (change.columns ?? source.columns).filter(({ name }) => !Object.hasOwn(partition, name))
  const select = selectOf(source, { ...change, columns })
  const isSame = !isFilled(source, change) && (yield* schemaAfter(session, source, select)) === Footer.schemaOf(footer)
  const groups = Footer.groupsOf(footer)
  const changing = change.change?.map(({ rows }) => rows).join(" UNION ALL ")
  const [stay, go, changed] = yield* Effect.forEach([change.stay, change.go, changing], (rows) =>
    rows === undefined || rows === "" ? Effect.succeed(undefined) : countByGroup(session.database, rows, groups)
  ).pipe(Effect.mapError(failure(`cannot read ${path}`)))

  let first = 0
  for (const [at, group] of groups.entries()) {
    const [from, to] = [first, first + group.rows - 1]
    first += group.rows
    const left = (stay === undefined ? group.rows : (stay.get(at) ?? 0)) - (go?.get(at) ?? 0)
    if (left <= 0) continue
    const isWhole = left === group.rows && (changed?.get(at) ?? 0) === 0
    if (isWhole && isSame && group.standsAlone) {
      yield* LakeSession.local(`cannot write ${into.path}`, () => into.append(path, group))
      continue
    }
    const among = (rows: string) => `(SELECT row FROM (${rows}) WHERE row BETWEEN ${from} AND ${to})`
    const conditions = [
      `file_row_number BETWEEN ${from} AND ${to}`,
      ...(change.stay === undefined ? [] : [`file_row_number IN ${among(change.stay)}`]),
      ...(change.go === undefined ? [] : [`file_row_number NOT IN ${among(change.go)}`])
    ]
    const query = `SELECT ${select.join(", ")} FROM ${source.numbered} WHERE ${conditions.join(" AND ")}`
    yield* LakeSession.append(session, into, query).pipe(Effect.mapError(failure(`cannot rewrite ${path}`)))
  }
})

const selectOf = ({ columns }: Source, { columns: wanted = columns, absent = {}, change = [] }: RowChange) => {
  const given = projection(columns, wanted)
  return wanted.map(({ name, type }, at) => {
    const quoted = Column.quote(name)
    const cases = change.flatMap(({ rows, values }) =>
      !Object.hasOwn(values, name)
        ? []
        : [`WHEN file_row_number IN (SELECT row FROM (${rows})) THEN CAST(${values[name]} AS ${Column.toSql(type)})`]
    )
    const own = Column.named(columns, name)
    const filled = Object.hasOwn(absent, name) ? absent[name] : undefined
    const otherwise = own === undefined ? filled : exactly(name, stored(own), own.type, type)
    if (otherwise === undefined) return given[at] ?? ""
    const value = `CAST(${otherwise} AS ${Column.toSql(type)})`
    return `${cases.length === 0 ? value : `CASE ${cases.join(" ")} ELSE ${value} END`} AS ${quoted}`
  })
}

/** The changed rows of files, each with its place, as a table in SQL. Files that are alike are read by one call. */
export const viewOf = (files: ReadonlyArray<Numbered>, change: Pick<RowChange, "columns" | "absent">): string => {
  const alike = new Map<string, Array<Numbered>>()
  for (const file of files) {
    const { columns, footer, partition } = file.source
    // A column of this name hides the index of the file.
    const isAlone = Column.named(columns, "file_index") !== undefined
    const kind = isAlone ? String(file.number) : `${Footer.schemaOf(footer)} ${JSON.stringify(partition)}`
    alike.set(kind, [...(alike.get(kind) ?? []), file])
  }
  const rows = [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const { number, source } = first
    const together = [first, ...others]
    const [from, at] =
      others.length === 0
        ? [source.numbered, placeSql(number, "file_row_number")]
        : [
            source.withPartition(
              `(SELECT *, file_index FROM ${numbered(...together.map(({ source }) => source.path))})`
            ),
            `([${together.map(({ number }) => placeSql(number, "0")).join(", ")}])[file_index::BIGINT + 1] + file_row_number`
          ]
    return [`SELECT ${at} AS ${place}, ${selectOf(source, change).join(", ")} FROM ${from}`]
  })
  return `(${rows.join(" UNION ALL ")})`
}

/** Whether a column that the source lacks gets a value. */
const isFilled = ({ columns }: Source, { columns: wanted = columns, absent = {} }: RowChange): boolean =>
  wanted.some(({ name }) => Object.hasOwn(absent, name) && Column.named(columns, name) === undefined)

/** The schema of the file that DuckDB writes for a query. */
const schemaAfter = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  { numbered, path }: Source,
  select: ReadonlyArray<string>
) {
  const file = Path.join(session.folder, "empty.parquet")
  yield* LakeSession.encode(session, `SELECT ${select.join(", ")} FROM ${numbered} LIMIT 0`, file).pipe(
    Effect.mapError(failure(`cannot rewrite ${path}`))
  )
  return Footer.schemaOf(yield* LakeSession.local(`cannot read ${file}`, () => footerOf(file)))
})

/** How many of these rows are in each group. */
const countByGroup = Effect.fnUntraced(function* (
  database: Database.Database,
  rows: string,
  groups: ReadonlyArray<{ readonly rows: number }>
) {
  let first = 0
  const starts = groups.map((group) => (first += group.rows) - group.rows)
  const bounds = `SELECT unnest(range(${starts.length})) AS place, unnest([${starts.join(", ")}]::BIGINT[]) AS start`
  const counted = yield* database.query(
    `SELECT g.place, count(*) FROM (${rows}) AS r ASOF JOIN (${bounds}) AS g ON r.row >= g.start GROUP BY g.place`,
    [
      { name: "place", type: { _tag: "BIGINT" }, nullable: false },
      { name: "rows", type: { _tag: "BIGINT" }, nullable: false }
    ]
  )
  return new Map(counted.map((row) => [Number(row["place"]), Number(row["rows"])]))
})
