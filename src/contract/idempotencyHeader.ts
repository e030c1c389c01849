/**
 * The header of a request that starts a job: a key that the caller chooses. The same key never starts a second job: the
 * second request is 409 with the code below, and its `details` name the job that the first one started.
 */
export const idempotencyHeader = "x-idempotency-key"
export const idempotencyReused = "IDEMPOTENCY_KEY_REUSED"
/** The maximum number of characters of a key. */
export const maxIdempotencyKey = 500
