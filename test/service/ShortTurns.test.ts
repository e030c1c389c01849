import { describe, expect, it } from "vitest"
import * as ShortTurns from "../../src/service/ShortTurns.ts"

/** A scheduler whose time and turns are told. */
const scripted = () => {
  let now = 0
  const turns: Array<() => void> = []
  const dispatcher = ShortTurns.make(
    () => now,
    (run) => turns.push(run)
  ).makeDispatcher()
  const done: Array<string> = []
  const task =
    (name: string, millis: number, also: () => void = () => {}) =>
    () => {
      done.push(name)
      now += millis
      also()
    }
  const turn = () => {
    turns.shift()?.()
    return done.splice(0)
  }
  return { dispatcher, task, turn, turns }
}

describe("short turns", () => {
  it("end after 10 ms, and go on in order with what is left", () => {
    const { dispatcher, task, turn, turns } = scripted()
    for (const name of ["a", "b", "c", "d", "e"]) dispatcher.scheduleTask(task(name, 4), 0)

    expect(turns).toHaveLength(1)
    expect(turn()).toEqual(["a", "b", "c"])
    expect(turn()).toEqual(["d", "e"])
    expect(turns).toHaveLength(0)
  })

  it("leave to the next one what their own work adds, and keep priorities", () => {
    const { dispatcher, task, turn } = scripted()
    dispatcher.scheduleTask(task("late", 1), 5)
    dispatcher.scheduleTask(
      task("first", 1, () => dispatcher.scheduleTask(task("added", 1), 0)),
      0
    )

    expect(turn()).toEqual(["first", "late"])
    expect(turn()).toEqual(["added"])
  })

  it("go on after a task that throws", () => {
    const { dispatcher, task, turn } = scripted()
    dispatcher.scheduleTask(() => {
      throw new Error("broken")
    }, 0)
    dispatcher.scheduleTask(task("next", 1), 0)

    expect(turn).toThrow("broken")
    expect(turn()).toEqual(["next"])
  })

  it("run all that there is where it is wanted at once, and 5,000 tasks in order", () => {
    const { dispatcher, task } = scripted()
    const order: Array<number> = []
    for (let n = 0; n < 5000; n++)
      dispatcher.scheduleTask(
        task("", 1, () => order.push(n)),
        0
      )
    dispatcher.flush()

    expect(order).toEqual(Array.from({ length: 5000 }, (_, n) => n))
  })
})
