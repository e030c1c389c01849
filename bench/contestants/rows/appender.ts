/** DuckDB's appender by hand, row by row, as the driver's README has it, into a file: `node appender.ts <rows> <folder>`. */
import * as duckdb from "@duckdb/node-api"
import * as Column from "../../../src/engine/Column.ts"
import { makeRows, pages } from "./pages.ts"
import { begin, tell } from "./work.ts"

const [count = "0", folder = "."] = process.argv.slice(2)
const rows = Number(count)
const make = makeRows()
begin()
const instance = await duckdb.DuckDBInstance.create(`${folder}/pages.duckdb`)
const connection = await instance.connect()
const columns = pages.columns.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`)
await connection.run(`CREATE TABLE pages (${columns.join(", ")})`)
const appender = await connection.createAppender("pages")
const struct = appender.columnType(5)
const list = appender.columnType(6)
if (!(struct instanceof duckdb.DuckDBStructType && list instanceof duckdb.DuckDBListType))
  throw new Error("other columns")
for (let at = 0; at < rows; at += 500) {
  for (const row of make(at, Math.min(500, rows - at)) as ReadonlyArray<any>) {
    appender.appendVarchar(row.url)
    appender.appendVarchar(row.title)
    appender.appendVarchar(row.markdown)
    appender.appendTimestampTZ(new duckdb.DuckDBTimestampTZValue(row.fetched_at))
    appender.appendBigInt(BigInt(row.status))
    const { description, language, statusCode } = row.metadata
    appender.appendStruct(duckdb.structValue({ description, language, statusCode: BigInt(statusCode) }), struct)
    appender.appendList(duckdb.listValue(row.links), list)
    appender.endRow()
  }
  appender.flushSync()
}
appender.closeSync()
connection.closeSync()
instance.closeSync()
tell(rows)
