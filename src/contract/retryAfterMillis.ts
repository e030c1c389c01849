/**
 * Parses the header Retry-After (seconds, or an HTTP date) to milliseconds from now, at most `maxMillis`. A time in the past
 * is 0. Returns undefined if the header is neither.
 */
export const retryAfterMillis = (
  header: string | undefined,
  now: number,
  maxMillis: number = Number.POSITIVE_INFINITY
): number | undefined => {
  if (header === undefined || header.trim() === "") return undefined
  const seconds = Number(header)
  const millis = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isNaN(millis) ? undefined : Math.min(maxMillis, Math.max(0, millis))
}
