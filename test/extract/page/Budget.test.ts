import { expect, test } from "vitest"
import { Budget } from "#extract/page/Budget"

test("a room has the places it was given and no more", () => {
  const room = new Budget(2)

  expect([room.isFull, room.take(), room.take(), room.isFull, room.take()]).toEqual([false, true, true, true, false])
})
