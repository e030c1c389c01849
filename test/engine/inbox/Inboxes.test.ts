import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { Inboxes as InboxService } from "#engine/Inbox"
import * as Inboxes from "#engine/Inboxes"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "millrace-inbox-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)
const open = Effect.fnUntraced(function* (name: string, directory: string) {
  const inboxes = yield* InboxService
  return yield* inboxes.open(name, directory)
})
const much = { events: 1000, bytes: 1e9 }
const day = 24 * 3_600_000

for (const [kind, layer] of Object.entries({ file: Inboxes.layer, memory: Inboxes.layerMemory })) {
  describe(`an inbox in ${kind}`, () => {
    const test = (sentence: string, run: Effect.Effect<void, unknown, InboxService | Scope.Scope>) =>
      it.effect(sentence, () => Effect.provide(run, layer))

    test(
      "gives events in the order they came, each with a number of its own, some at a time",
      Effect.gen(function* () {
        const inbox = yield* open("m", yield* folder)
        const taken = yield* inbox.accept(["a", "b", "c"].map((id) => ({ id, body: `body ${id}` })))
        const first = yield* inbox.read(0, { events: 2, bytes: 1e9 })
        const rest = yield* inbox.read(2, much)

        expect(taken).toEqual(["accepted", "accepted", "accepted"])
        expect(first.map(({ body, id, seq }) => [seq, id, body])).toEqual([
          [1, "a", "body a"],
          [2, "b", "body b"]
        ])
        expect(rest.map(({ id, seq }) => [seq, id])).toEqual([[3, "c"]])
      })
    )

    test(
      "reads no more bytes than it is asked for, and one event whatever its size",
      Effect.gen(function* () {
        const inbox = yield* open("m", yield* folder)
        yield* inbox.accept(["a", "b", "c"].map((id) => ({ id, body: "é".repeat(50) })))

        expect(yield* inbox.read(0, { events: 9, bytes: 200 })).toHaveLength(2)
        expect(yield* inbox.read(0, { events: 9, bytes: 10 })).toHaveLength(1)
      })
    )

    test(
      "is one inbox for two who open it at once",
      Effect.gen(function* () {
        const directory = yield* folder
        const [one, other] = yield* Effect.all([open("m", directory), open("m", directory)], { concurrency: 2 })
        yield* one.accept([{ id: "a", body: "1" }])

        expect(yield* other.accept([{ id: "a", body: "1" }])).toEqual(["known"])
        expect(yield* other.counts).toEqual({ events: 1, bodies: 1 })
      })
    )

    test(
      "takes an event once, and tells the same body from another",
      Effect.gen(function* () {
        const inbox = yield* open("m", yield* folder)
        const taken = yield* inbox.accept([
          { id: "a", body: "1" },
          { id: "a", body: "1" },
          { id: "a", body: "2" }
        ])

        expect(taken).toEqual(["accepted", "known", "different"])
        expect(yield* inbox.accept([{ id: "a", body: "1" }])).toEqual(["known"])
        expect(yield* inbox.counts).toEqual({ events: 1, bodies: 1 })
      })
    )

    test(
      "knows an event whose body it has forgotten, and gives its number to no other",
      Effect.gen(function* () {
        const inbox = yield* open("m", yield* folder)
        yield* inbox.accept([{ id: "a", body: "1" }])
        yield* TestClock.adjust(day)
        expect(yield* inbox.forget(1, day)).toBe(1)

        expect(yield* inbox.accept([{ id: "a", body: "1" }])).toEqual(["known"])
        expect(yield* inbox.accept([{ id: "b", body: "2" }])).toEqual(["accepted"])
        expect((yield* inbox.read(0, much)).map(({ id, seq }) => [seq, id])).toEqual([[2, "b"]])
        expect(yield* inbox.counts).toEqual({ events: 2, bodies: 1 })
      })
    )

    test(
      "forgets nothing that is young, or behind what was read, however much there is",
      Effect.gen(function* () {
        const inbox = yield* open("m", yield* folder)
        const many = (name: string) => Array.from({ length: 1200 }, (_, n) => ({ id: `${name}${n}`, body: "{}" }))
        yield* inbox.accept(many("old"))
        yield* TestClock.adjust(day)
        yield* inbox.accept(many("young"))

        expect(yield* inbox.forget(1100, day)).toBe(1100)
        expect(yield* inbox.forget(2400, day)).toBe(100)
        expect(yield* inbox.counts).toEqual({ events: 2400, bodies: 1200 })
        expect((yield* inbox.read(0, { events: 1, bytes: 9 }))[0]).toMatchObject({ seq: 1201, id: "young0" })
      })
    )

    test(
      "has a name of its own for each inbox, whatever signs are in it",
      Effect.gen(function* () {
        const directory = yield* folder
        const one = yield* open("../a b", directory)
        const other = yield* open("..", directory)
        yield* one.accept([{ id: "a", body: "1" }])

        expect((yield* open("../a b", directory)).identity).toBe(one.identity)
        expect(other.identity).not.toBe(one.identity)
        expect(yield* other.counts).toEqual({ events: 0, bodies: 0 })
      })
    )
  })
}

describe("an inbox in file", () => {
  const test = (sentence: string, run: Effect.Effect<void, unknown, InboxService | Scope.Scope>) =>
    it.effect(sentence, () => Effect.provide(run, Inboxes.layer))

  test(
    "has on the disk what it has answered for: another reader sees it",
    Effect.gen(function* () {
      const directory = yield* folder
      const inbox = yield* open("m", directory)
      yield* inbox.accept([{ id: "a", body: "1" }])
      const file = Inboxes.fileOf("m", directory)
      const other = new DatabaseSync(file, { readOnly: true })
      const rows = other.prepare("SELECT id, body FROM bodies").all()
      other.close()

      expect(rows).toMatchObject([{ id: "a", body: "1" }])
      expect(statSync(file).mode & 0o777).toBe(0o600)
    })
  )

  test(
    "takes an event once where two that have it open are told of it at the same time",
    Effect.gen(function* () {
      const directory = yield* folder
      const both = [yield* open("m", directory), yield* open("m", directory)]
      const events = Array.from({ length: 50 }, (_, n) => ({ id: `e${n}`, body: "{}" }))
      const answers = yield* Effect.forEach(
        events.flatMap((event) => both.map((inbox) => ({ event, inbox }))),
        ({ event, inbox }) => inbox.accept([event]),
        { concurrency: "unbounded" }
      )

      expect(answers.flat().filter((taken) => taken === "accepted")).toHaveLength(50)
      expect(answers.flat().filter((taken) => taken === "known")).toHaveLength(50)
    })
  )

  test(
    "commits what waits together once, and what waits at its end too",
    Effect.gen(function* () {
      const directory = yield* folder
      const writes = Effect.gen(function* () {
        const inbox = yield* open("m", directory)
        const accepted = Effect.forEach(
          Array.from({ length: 100 }, (_, n) => n),
          (n) => inbox.accept([{ id: `e${n}`, body: "{}" }]),
          { concurrency: "unbounded" }
        )
        yield* Effect.forkScoped(accepted, { startImmediately: true })
      })
      yield* Effect.scoped(writes)

      expect(yield* (yield* open("m", directory)).counts).toEqual({ events: 100, bodies: 100 })
    })
  )

  test(
    "fails, and keeps none of what it was given, where it cannot be written",
    Effect.gen(function* () {
      const directory = yield* folder
      const inbox = yield* open("m", directory)
      const other = new DatabaseSync(Inboxes.fileOf("m", directory))
      other.exec("CREATE TRIGGER full BEFORE INSERT ON bodies WHEN new.id = 'b' BEGIN SELECT raise(ABORT, 'disk'); END")
      const failed = yield* Effect.flip(
        inbox.accept([
          { id: "a", body: "1" },
          { id: "b", body: "2" }
        ])
      )
      other.exec("DROP TRIGGER full")
      other.close()

      expect(failed.message).toContain("cannot write to the inbox")
      expect(yield* inbox.counts).toEqual({ events: 0, bodies: 0 })
      expect(yield* inbox.accept([{ id: "a", body: "1" }])).toEqual(["accepted"])
    })
  )
})
