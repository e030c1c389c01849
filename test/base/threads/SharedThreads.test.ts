import { fileURLToPath, pathToFileURL } from "node:url"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import * as SharedThreads from "#base/SharedThreads"
import { askingModule } from "./askingModule.ts"

/** "later" is answered once "now" is asked; "stopped" says which were given up; "hang" and "eat" never end. */
const worker = `
import { answering, startData } from ${JSON.stringify(pathToFileURL(fileURLToPath(new URL("../../../src/base/answering.ts", import.meta.url))).href)}
const waiting = []
const stopped = []
answering((asked, { answer, working }) => {
  if (asked === "hang") working(() => { for (;;) {} })
  if (asked === "eat") working(() => { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)) })
  if (asked.startsWith("later")) waiting.push(() => answer(asked))
  else if (asked === "stopped") answer(stopped.join())
  else if (asked === "told") answer(String(startData()))
  else if (asked !== "never") { for (const one of waiting.splice(0)) one(); answer(asked) }
  return () => stopped.push(asked)
})
`

const threads = Effect.fnUntraced(function* (count = 1) {
  const beside = yield* askingModule("worker", worker)
  return yield* SharedThreads.open<string, string>({
    file: "./worker",
    beside,
    threads: count,
    idleMillis: 60_000,
    stuckMillis: 1000,
    heapMegabytes: 32,
    data: "at the start"
  })
})

describe("threads that are shared", () => {
  it.live("have many questions at a time, and answer each when they can", () =>
    Effect.gen(function* () {
      const { ask } = yield* threads()
      const later = yield* Effect.forkChild(Effect.forEach(["later 1", "later 2"], ask, { concurrency: "unbounded" }))
      yield* Effect.yieldNow

      expect(yield* ask("told")).toBe("at the start")
      expect(yield* ask("now")).toBe("now")
      expect(yield* Fiber.join(later)).toEqual(["later 1", "later 2"])
    })
  )

  it.live("are told of a question that is given up, and go on with the others", () =>
    Effect.gen(function* () {
      const { ask } = yield* threads()
      const later = yield* Effect.forkChild(ask("later"))
      const never = yield* Effect.forkChild(ask("never"))
      expect(yield* ask("told")).toBe("at the start")
      yield* Fiber.interrupt(never)

      expect(yield* ask("stopped")).toBe("never")
      expect(yield* ask("now")).toBe("now")
      expect(yield* Fiber.join(later)).toBe("later")
    })
  )

  it.live("are ended where one question holds them up, or eats their memory: it alone has failed for good", () =>
    Effect.gen(function* () {
      for (const bad of ["hang", "eat"]) {
        const { ask } = yield* threads()
        const neighbour = yield* Effect.forkChild(Effect.flip(ask("never")))
        expect(yield* ask("told")).toBe("at the start")

        expect((yield* Effect.flip(ask(bad)))._tag).toBe("StuckInThis")
        expect((yield* Fiber.join(neighbour))._tag).toBe("ThreadEnded")
        expect(yield* ask("now")).toBe("now")
      }
    })
  )
})
