/**
 * What the store cannot do is the service's own failure: 500, without its inside, which goes to the log.
 */
import * as Effect from "effect/Effect"
import { InternalError } from "../../../api/Errors.ts"
import type { StoreError } from "../../../crawler/StoreError.ts"

export const storeFailed = (error: StoreError): Effect.Effect<never, InternalError> =>
  Effect.andThen(
    Effect.logError(error),
    Effect.fail(new InternalError({ message: "the service cannot read or write its store; try again in a moment" }))
  )
