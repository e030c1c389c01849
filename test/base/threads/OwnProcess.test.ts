import { fileURLToPath, pathToFileURL } from "node:url"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import * as OwnProcess from "#base/OwnProcess"
import { askingModule } from "./askingModule.ts"

interface Asked {
  readonly what: "pid" | "leave" | "eat" | "hang" | "die"
}

interface Said {
  readonly pid: number
  readonly bytes: Uint8Array
}

const source = `
import { answeringParent } from ${JSON.stringify(pathToFileURL(fileURLToPath(new URL("../../../src/base/OwnProcess.ts", import.meta.url))).href)}
answeringParent(async ({ what }) => {
  if (what === "leave") process.exit(3)
  if (what === "die") process.kill(process.pid, "SIGKILL")
  if (what === "eat") { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)) }
  if (what === "hang") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  return { pid: process.pid, bytes: new Uint8Array([1, 2, 3]) }
})
`

const processes = Effect.fnUntraced(function* (own: Partial<Parameters<typeof OwnProcess.create>[0]> = {}) {
  const beside = yield* askingModule("answers", source)
  return yield* OwnProcess.create<Asked, Said>({
    file: "./answers",
    beside,
    idleMillis: 60_000,
    mostMillis: 60_000,
    heapMegabytes: 32,
    ...own
  })
})

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until it has ended. */
const gone = (pid: number) =>
  Effect.repeat(
    Effect.delay(
      Effect.sync(() => lives(pid)),
      20
    ),
    { while: (is) => is }
  )

describe("a process of its own", () => {
  it.live("answers one question after the other, with bytes as they are", () =>
    Effect.gen(function* () {
      const { ask } = yield* processes()
      const said = yield* Effect.all([ask({ what: "pid" }), ask({ what: "pid" })], { concurrency: "unbounded" })

      expect(new Set(said.map(({ pid }) => pid)).size).toBe(1)
      expect(said[0]?.pid).not.toBe(process.pid)
      expect(Array.from(said[0]?.bytes ?? [])).toEqual([1, 2, 3])
    })
  )

  it.live("ends alone by what it is asked, says how, and another one answers the next question", () =>
    Effect.gen(function* () {
      const { ask } = yield* processes()
      const how = (what: Asked["what"]) => Effect.map(Effect.flip(ask({ what })), ({ message }) => message)

      expect(yield* how("leave")).toBe("ended with 3")
      expect(yield* how("die")).toBe("was ended by SIGKILL")
      expect(yield* how("eat")).toMatch(/^was ended by SIG|^ended with /)
      expect((yield* ask({ what: "pid" })).pid).toBeGreaterThan(0)
    })
  )

  it.live("is ended where a question takes too long, or is given up", () =>
    Effect.gen(function* () {
      const { ask } = yield* processes({ mostMillis: 10_000 })
      const { pid } = yield* ask({ what: "pid" })
      expect((yield* Effect.flip(ask({ what: "hang" }))).message).toBe("did not end in 10 seconds")
      yield* gone(pid)
      const next = yield* ask({ what: "pid" })
      const hanging = yield* Effect.forkChild(ask({ what: "hang" }), { startImmediately: true })
      yield* Fiber.interrupt(hanging)
      yield* gone(next.pid)

      expect(new Set([pid, next.pid, (yield* ask({ what: "pid" })).pid]).size).toBe(3)
    })
  )

  it.live("ends once nobody asks, and with the scope", () =>
    Effect.gen(function* () {
      const { ask } = yield* processes({ idleMillis: 50 })
      yield* gone((yield* ask({ what: "pid" })).pid)
      const left = yield* Effect.scoped(
        Effect.flatMap(processes(), (own) => Effect.map(own.ask({ what: "pid" }), ({ pid }) => pid))
      )
      yield* gone(left)

      expect((yield* ask({ what: "pid" })).pid).not.toBe(left)
    })
  )
})
