/**
 * The rows of one file into another, group by group: what copy on write and compaction do.
 *
 * A row group in which nothing changes goes over as it is, without being decompressed; of the others one at a
 * time is in memory. Rows keep their order.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Footer from "../../../src/columns/Footer.ts"
import { cast } from "../../../src/duckdb/cast.ts"
import type * as Database from "../../../src/duckdb/Database.ts"
import { columnsIn, describe } from "../../../src/duckdb/describe.ts"
import * as Column from "../../../src/pipeline/Column.ts"
import type * as Sink from "../../../src/pipeline/Sink.ts"
import { failure } from "../failure.ts"
import { numbered, projection, scan } from "../format/fileSql.ts"
import type * as GrowingFile from "../format/GrowingFile.ts"
import { footerOf } from "../format/readFooter.ts"
import { rowNumber } from "../table/StagedKeys.ts"
import * as LakeSession from "./LakeSession.ts"

/** A local file, as far as it is known without reading its rows. */
export interface Source {
  readonly path: string
  readonly columns: ReadonlyArray<Column.Column>
  readonly footer: Footer.Footer
}

/** What becomes of the rows. The queries are of row numbers, in a column of the name `row`. */
export interface RowChange {
  /** The columns that the rows shall have; those of the source where silent. */
  readonly columns?: ReadonlyArray<Column.Column>
  /** Only these stay. */
  readonly stay?: string
  /** These go. */
  readonly go?: string
  /** What columns hold that the source lacks: SQL by column. Null where silent. */
  readonly absent?: Values
  /** These get other values in some columns. */
  readonly change?: ReadonlyArray<{ readonly rows: string; readonly values: Values }>
}

/** SQL by column. */
export type Values = Readonly<Record<string, string>>

export const openSource = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  path: string
): Effect.fn.Return<Source, Sink.SinkError> {
  const present = yield* describe(session.database, scan(path)).pipe(Effect.mapError(failure(`cannot read ${path}`)))
  const footer = yield* LakeSession.local(`cannot read ${path}`, () => footerOf(path))
  return { path, columns: columnsIn(present), footer }
})

/** Pours a file into a growing one. A source of which no row stays leaves nothing. */
export const copyRows = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  source: Source,
  change: RowChange,
  into: GrowingFile.GrowingFile
): Effect.fn.Return<void, Sink.SinkError> {
  const { path, footer } = source
  const select = selectOf(source, change)
  const isSame = !isFilled(source, change) && (yield* schemaAfter(session, path, select)) === Footer.schemaOf(footer)
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
    const query = `SELECT ${select.join(", ")} FROM ${numbered(path)} WHERE ${conditions.join(" AND ")}`
    yield* LakeSession.append(session, into, query).pipe(Effect.mapError(failure(`cannot write anew ${path}`)))
  }
})

const selectOf = ({ columns }: Source, { columns: wanted = columns, absent = {}, change = [] }: RowChange) => {
  const given = projection(columns, wanted)
  return wanted.map(({ name, type }, at) => {
    const quoted = Column.quote(name)
    const cases = change.flatMap(({ rows, values }) =>
      values[name] === undefined
        ? []
        : [`WHEN file_row_number IN (SELECT row FROM (${rows})) THEN CAST(${values[name]} AS ${Column.toSql(type)})`]
    )
    const own = Column.named(columns, name)
    const otherwise = own === undefined ? absent[name] : cast(Column.quote(own.name), own.type, type)
    if (otherwise === undefined) return given[at] ?? ""
    const value = `CAST(${otherwise} AS ${Column.toSql(type)})`
    return `${cases.length === 0 ? value : `CASE ${cases.join(" ")} ELSE ${value} END`} AS ${quoted}`
  })
}

/** The rows of a source as they shall be, each with its place in the file, as SQL has a table. */
export const viewOf = (source: Source, change: Pick<RowChange, "columns" | "absent">): string =>
  `(SELECT file_row_number AS ${rowNumber}, ${selectOf(source, change).join(", ")} FROM ${numbered(source.path)})`

/** Whether a column that the source lacks gets a value. */
const isFilled = ({ columns }: Source, { columns: wanted = columns, absent = {} }: RowChange): boolean =>
  wanted.some(({ name }) => absent[name] !== undefined && Column.named(columns, name) === undefined)

/** The schema of a file that DuckDB makes of such a query. */
const schemaAfter = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  path: string,
  select: ReadonlyArray<string>
) {
  const file = Path.join(session.folder, "empty.parquet")
  yield* LakeSession.encode(session, `SELECT ${select.join(", ")} FROM ${numbered(path)} LIMIT 0`, file).pipe(
    Effect.mapError(failure(`cannot write anew ${path}`))
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
