/**
 * The least rate of a body, as curl's `--speed-limit` and `--speed-time`: the bytes of a whole window are summed, so a body
 * that is slow but steady arrives. A body of which nothing comes in a window only pauses: the idle time limits that.
 */

/** Less than a modem of 1980. Not per second: a page may pause. */
const bytesPerSecond = 20

/** In the shortest window: a single small packet has more. */
const fewBytes = 20

/** The default window. */
const windowMillis = 20_000

/** The window of a request. */
export const windowOf = (slowAfterMillis: number | undefined): number => slowAfterMillis ?? windowMillis

/** Whether a body only trickles, of which so many bytes came in a window. */
export const trickles = (bytes: number, millis: number): boolean =>
  bytes > 0 && bytes < Math.max(fewBytes, (millis * bytesPerSecond) / 1000)
