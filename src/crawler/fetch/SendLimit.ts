/**
 * When it is too late to send a request that was allowed: a process that stood still in between may have lost the host to
 * another, and what it sends then would come beside what that one sends.
 */

/** The same clock in every thread of a process; nobody sets it. In milliseconds. */
export const uptimeMillis = (): number => Number(process.hrtime.bigint()) / 1_000_000

/** `sendBefore`: by `uptimeMillis`; undefined: it is never too late. */
export const isTooLate = (sendBefore: number | undefined): boolean =>
  sendBefore !== undefined && uptimeMillis() > sendBefore

/** Nothing was asked of the host. */
export class NotSent extends Error {
  readonly code = "ERR_NOT_SENT"
  constructor() {
    super("it could not be sent in time")
  }
}

/** The code of the `FetchError` that it becomes. */
export const notSentCode = "NOT_SENT"
