/** Commits to a folder of Parquet files until it is killed. */
import * as Effect from "effect/Effect"
import { parquet } from "#connectors/parquet/index"
import { commitForever } from "#testing/commitForever"
import { stores } from "./lake.ts"

const directory = process.argv[2] ?? "."
await Effect.runPromise(
  Effect.scoped(commitForever(parquet.with({ path: "lake", iceberg: true }), directory)).pipe(Effect.provide(stores))
)
