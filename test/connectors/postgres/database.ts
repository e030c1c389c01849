/** A database of a file of tests on a real Postgres, with a schema for each folder, and the rows there as psql reads them. */
import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { afterAll } from "vitest"
import { postgres } from "../../services/postgres.ts"

/** A fresh database that is gone after the tests of the file; undefined where there is no Postgres. */
export const databaseUrl = async (): Promise<string | undefined> => {
  if (postgres === undefined) return undefined
  const scope = Scope.makeUnsafe()
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runPromise(Effect.provideService(postgres.fresh, Scope.Scope, scope))
}

/** The options of a sink whose schema is of this folder alone. */
export const placeOf = (url: string, directory: string) => ({
  url: Redacted.make(url),
  schema: `s${createHash("sha256").update(directory).digest("hex").slice(0, 12)}`
})
