/**
 * The header Retry-After as milliseconds from now: seconds, or an HTTP date. Undefined where it says neither.
 *
 * No host makes us wait longer than a minute: one that says "tomorrow" is asked again, and may say so again.
 */
export const retryAfter = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined || header.trim() === "") return undefined
  const seconds = Number(header)
  const millis = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isNaN(millis) ? undefined : Math.min(longestMillis, Math.max(0, millis))
}

const longestMillis = 60_000
