/**
 * Steps as SQL: a chain of queries, each on the result of the query before.
 *
 * Two hidden columns pass through all steps: the number of a row, and its presence (`Table.Presence`). No step can
 * name, remove or change them.
 */
import * as Redacted from "effect/Redacted"
import { quote } from "../Column.ts"
import { literal } from "../Duckdb.ts"
import { listOf } from "../KeySchemas.ts"
import type { Step } from "../Step.ts"

/** The names and SQL types of the hidden columns. */
export const hidden = { row: "_millrace_row", presence: "_millrace_standing" } as const
export const hiddenDefinitions = `${hidden.row} BIGINT, ${hidden.presence} VARCHAR`

/** The query of one step on a relation with these columns. */
export const stepSql = (step: Step, from: string, columns: ReadonlyArray<string>): string => {
  const { dedupe, derive, drop, mask, rename, salt, select, where } = step
  // The line break keeps a comment at the end of an expression from hiding the bracket.
  const inBrackets = (expression: string) => `(${expression}\n)`
  if (where !== undefined) return `SELECT * FROM ${from} WHERE ${inBrackets(where)}`
  if (derive !== undefined) {
    const derived = Object.entries(derive)
    const isOld = (name: string) => columns.some((column) => column.toLowerCase() === name.toLowerCase())
    const old = derived.filter(([name]) => isOld(name)).map(([name, sql]) => `${inBrackets(sql)} AS ${quote(name)}`)
    const fresh = derived
      .filter(([name]) => !isOld(name))
      .map(([name, sql]) => `, ${inBrackets(sql)} AS ${quote(name)}`)
    return `SELECT *${old.length === 0 ? "" : ` REPLACE (${old.join(", ")})`}${fresh.join("")} FROM ${from}`
  }
  if (select !== undefined) {
    return `SELECT ${[...select.map(quote), hidden.row, hidden.presence].join(", ")} FROM ${from}`
  }
  if (drop !== undefined) return `SELECT * EXCLUDE (${listOf(drop).map(quote).join(", ")}) FROM ${from}`
  if (rename !== undefined) {
    const names = Object.entries(rename).map(([old, fresh]) => `${quote(old)} AS ${quote(fresh)}`)
    return `SELECT * RENAME (${names.join(", ")}) FROM ${from}`
  }
  if (dedupe !== undefined) {
    const keys = listOf(dedupe).map(quote).join(", ")
    return `SELECT * FROM ${from} WHERE ${hidden.row} IN (SELECT max(${hidden.row}) FROM ${from} GROUP BY ${keys})`
  }
  const masked = Object.entries(mask ?? {}).map(([name, how]) => `${maskSql(name, how, salt)} AS ${quote(name)}`)
  return `SELECT * REPLACE (${masked.join(", ")}) FROM ${from}`
}

const maskSql = (name: string, how: "hash" | "redact" | "remove", salt: Redacted.Redacted | undefined): string => {
  if (how === "remove") return "NULL"
  if (how === "redact") return `CASE WHEN ${quote(name)} IS NULL THEN NULL ELSE '***' END`
  return `sha256(${literal(salt === undefined ? "" : Redacted.value(salt))} || ${quote(name)}::VARCHAR)`
}
