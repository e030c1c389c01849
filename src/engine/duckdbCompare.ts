/**
 * Compares two states of a table: which rows are only in one of them, and which fields of the other rows differ.
 *
 * Tables of any size are compared in little memory. Only keys and a hash of each field (64 bits, so one change in 10^19 is
 * missed) are joined; DuckDB spills to disk, and values are fetched only if they differ, some rows at a time. Several rows
 * of one key are paired in their order; in a table without a key, equal rows are paired.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as CellJson from "./CellJson.ts"
import * as Column from "./Column.ts"
import type * as Difference from "./Difference.ts"
import * as Database from "./Duckdb.ts"
import * as Cell from "./DuckdbCell.ts"
import { widthOf } from "./DuckdbMemoryLimit.ts"
import type * as Table from "./Table.ts"

interface Sides {
  /** The relation of the older state. Both relations have all columns, and `rowNumber`, a unique BIGINT for each row. */
  readonly old: string
  readonly new: string
  readonly key: ReadonlyArray<Column.Column>
  readonly compared: ReadonlyArray<Column.Column>
  /** The column with the version of the reading, and the columns that depend on it (`Table.reading`). */
  readonly reading?:
    | {
        readonly version: string
        readonly columns: ReadonlyArray<string>
        /** In a history: the expression of when a version began. A version that began at another time is another row. */
        readonly since?: string | undefined
      }
    | undefined
  /** Whether each key has at most one row, so that rows of one key need not be numbered. */
  readonly unique: boolean
  readonly limit?: number | undefined
  readonly by?: Difference.DiffRequest["by"] | undefined
}

export const rowNumber = "_millrace_row"

export interface Compared extends Pick<Difference.Differences, "fields" | "moved"> {
  readonly rows: { readonly from: number; readonly to: number }
  readonly counts: Readonly<Record<"added" | "removed" | "changed", number>>
  readonly changes: Stream.Stream<Difference.Change, Database.DatabaseError>
}

export const compare = (database: Database.Database, sides: Sides): Effect.Effect<Compared, Database.DatabaseError> =>
  // The statements read the columns of both states.
  Effect.andThen(
    database.makeRoom(2 * widthOf([...sides.key, ...sides.compared])),
    database.retryWithMoreMemory(prepare(database, sides))
  )

/** Makes the temporary tables from which the result is read. It can be run again after an error. */
const prepare = Effect.fnUntraced(function* (
  database: Database.Database,
  sides: Sides
): Effect.fn.Return<Compared, Database.DatabaseError> {
  yield* database.run(`CREATE OR REPLACE TEMP TABLE old_side AS ${sideOf(sides, sides.old)}`)
  yield* database.run(`CREATE OR REPLACE TEMP TABLE new_side AS ${sideOf(sides, sides.new)}`)
  yield* database.run(marksOf(sides))
  const [from = 0, to = 0, added = 0, removed = 0, changed = 0, ...fields] = yield* Database.numbers(
    database,
    `SELECT (SELECT count(*) FROM old_side), (SELECT count(*) FROM new_side),
      ${["added", "removed", "changed"].map((kind) => `count(*) FILTER (kind = '${kind}')`).join(", ")}
      ${sides.compared.map((_, at) => `, count(*) FILTER (kind = 'changed' AND d${at})`).join("")} FROM marks`
  )
  const moved = sides.by === undefined ? undefined : yield* rankBy(database, sides, sides.by)
  const most = Math.min(moved ?? added + removed + changed, sides.limit ?? Number.POSITIVE_INFINITY)
  for (const side of ["old", "new"] as const) {
    yield* database.run(`DROP TABLE ${side}_side`)
    yield* database.run(`CREATE OR REPLACE TEMP TABLE ${side}_rows AS ${valuesOf(sides, side, most)}`)
  }
  return {
    rows: { from, to },
    counts: { added, removed, changed },
    ...(moved === undefined ? {} : { moved }),
    fields: Object.fromEntries(
      sides.compared.flatMap(({ name }, at) => ((fields[at] ?? 0) > 0 ? [[name, fields[at] ?? 0]] : []))
    ),
    changes: changesOf(database, sides, most)
  }
})

/** The query of the keys and hashes of one state. */
const sideOf = ({ key, compared, reading, unique }: Sides, from: string): string => {
  const hashes = compared.map(hashOf)
  const keys = key.length === 0 ? [`hash(${["0", ...hashes].join(", ")})`] : key.map(({ name }) => Column.quote(name))
  const nth = unique ? "1" : `row_number() OVER (PARTITION BY ${keys.join(", ")} ORDER BY ${rowNumber})`
  const cells = [...keys.map((sql, at) => `${sql} AS k${at}`), ...hashes.map((sql, at) => `${sql} AS h${at}`)]
  if (reading !== undefined) {
    cells.push(`${Column.quote(reading.version)} AS version`, `${reading.since ?? "NULL"} AS since`)
  }
  return `SELECT ${cells.join(", ")}, ${nth} AS nth, ${rowNumber} AS row FROM ${from}`
}

/** DuckDB's hash of an empty list is that of null, so nested values are hashed as text. */
const hashOf = ({ name, type }: Column.Column): string =>
  type._tag === "LIST" || type._tag === "STRUCT"
    ? `hash(CAST(to_json(${Column.quote(name)}) AS VARCHAR))`
    : `hash(${Column.quote(name)})`

/** Makes the table of different rows, in the order of their keys: `o` and `n` are row numbers, `d0`... say which fields differ. */
const marksOf = ({ key, compared, reading }: Sides): string => {
  const keys = key.length === 0 ? ["k0"] : key.map((_, at) => `k${at}`)
  const on = [...keys, "nth"].map((name) => `o.${name} IS NOT DISTINCT FROM n.${name}`).join(" AND ")
  const differ = compared.map(({ name }, at) => {
    const differs = `o.h${at} <> n.h${at}`
    return reading?.columns.includes(name) === true && key.length > 0
      ? `(${differs} AND (n.version IS NULL OR n.version IS NOT DISTINCT FROM o.version
          OR n.since IS DISTINCT FROM o.since))`
      : differs
  })
  const order = key.length === 0 ? "coalesce(n.row, o.row)" : keys.map((k) => `coalesce(n.${k}, o.${k})`).join(", ")
  const some = ["o.row IS NULL", "n.row IS NULL", ...differ].join(" OR ")
  return `CREATE OR REPLACE TEMP TABLE marks AS
    SELECT row_number() OVER (ORDER BY ${order}, coalesce(n.nth, o.nth), o.row, n.row) AS number,
      o.row AS o, n.row AS n,
      CASE WHEN o.row IS NULL THEN 'added' WHEN n.row IS NULL THEN 'removed' ELSE 'changed' END AS kind
      ${differ.map((sql, at) => `, coalesce(${sql}, false) AS d${at}`).join("")}
    FROM old_side AS o FULL JOIN new_side AS n ON ${on} WHERE ${some}`
}

/** Leaves of the different rows those in which a number moved in a direction, the furthest first; the answer is how many they are. */
const rankBy = Effect.fnUntraced(function* (
  database: Database.Database,
  sides: Sides,
  { column, isDown }: NonNullable<Difference.DiffRequest["by"]>
) {
  const value = (side: string) => `CAST(${side}.${Column.quote(column)} AS DOUBLE)`
  yield* database.run(`CREATE OR REPLACE TEMP TABLE ranked AS
    SELECT row_number() OVER (ORDER BY abs(moved) DESC, number) AS number, * EXCLUDE (number, moved) FROM (
      SELECT m.*, ${value("n")} - ${value("o")} AS moved FROM marks AS m
      JOIN ${sides.old} AS o ON o.${rowNumber} = m.o JOIN ${sides.new} AS n ON n.${rowNumber} = m.n
    ) WHERE isfinite(moved) AND moved ${isDown ? "<" : ">"} 0`)
  yield* database.run("CREATE OR REPLACE TEMP TABLE marks AS FROM ranked")
  yield* database.run("DROP TABLE ranked")
  const [moved = 0] = yield* Database.numbers(database, "SELECT count(*) FROM marks")
  return moved
})

/** The query of the values of one state that are reported. They are stored, so that many of them wait on the disk. */
const valuesOf = ({ key, compared, ...sides }: Sides, side: "old" | "new", most: number): string => {
  const cells = [
    ...key.map(({ name }, at) => `s.${Column.quote(name)} AS k${at}`),
    ...compared.map(
      ({ name }, at) => `CASE WHEN m.kind <> 'changed' OR m.d${at} THEN s.${Column.quote(name)} END AS v${at}`
    )
  ]
  return `SELECT ${["m.number", ...cells].join(", ")} FROM ${sides[side]} AS s
    JOIN (FROM marks WHERE number <= ${most}) AS m ON s.${rowNumber} = m.${side === "old" ? "o" : "n"}`
}

/** How many changes are in memory at once, with the values of both states. */
const group = 64

const changesOf = (database: Database.Database, sides: Sides, most: number) =>
  Stream.paginate(0, (from) =>
    Effect.map(
      changesFrom(database, sides, from, Math.min(from + group, most)),
      (changes): readonly [ReadonlyArray<Difference.Change>, Option.Option<number>] => [
        changes,
        from + group < most ? Option.some(from + group) : Option.none()
      ]
    )
  )

const changesFrom = Effect.fnUntraced(function* (
  database: Database.Database,
  { key, compared }: Sides,
  from: number,
  to: number
) {
  const within = `number > ${from} AND number <= ${to}`
  const keys = key.map(({ type }, at): Column.Column => ({ name: `k${at}`, type, nullable: true }))
  const values = (["o", "n"] as const).map((side) =>
    compared.map(({ type }, at): Column.Column => ({ name: `${side}${at}`, type, nullable: true }))
  )
  const flags = compared.map((_, at): Column.Column => ({ name: `d${at}`, type: { _tag: "BOOLEAN" }, nullable: false }))
  const kind: Column.Column = { name: "kind", type: { _tag: "VARCHAR" }, nullable: false }
  const columns = [kind, ...flags, ...keys, ...values.flat()]
  const cells = [
    "m.number",
    "m.kind",
    ...flags.map(({ name }) => `m.${name}`),
    ...keys.map(({ name }) => `CASE WHEN m.n IS NULL THEN o.${name} ELSE n.${name} END AS ${name}`),
    ...compared.flatMap((_, at) => [`o.v${at} AS o${at}`, `n.v${at} AS n${at}`])
  ]
  const rows = yield* database.query(
    `SELECT ${columns.map(Cell.selected).join(", ")} FROM (
      SELECT ${cells.join(", ")} FROM (FROM marks WHERE ${within}) AS m
      LEFT JOIN (FROM old_rows WHERE ${within}) AS o ON o.number = m.number
      LEFT JOIN (FROM new_rows WHERE ${within}) AS n ON n.number = m.number) ORDER BY number`,
    columns
  )
  return rows.map((row) => changeOf(row, key, compared))
})

const changeOf = (
  row: Table.Row,
  key: ReadonlyArray<Column.Column>,
  compared: ReadonlyArray<Column.Column>
): Difference.Change => {
  const kind = row["kind"] === "added" || row["kind"] === "removed" ? row["kind"] : "changed"
  const fields = compared.flatMap(({ name, type }, at) => {
    const toJson = CellJson.ofCell(type)
    const [old, now] = [toJson(row[`o${at}`]), toJson(row[`n${at}`])]
    const isReported = kind === "changed" ? row[`d${at}`] === true : old !== null || now !== null
    return isReported ? [{ name, old, now }] : []
  })
  return {
    kind,
    key: Object.fromEntries(key.map(({ name, type }, at) => [name, CellJson.ofCell(type)(row[`k${at}`])])),
    fields: fields.map(({ name }) => name),
    old: kind === "added" ? {} : Object.fromEntries(fields.map(({ name, old }) => [name, old])),
    new: kind === "removed" ? {} : Object.fromEntries(fields.map(({ name, now }) => [name, now]))
  }
}
