import { expect, test } from "vitest"
import { Room } from "../../../src/extract/read/Room.ts"

test("a room has the places it was given and no more", () => {
  const room = new Room(2)

  expect([room.isFull, room.take(), room.take(), room.isFull, room.take()]).toEqual([false, true, true, true, false])
})
