/**
 * Whether an error of a database may be gone when the same is asked again.
 *
 * Beside what the client says: a server that ends a session (it shuts down, or the session stood still inside of a transaction)
 * says so with a code of its own, which the client takes for an unknown error if nothing was asked just then.
 */
import type { SqlError } from "effect/sql/SqlError"

export const mayPass = (error: SqlError): boolean => error.isRetryable || passing.test(codeOf(error.reason.cause))

/** Shut down, crashed, starting, idle for too long; idle in a transaction; out of connections, memory or disk. */
const passing = /^(?:57P0[1235]|25P03|53...)$/

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""
