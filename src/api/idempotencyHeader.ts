/**
 * The header of a request that starts a job: a key of the caller's own choice. The same key never starts a second job:
 * the second request is 409 with this code, and its `details` name the job that the first one started.
 */
export const idempotencyHeader = "x-idempotency-key"
export const idempotencyReused = "IDEMPOTENCY_KEY_REUSED"
/** The most characters of such a key. */
export const maxIdempotencyKey = 500
