/** Commits to a folder of files until it is killed. */
import * as Effect from "effect/Effect"
import { fileSink } from "#connectors/file/index"
import { commitForever } from "#testing/commitForever"

const directory = process.argv[2] ?? "."
await Effect.runPromise(Effect.scoped(commitForever(fileSink.with({ path: "out", format: "csv" }), directory)))
