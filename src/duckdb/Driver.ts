/** DuckDB's driver, which is handed on to whoever makes its values: nobody but `Database` loads it. */
import type * as driver from "@duckdb/node-api"

export type Driver = typeof driver
