/** Commits to a Postgres until it is killed. */
import * as Effect from "effect/Effect"
import { postgres } from "#connectors/postgres/index"
import { commitForever } from "#testing/commitForever"
import { placeOf } from "./placeOf.ts"

const directory = process.argv[2] ?? "."
const destination = postgres.with(placeOf(process.env["MILLRACE_TEST_CRASH_URL"] ?? "", directory))
await Effect.runPromise(Effect.scoped(commitForever(destination, directory)))
