import { expect, it } from "vitest"
import { retryAfterMillis } from "#contract/retryAfterMillis"

const now = Date.UTC(2026, 0, 1)
const at = (millis: number) => new Date(now + millis).toUTCString()

it.each([
  [undefined, undefined],
  ["", undefined],
  ["  ", undefined],
  ["soon", undefined],
  ["NaN", undefined],
  ["0", 0],
  ["-5", 0],
  ["7", 7000],
  ["0.5", 500],
  ["86400", 60_000],
  ["1e400", undefined],
  [at(20_000), 20_000],
  [at(-3_600_000), 0],
  [at(10 ** 12), 60_000],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0]
])("Retry-After %j asks for %j milliseconds", (header, millis) => {
  expect(retryAfterMillis(header, now, 60_000)).toBe(millis)
})

it("waits as long as it is asked to where there is no limit", () => {
  expect(retryAfterMillis("86400", now)).toBe(86_400_000)
})
