/**
 * The least rate of a body, as curl's `--speed-limit` and `--speed-time`: the bytes of a whole window are summed, so a page
 * that pauses within it, or is slow but steady, arrives.
 */

/** Less than a modem of 1980. Not per second: a page may pause. */
const bytesPerSecond = 50

/** The default window. */
const windowMillis = 20_000

/** The window of a request. */
export const windowOf = (slowAfterMillis: number | undefined): number => slowAfterMillis ?? windowMillis

/** How many bytes must arrive in a window. */
export const leastBytes = (millis: number): number => (millis * bytesPerSecond) / 1000
