/**
 * A call of the file system as an effect that fails with `JournalError`.
 */
import * as Effect from "effect/Effect"
import { systemReason } from "#base/systemReason"
import * as Journal from "../Journal.ts"

/** File calls cannot be stopped half-way, so an interruption waits for them. */
export const attempt = <A>(doing: string, run: () => Promise<A>): Effect.Effect<A, Journal.JournalError> =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: run,
      catch: (cause) =>
        new Journal.JournalError({
          message: `${doing}: ${systemReason(cause)}`,
          cause
        })
    })
  )
