/**
 * The latest time to send a request that was allowed. A process that was suspended in between may have lost the host to
 * another process, and both would send at once.
 */

/** In milliseconds, by a clock that all threads of a process share and nobody sets. */
export const uptimeMillis = (): number => Number(process.hrtime.bigint()) / 1_000_000

/** `sendBefore`: by `uptimeMillis`; undefined: it is never too late. */
export const isTooLate = (sendBefore: number | undefined): boolean =>
  sendBefore !== undefined && uptimeMillis() > sendBefore

/** No request was sent to the host. */
export class NotSent extends Error {
  readonly code = "ERR_NOT_SENT"
  constructor() {
    super("it could not be sent in time")
  }
}

/** The code of the resulting `FetchError`. */
export const notSentCode = "NOT_SENT"
