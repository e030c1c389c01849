/** Finds the faults of checks before any row is read: unknown tables and columns, wrong types, invalid SQL. */
import * as Effect from "effect/Effect"
import type * as Check from "../Check.ts"
import * as Column from "../Column.ts"
import type * as Database from "../Duckdb.ts"
import type * as Stage from "../Stage.ts"
import type * as Table from "../Table.ts"
import { columnsOf, literalOf } from "./checkSql.ts"
import { fault, names, nearest } from "./tryStep.ts"

export const checkFaults = Effect.fnUntraced(function* (
  database: Database.Database,
  checks: ReadonlyArray<Check.Check>,
  tables: ReadonlyArray<Table.Table>,
  doubtful: ReadonlySet<string>
) {
  const faults: Array<Stage.Fault> = []
  for (const [at, check] of checks.entries()) {
    const table = check.table === undefined ? tables[0] : tables.find(({ name }) => name === check.table)
    if (table === undefined) {
      const message = `there is no table ${check.table}; a check looks at ${tables.map(({ name }) => name).join(", ")}`
      faults.push({ message, path: ["checks", at, "table"] })
      continue
    }
    const known = table.columns.map(({ name }) => name)
    for (const column of columnsOf(check)) {
      if (known.includes(column) || doubtful.has(column)) continue
      const message = `table ${table.name} has no column ${column}`
      faults.push({ message, path: ["checks", at], ...nearest(column, known) })
    }
    const dated = check.freshness === undefined ? undefined : notDated(table, check.freshness.column)
    if (dated !== undefined && !doubtful.has(dated.name)) {
      const message = `freshness looks at a column of days or of moments, and ${dated.name} of ${table.name} is ${Column.toSql(dated.type)}`
      const hint = `make one in a step: derive: { at: "try_cast(${dated.name} AS TIMESTAMP)" }`
      const isText = dated.type._tag === "VARCHAR"
      faults.push({ message, path: ["checks", at, "freshness", "column"], ...(isText ? { hint } : {}) })
    }
    for (const [name, values] of Object.entries(check.accepted ?? {})) {
      const column = table.columns.find((column) => column.name === name)
      if (column === undefined || doubtful.has(name)) continue
      const odd = yield* notOfType(database, column, values)
      if (odd === undefined) continue
      const message = `accepted: column ${name} of ${table.name} is ${Column.toSql(column.type)}, and cannot be ${JSON.stringify(odd)}`
      faults.push({ message, path: ["checks", at, "accepted", name] })
    }
    if (check.sql === undefined) continue
    const tried = yield* Effect.result(database.values(`SELECT * FROM (${check.sql}\n) LIMIT 0`))
    if (tried._tag === "Success" || names(check.sql, doubtful)) continue
    const said = fault(["checks", at, "sql"], tried.failure)
    faults.push({ ...said, message: `the query is not valid: ${said.message}` })
  }
  return faults
})

/** The first value that a column cannot hold. */
const notOfType = Effect.fnUntraced(function* (
  database: Database.Database,
  { type }: Column.Column,
  values: NonNullable<Check.Check["accepted"]>[string]
) {
  const casts = values.map((value) => `try_cast(${literalOf(value)} AS ${Column.toSql(type)}) IS NULL`)
  const [row = []] = yield* database.values(`SELECT ${casts.join(", ")}`)
  return values.find((_, at) => row[at] === true)
})

/** The column, if it exists and is neither DATE nor TIMESTAMP: the greatest of its texts need not be the newest. */
const notDated = ({ columns }: Table.Table, name: string): Column.Column | undefined =>
  columns.find((column) => column.name === name && column.type._tag !== "DATE" && column.type._tag !== "TIMESTAMP")
