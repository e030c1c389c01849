/** Why Postgres cannot take a row that fits its columns: some characters and moments. */
import * as CellJson from "#engine/CellJson"
import type * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import type { RowError } from "#engine/validateRow"
import { isPlain } from "../columnSql.ts"
import type { CopiedColumn } from "./CopyBuffer.ts"
import { isMoment, isRefusedByJsonb, jsonbFault, momentFault, nulFault } from "./cellWriter.ts"

type Check = (cell: unknown) => string | undefined

/** Makes the check, which reads only columns that can have such values. */
export const rowFault = (columns: ReadonlyArray<CopiedColumn>): ((row: Table.Row) => RowError | undefined) => {
  const checks = columns.flatMap(({ from, ours, sql, to }) => {
    const check = sql === "jsonb" ? jsonbCheck(from) : checkOf(to)
    return check === undefined ? [] : [{ ours, check }]
  })
  return (row) => {
    for (const { check, ours } of checks) {
      const cell = row[ours]
      const fault = cell === null || cell === undefined ? undefined : check(cell)
      if (fault !== undefined) return { column: ours, message: `column ${ours}: ${fault}` }
    }
    return undefined
  }
}

const checkOf = (type: Column.ColumnType): Check | undefined => {
  switch (type._tag) {
    case "VARCHAR":
      return (cell) => (typeof cell === "string" && cell.includes("\0") ? nulFault : undefined)
    case "TIMESTAMP":
      return (cell) => (typeof cell === "bigint" && !isMoment(cell) ? momentFault : undefined)
    case "LIST": {
      const check = isPlain(type.of.type) ? checkOf(type.of.type) : undefined
      if (check === undefined) return undefined
      return (cell) => {
        if (!Array.isArray(cell)) return undefined
        for (const item of cell) {
          const fault = check(item)
          if (fault !== undefined) return fault
        }
        return undefined
      }
    }
    case "BIGINT":
    case "BOOLEAN":
    case "DATE":
    case "DECIMAL":
    case "DOUBLE":
    case "JSON":
    case "STRUCT":
      return undefined
  }
}

const jsonbCheck = (type: Column.ColumnType): Check => {
  const convert = CellJson.ofCell(type)
  return (cell) => (isRefusedByJsonb(JSON.stringify(convert(cell))) ? jsonbFault : undefined)
}
