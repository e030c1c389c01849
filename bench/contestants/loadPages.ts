/** `node bench/contestants/loadPages.ts parquet|duckdb ROWS`: that many pages into a sink, in the folder where it runs. */
import "effect/schema/SchemaJITCompiler/enable"
import * as Effect from "effect/Effect"
import { duckdb } from "../../connectors/duckdb/index.ts"
import { parquet } from "../../connectors/parquet/index.ts"
import { loadRows, stores } from "../loadRows.ts"

const [sink = "", rows] = process.argv.slice(2)
const destination = sink === "duckdb" ? duckdb.with({ path: "pages.duckdb" }) : parquet.with({ path: "lake" })
await Effect.runPromise(Effect.provide(loadRows(destination, process.cwd(), Number(rows), "append"), stores))
console.log(JSON.stringify({ count: Number(rows) }))
