/**
 * The steps of a disposition, as data: statements, what is counted, and what is refused. They can be read, printed and tested
 * without a database.
 */

import type { SqlRow } from "../SqlDialect.ts"
import type { Reads } from "../SqlPort.ts"

/** What is counted while steps are taken. */
export type Tally = Readonly<Record<string, number>>

export type Step =
  /** Runs a statement. `as`: the number of rows that it changed is added to this count. */
  | { readonly _tag: "Run"; readonly sql: string; readonly as?: string; readonly reads?: Reads }
  /** Asks a query of one number, which is added to this count. */
  | { readonly _tag: "Count"; readonly sql: string; readonly as: string }
  /** Uses the rows of a query, in which whole rows are read. */
  | { readonly _tag: "Note"; readonly sql: string; readonly use: (rows: ReadonlyArray<SqlRow>) => void }
  /** Fails with the message if a query has a row. */
  | { readonly _tag: "Refuse"; readonly sql: string; readonly message: string }
  /** Takes more steps if a query has a row. */
  | { readonly _tag: "If"; readonly sql: string; readonly steps: ReadonlyArray<Step> }

export type Steps = ReadonlyArray<Step>

export const run = (sql: string, as?: string, reads?: Reads): Step => ({
  _tag: "Run",
  sql,
  ...(as === undefined ? {} : { as }),
  ...(reads === undefined ? {} : { reads })
})
export const count = (as: string, sql: string): Step => ({ _tag: "Count", as, sql })
export const refuse = (message: string, sql: string): Step => ({ _tag: "Refuse", message, sql })
export const when = (sql: string, steps: Steps): Step => ({ _tag: "If", sql, steps })
