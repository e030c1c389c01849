/** Commits to a DuckDB file until it is killed. */
import * as Effect from "effect/Effect"
import { duckdb } from "#connectors/duckdb/index"
import { commitForever } from "#testing/commitForever"

const directory = process.argv[2] ?? "."
await Effect.runPromise(Effect.scoped(commitForever(duckdb.with({ path: "warehouse.duckdb" }), directory)))
