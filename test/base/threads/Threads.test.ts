import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import * as Threads from "#base/Threads"
import { askingModule } from "./askingModule.ts"

interface Said {
  readonly asked: string
  readonly threadId: number
  readonly told: string
}

/** A thread that says what it was told at its start, who it is, and what it is asked. "never" has no answer but a bell. */
const worker = `
import { spawnSync } from "node:child_process"
import { parentPort, threadId, workerData } from "node:worker_threads"
const bell = new Int32Array(new SharedArrayBuffer(4))
const ring = () => { Atomics.store(workerData.bell, 0, 1); Atomics.notify(workerData.bell, 0) }
parentPort.on("message", (asked) => {
  if (asked === "die") throw new Error("it dies")
  if (asked === "eat") { const all = []; for (;;) all.push(new Array(1e5).fill(all.length)) }
  if (asked === "hoard") for (const all = []; ; ) { all.push(new Uint8Array(1e6)); Atomics.wait(bell, 0, 0, 1) }
  if (asked === "grow") globalThis.kept = new Uint8Array(32e6)
  if (asked === "stall") spawnSync("sleep", ["1"])
  if (asked === "leave") process.exit(0)
  if (asked === "never") ring()
  else parentPort.postMessage({ asked, threadId, told: workerData.told })
})
`

const threads = Effect.fnUntraced(function* (
  bell = new Int32Array(new SharedArrayBuffer(4)),
  own: Partial<Parameters<typeof Threads.pool<string, string>>[0]> = {}
) {
  const beside = yield* askingModule("worker", worker)
  return yield* Threads.pool<string, Said>({
    file: "./worker",
    beside,
    threads: 1,
    idleMillis: 60_000,
    heapMegabytes: 32,
    data: { told: "at the start", bell },
    ...own
  })
})

describe("threads", () => {
  it.live("answer in turn, each question its own, with what they were told at the start", () =>
    Effect.gen(function* () {
      const { ask } = yield* threads()
      const answers = yield* Effect.forEach(["a", "b", "c"], ask, { concurrency: "unbounded" })
      expect(answers.map(({ asked }) => asked)).toEqual(["a", "b", "c"])
      expect(new Set(answers.map(({ threadId, told }) => `${threadId} ${told}`)).size).toBe(1)
      expect(answers[0]?.told).toBe("at the start")
    })
  )

  it.live("are ended where a question is given up, and others answer the next", () =>
    Effect.gen(function* () {
      const bell = new Int32Array(new SharedArrayBuffer(4))
      const { ask } = yield* threads(bell)
      const first = yield* ask("a")
      const given = yield* Effect.forkChild(ask("never"))
      const rung = Atomics.waitAsync(bell, 0, 0)
      if (rung.async) yield* Effect.promise(() => rung.value)
      yield* Fiber.interrupt(given)
      const next = yield* ask("b")
      expect(next.asked).toBe("b")
      expect(next.threadId).not.toBe(first.threadId)
    })
  )

  it.live("that are kept longer than they may be fail their question", () =>
    Effect.gen(function* () {
      const { ask } = yield* threads(undefined, { mostMillis: 50 })
      const message = "it takes longer than 0.05 seconds"
      expect(yield* Effect.flip(ask("never"))).toMatchObject({
        _tag: "ThreadEnded",
        message,
        isMemory: false,
        isTime: true
      })
    })
  )

  it.live("that die fail their question alone, and say why", () =>
    Effect.gen(function* () {
      const { ask } = yield* threads()
      expect(yield* Effect.flip(ask("die"))).toMatchObject({ _tag: "ThreadEnded", message: "it dies", isMemory: false })
      expect(yield* Effect.flip(ask("leave"))).toMatchObject({ message: "the thread ended", isMemory: false })
      expect((yield* ask("b")).asked).toBe("b")
    })
  )

  it.live("that need more memory than they may have fail their question alone", () =>
    Effect.gen(function* () {
      const { ask } = yield* threads()
      expect(yield* Effect.flip(ask("eat"))).toMatchObject({ _tag: "ThreadEnded", isMemory: true })
      expect((yield* ask("b")).asked).toBe("b")
    })
  )

  it.live("whose buffers take more memory than they may are ended while they compute", () =>
    Effect.gen(function* () {
      const { ask } = yield* threads(undefined, { bufferMegabytes: 64 })
      expect(yield* Effect.flip(ask("hoard"))).toMatchObject({
        isMemory: true,
        message: expect.stringMatching("64 MB")
      })
      expect((yield* ask("b")).asked).toBe("b")
    })
  )

  it.live("that answer nothing for a while are not asked again how large they are", () =>
    Effect.gen(function* () {
      let most = 0
      process.once("worker", (thread) => {
        thread.on("newListener", () => {
          most = Math.max(most, thread.listenerCount("exit"))
        })
      })
      const { ask } = yield* threads(undefined, { bufferMegabytes: 64 })
      yield* ask("stall")

      expect(most).toBeLessThanOrEqual(2)
    })
  )

  it.live("that a question has made large give their memory back when they have answered", () =>
    Effect.gen(function* () {
      const { ask } = yield* threads(undefined, { restMegabytes: 32 })
      const [small, grown, next] = [yield* ask("a"), yield* ask("grow"), yield* ask("b")]
      expect(grown.threadId).toBe(small.threadId)
      expect(next.threadId).not.toBe(grown.threadId)
    })
  )

  it.live("take over what is handed over, and leave the question as it is", () =>
    Effect.gen(function* () {
      const handed = new ArrayBuffer(8)
      const { ask } = yield* threads(undefined, { sending: (asked) => ({ request: `${asked}!`, buffers: [handed] }) })
      expect(yield* ask("a")).toMatchObject({ asked: "a!" })
      expect(handed.detached).toBe(true)
    })
  )
})
