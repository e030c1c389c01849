/**
 * What the store cannot do is the service's own failure: 500, without its inside, which goes to the log.
 */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { InternalError } from "../../../api/Errors.ts"

export const storeFailed = (error: SqlError): Effect.Effect<never, InternalError> =>
  Effect.andThen(
    Effect.logError(error),
    Effect.fail(new InternalError({ message: "the service cannot read or write its store; try again in a moment" }))
  )
