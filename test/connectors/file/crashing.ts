/** Commits to a folder of files until it is killed. */
import * as Effect from "effect/Effect"
import { file } from "#connectors/file/index"
import { commitForever } from "#testing/commitForever"

const directory = process.argv[2] ?? "."
await Effect.runPromise(Effect.scoped(commitForever(file.with({ path: "out", format: "csv" }), directory)))
