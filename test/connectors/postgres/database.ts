/** A database for a file of tests on a real Postgres, in which each folder has a schema: that is cheaper than a database each. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll } from "vitest"
import { postgres } from "../../services/postgres.ts"

export { placeOf } from "./placeOf.ts"

/** A fresh database that is gone after the tests of the file; undefined where there is no Postgres. */
export const databaseUrl = async (): Promise<string | undefined> => {
  if (postgres === undefined) return undefined
  const scope = Scope.makeUnsafe()
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return Effect.runPromise(Effect.provideService(postgres.fresh, Scope.Scope, scope))
}
