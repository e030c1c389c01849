/** Commits to a DuckDB file and publishes it until it is killed. */
import * as Effect from "effect/Effect"
import { duckdb } from "#connectors/duckdb/index"
import { commitForever } from "#testing/commitForever"

const destination = duckdb.with({ path: "work/warehouse.duckdb", publish: "warehouse.duckdb" })
await Effect.runPromise(Effect.scoped(commitForever(destination, process.argv[2] ?? ".")))
