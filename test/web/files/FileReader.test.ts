import type { Worker } from "node:worker_threads"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as Pdf from "#site/Pdf"
import { FileReader } from "#web/FileReader"
import * as archives from "../../hostile/archives.ts"

const pdf = (text: string, pages = 1) => ({
  kind: "pdf" as const,
  bytes: Pdf.make(
    text,
    Array.from({ length: pages * 48 }, () => text)
  ),
  maxPages: 500
})

describe("the reader of files", () => {
  it.live("reads several at once, and more after one that is broken", () =>
    Effect.gen(function* () {
      const reader = yield* FileReader
      const broken = { kind: "pdf" as const, bytes: new TextEncoder().encode("%PDF-1.4 nothing"), maxPages: 1 }
      const reads = yield* Effect.forEach(
        [pdf("one"), broken, pdf("two"), pdf("three")],
        (request) => Effect.result(reader.read(request)),
        { concurrency: "unbounded" }
      )

      expect(
        reads.map((read) => (read._tag === "Success" && read.success.kind === "pdf" ? read.success.title : read._tag))
      ).toEqual(["one", "Failure", "two", "three"])
    }).pipe(Effect.provide(FileReader.layer))
  )

  it.live("answers a short one while it reads a long one", () =>
    Effect.gen(function* () {
      const reader = yield* FileReader
      const order: Array<string> = []
      const read = (name: string, pages: number) =>
        Effect.tap(reader.read(pdf(name, pages)), () => Effect.sync(() => order.push(name)))
      const [long] = yield* Effect.all([read("long", 400), read("short", 1)], { concurrency: "unbounded" })

      expect(long).toMatchObject({ kind: "pdf", numPages: 400 })
      expect(order).toEqual(["short", "long"])
    }).pipe(Effect.provide(FileReader.layer))
  )

  it.live("refuses what is too large before it is read", () =>
    Effect.gen(function* () {
      const reader = yield* FileReader
      const problem = yield* Effect.flip(
        reader.read({ kind: "pdf", bytes: new Uint8Array(20 * 1024 * 1024 + 1), maxPages: 1 })
      )

      expect(problem).toMatchObject({ code: "SCRAPE_FILE_TOO_LARGE_ERROR", message: "the file is larger than 20 MB" })
    }).pipe(Effect.provide(FileReader.layer))
  )

  it.live("refuses a small PDF that unpacks to more than a file may take, and gives its memory back", () =>
    Effect.gen(function* () {
      const ended = Promise.withResolvers<void>()
      process.once("worker", (thread) => thread.once("exit", () => ended.resolve()))
      const reader = yield* FileReader
      const bytes = archives.pdf(600, " ".repeat(64))
      const problem = yield* Effect.flip(reader.read({ kind: "pdf", bytes, maxPages: 1 }))
      yield* Effect.promise(() => ended.promise)

      expect(bytes.byteLength).toBeLessThan(1024 * 1024)
      expect(problem).toMatchObject({
        code: "SCRAPE_FILE_TOO_LARGE_ERROR",
        message: "the file needs more memory than a file may take"
      })
    }).pipe(Effect.provide(FileReader.layer))
  )

  it.live("reads on after a reading was given up", () =>
    Effect.gen(function* () {
      const reader = yield* FileReader
      const fibers = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(reader.read(pdf("given up", 200))))
      yield* Effect.yieldNow
      yield* Fiber.interruptAll(fibers)
      const read = yield* reader.read(pdf("after"))

      expect(read).toMatchObject({ title: "after" })
    }).pipe(Effect.provide(FileReader.layer))
  )

  it.effect("ends a thread that nobody needs for a while", () =>
    Effect.gen(function* () {
      const ended = Promise.withResolvers<void>()
      process.once("worker", (thread) => thread.once("exit", () => ended.resolve()))
      const reader = yield* FileReader
      yield* reader.read(pdf("first"))

      yield* TestClock.adjust("20 seconds")
      yield* Effect.promise(() => ended.promise)

      expect(yield* reader.read(pdf("again"))).toMatchObject({ title: "again" })
    }).pipe(Effect.provide(FileReader.layer))
  )

  it.live("starts another thread where one has died while nobody looked", () =>
    Effect.gen(function* () {
      const threads: Array<Worker> = []
      process.once("worker", (thread) => threads.push(thread))
      const reader = yield* FileReader
      yield* reader.read(pdf("first"))
      yield* Effect.promise(() => Promise.all(threads.map((thread) => thread.terminate())))

      expect(threads).toHaveLength(1)
      expect(yield* reader.read(pdf("again"))).toMatchObject({ title: "again" })
    }).pipe(Effect.provide(FileReader.layer))
  )
})
