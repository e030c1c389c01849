/**
 * The header Retry-After as milliseconds from now: seconds, or an HTTP date. Undefined where it says neither. A moment that
 * has passed is 0, and no wait is longer than `maxMillis`.
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
