/** Commits to a SQLite file until it is killed. */
import * as Effect from "effect/Effect"
import { sqlite } from "#connectors/sqlite/index"
import { commitForever } from "#testing/commitForever"

const directory = process.argv[2] ?? "."
await Effect.runPromise(Effect.scoped(commitForever(sqlite.with({ path: "warehouse.sqlite" }), directory)))
