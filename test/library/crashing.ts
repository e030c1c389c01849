/** Commits to a simple sink until it is killed. */
import * as Effect from "effect/Effect"
import { commitForever } from "#testing/commitForever"
import { filePerCommit } from "./filePerCommit.ts"

await Effect.runPromise(Effect.scoped(commitForever(filePerCommit.with({ path: "rows" }), process.argv[2] ?? ".")))
