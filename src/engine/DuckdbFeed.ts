/**
 * Rows as a table function, for statements such as `INSERT INTO t FROM rows_1()` and `COPY (FROM rows_1()) TO`.
 *
 * DuckDB calls it from its own thread and waits for this one; load the rows before the statement starts. It was the fastest
 * way to insert rows in our measurements: values are passed by column, and DuckDB compresses in other threads.
 */
import type { DuckDBConnection, DuckDBDataChunk, DuckDBValue } from "@duckdb/node-api"
import type * as Column from "./Column.ts"
import type { Driver } from "./DuckdbCell.ts"
import * as Cell from "./DuckdbCell.ts"
import { ownCellReader } from "./ownCell.ts"
import type * as Table from "./Table.ts"

export interface Feed {
  /** The call of the table function in SQL. */
  readonly call: string
  /** Sets the rows that statements read, each from the beginning. They stay in memory until other rows are loaded. */
  readonly load: (rows: ReadonlyArray<Table.Row>, number?: ReadonlyArray<bigint>) => void
}

/** Registers a table function of these columns. `number`: a column before them, whose whole numbers are loaded beside the rows. */
export const register = (
  driver: Driver,
  connection: DuckDBConnection,
  name: string,
  columns: ReadonlyArray<Column.Column>,
  number?: string
): Feed => {
  const types = columns.map((column) => Cell.typeOf(driver, column.type))
  const encoders = columns.map((column) => columnEncoder(driver, column))
  let rows: ReadonlyArray<Table.Row> = []
  let numbers: ReadonlyArray<bigint> = []
  let next = 0

  const emit = (chunk: DuckDBDataChunk) => {
    const slice = rows.slice(next, next + vectorSize)
    const beside = number === undefined ? [] : [numbers.slice(next, next + slice.length)]
    next += slice.length
    chunk.rowCount = slice.length
    if (slice.length > 0) chunk.setColumns([...beside, ...encoders.map((encode) => encode(slice))])
  }

  connection.registerTableFunction(
    driver.DuckDBTableFunction.create({
      name,
      bindFunction: (info) => {
        if (number !== undefined) info.addResultColumn(number, driver.BIGINT)
        columns.forEach((column, at) => info.addResultColumn(column.name, types[at] ?? driver.VARCHAR))
        info.setBindData({})
      },
      initFunction: (info) => {
        next = 0
        info.setInitData({})
      },
      mainFunction: (_, chunk) => emit(chunk)
    })
  )
  return {
    call: `${name}()`,
    load: (loaded, beside = []) => {
      rows = loaded
      numbers = beside
      next = 0
    }
  }
}

/** DuckDB's vector size, which is the maximum number of rows in a chunk. */
const vectorSize = 2048

const columnEncoder = (driver: Driver, { name, type }: Column.Column) => {
  const [encode, read] = [Cell.encoder(driver, type), ownCellReader(name)]
  return (rows: ReadonlyArray<Table.Row>): ReadonlyArray<DuckDBValue> => {
    try {
      return rows.map((row) => encode(read(row)))
    } catch (cause) {
      throw new Error(`column ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    }
  }
}
