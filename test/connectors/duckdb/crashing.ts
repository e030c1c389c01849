/** Commits to a DuckDB file until it is killed. */
import * as Effect from "effect/Effect"
import { duckdb } from "../../../connectors/duckdb/index.ts"
import { commitForever } from "../../../src/testing/commitForever.ts"

const directory = process.argv[2] ?? "."
await Effect.runPromise(Effect.scoped(commitForever(duckdb.with({ path: "warehouse.duckdb" }), directory)))
