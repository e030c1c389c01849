import { expect, it } from "vitest"
import { madeBefore, uuid7 } from "#contract/uuid7"

it("says whether an id was made before a time", () => {
  const ids = [0, 1, 65_535, 65_536, 1_795_000_000_000].map((time) => uuid7(time))

  expect(ids.map(madeBefore(65_536))).toEqual([true, true, true, false, false])
  expect(ids.map(madeBefore(1))).toEqual([true, false, false, false, false])
  expect(ids.map(madeBefore(-5))).toEqual(ids.map(() => false))
})
