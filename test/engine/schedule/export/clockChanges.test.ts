import { expect, it } from "@effect/vitest"
import { clockChanges } from "#engine/schedule/export/clockChanges"
import { task } from "../simulated.ts"

it.each([
  ["30 2 * * *", "Europe/Berlin", true, true],
  ["30 2 * * *", "America/New_York", true, false],
  ["30 1 * * *", "America/New_York", false, true],
  ["15 2 * * *", "Australia/Lord_Howe", true, false],
  ["45 1 * * *", "Australia/Lord_Howe", false, true],
  ["0 3 * * *", "Europe/Berlin", false, false],
  ["30 2 * * 1-5", "Europe/Berlin", false, false],
  ["30 2 * * *", "UTC", false, false],
  ["30 * * * *", "Europe/Berlin", false, false]
])("%s in %s does not exist on a day: %s; comes twice: %s", (expression, timezone, hasGap, hasTwice) => {
  const { timing } = task("a", expression, { timezone })
  expect(clockChanges(timing, Date.parse("2026-11-27T12:00:00Z"))).toEqual({ hasGap, hasTwice })
})
