/** Two machines are two folders; what they share is a third. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { connector } from "#connectors/file/index"
import * as Journal from "#engine/Journal"
import * as Journals from "#engine/Journals"
import { objectStores } from "#engine/objectStores"
import { folder } from "#testing/folder"
import { answer, state } from "../runState.ts"

const run = "20261125T000000000Z-aaaaaa"
const textsOf = (journal: Journal.RunJournal) =>
  Effect.map(Stream.runCollect(journal.answers), (all) => all.map(({ text }) => text))

/** Two machines, and the folder that both reach. */
const machines = Effect.map(folder, (root) => {
  const of = (name: string) => {
    mkdirSync(join(root, name), { recursive: true })
    return join(root, name)
  }
  return { one: of("one"), other: of("other"), store: of("store"), shared: { path: join(root, "store") } }
})
const take = (directory: string, shared: Journal.Shared) =>
  Effect.flatMap(Journal.Journals, (journals) => journals.take("p", directory, shared))
const look = (directory: string, shared: Journal.Shared) =>
  Effect.flatMap(Journal.Journals, (journals) => journals.look("p", directory, shared))

/** A machine that is killed: its scope is never closed, and what it holds is renewed no more. */
const killed = Effect.fnUntraced(function* (
  directory: string,
  shared: Journal.Shared,
  work: (journal: Journal.Journal) => Effect.Effect<void, Journal.JournalError, Scope.Scope>
) {
  const scope = yield* Scope.make()
  yield* Scope.provide(Effect.flatMap(take(directory, shared), work), scope)
  return scope
})
/** The same machine in its next life: with its disk, without its locks. */
const started = (directory: string): string => {
  const next = `${directory}-again`
  cpSync(directory, next, { recursive: true })
  return next
}
/** As if the lock had not been renewed for so long. */
const age = (store: string, millis: number) => {
  const locks = join(store, "p/lock")
  const at = new Date(Date.now() - millis)
  for (const name of readdirSync(locks)) utimesSync(join(locks, name), at, at)
}

const law = <E>(sentence: string, test: () => Effect.Effect<void, E, Journal.Journals | Scope.Scope>) =>
  it.effect(sentence, () =>
    Effect.provide(Effect.scoped(Effect.suspend(test)), Layer.mergeAll(Journals.layer, objectStores([connector])))
  )

describe("a shared journal", () => {
  law("gives a run that one machine began to another: its answers, its blocks, its state", () =>
    Effect.gen(function* () {
      const { one, other, shared, store } = yield* machines
      yield* killed(one, shared, (journal) =>
        Effect.gen(function* () {
          const begun = yield* journal.begin(state(run))
          const { blocks, progress } = yield* begun.segments
          yield* Effect.promise(() => blocks.append([Buffer.from("a page")]))
          yield* Effect.promise(() => progress.append([Buffer.from("a record")]))
          yield* begun.append({ ...answer("one"), blocks: [0] })
          yield* begun.append(answer("two"))
        })
      )
      age(store, 61_000)

      const journal = yield* take(other, shared)
      const entries = yield* journal.runs
      const opened = yield* journal.open(run)
      const contents = (yield* Stream.runCollect(opened.answers)).map((each) => each.contents?.map(String))
      const { progress } = yield* opened.segments

      expect(entries.map((entry) => [entry.state.run_id, entry.state.status])).toEqual([[run, "reading"]])
      expect(yield* textsOf(opened)).toEqual(["one", "two"])
      expect(contents).toEqual([["a page"], undefined])
      expect(String((yield* Effect.promise(() => progress.read(0)))?.bytes)).toBe("a record")
    })
  )

  law("gives another machine what a file has, also where its end was cut off and it grew again", () =>
    Effect.gen(function* () {
      const { one, other, shared, store } = yield* machines
      const [old, next, last] = ["an old page", "a page in its place", "and one more page"]
      yield* killed(one, shared, (journal) =>
        Effect.gen(function* () {
          const begun = yield* journal.begin(state(run))
          const { blocks } = yield* begun.segments
          yield* Effect.promise(() => blocks.append([Buffer.from("a page"), Buffer.from(old)]))
          // A block that is not complete when the file is copied.
          yield* Effect.promise(() => blocks.append([Buffer.from(old)]))
          truncateSync(join(begun.folder, "blocks.zst"), statSync(join(begun.folder, "blocks.zst")).size - 3)
          yield* begun.append({ ...answer("one"), blocks: [0] })
        })
      )
      age(store, 61_000)
      yield* killed(other, shared, (journal) =>
        Effect.gen(function* () {
          const opened = yield* journal.open(run)
          const { blocks } = yield* opened.segments
          expect(blocks.places).toHaveLength(2)
          yield* Effect.promise(() => blocks.keep(1))
          yield* Effect.promise(() => blocks.append([Buffer.from(next), Buffer.from(last)]))
          yield* opened.append({ ...answer("two"), blocks: [1, 2] })
        })
      )
      age(store, 61_000)

      const opened = yield* (yield* take(`${one}-third`, shared)).open(run)
      const contents = (yield* Stream.runCollect(opened.answers)).map((each) => each.contents?.map(String))

      expect(contents).toEqual([["a page"], [next, last]])
    })
  )

  law("is had by one machine at a time, which is named, until it ends or was silent for a minute", () =>
    Effect.gen(function* () {
      const { one, other, shared, store } = yield* machines
      const scope = yield* killed(one, shared, () => Effect.void)

      const refused = yield* Effect.flip(Effect.scoped(take(other, shared)))
      age(store, 59_000)
      const again = yield* Effect.flip(Effect.scoped(take(other, shared)))
      yield* Scope.close(scope, Exit.void)
      yield* Effect.scoped(take(other, shared))

      expect(refused.message).toMatch(/^p is being run by process \d+ on .+; wait until it ends/)
      expect(again.message).toBe(refused.message)
      expect(readdirSync(join(store, "p/lock"))).toHaveLength(2)
    })
  )

  law("renews its lock while it is held, so that a long run is not taken for a dead one", () =>
    Effect.gen(function* () {
      const { one, other, shared, store } = yield* machines
      yield* killed(one, shared, () => Effect.void)
      age(store, 50_000)

      yield* TestClock.adjust("10 seconds")
      // The renewal writes a file, which no clock moves.
      const lock = join(store, "p/lock/000000000001.json")
      const isRenewed = () => statSync(lock).mtimeMs > Date.now() - 40_000
      yield* Effect.promise(() => expect.poll(isRenewed).toBe(true))
      age(store, 50_000)
      const refused = yield* Effect.flip(Effect.scoped(take(other, shared)))

      expect(refused.message).toContain("is being run by process")
    })
  )

  law("refuses what a machine writes that slept while another one took the journal", () =>
    Effect.gen(function* () {
      const { one, other, shared, store } = yield* machines
      let sleeping: Journal.RunJournal | undefined
      yield* killed(one, shared, (journal) =>
        Effect.gen(function* () {
          sleeping = yield* journal.begin(state(run))
          yield* sleeping.append(answer("one"))
        })
      )
      age(store, 61_000)
      const journal = yield* take(other, shared)
      const opened = yield* journal.open(run)
      yield* opened.append(answer("two, elsewhere"))

      const lost = yield* Effect.flip(sleeping?.append(answer("two, here")) ?? Effect.void)
      yield* opened.append(answer("three"))

      expect(lost.message).toContain("another one has taken the journal")
      expect(yield* textsOf(opened)).toEqual(["one", "two, elsewhere", "three"])
    })
  )

  law("takes what another machine left in place of what is here, and keeps what is here where it was last", () =>
    Effect.gen(function* () {
      const { one, other, shared, store } = yield* machines
      yield* killed(one, shared, (journal) =>
        Effect.flatMap(journal.begin(state(run)), (begun) => begun.append(answer("one")))
      )
      age(store, 61_000)
      yield* killed(other, shared, (journal) =>
        Effect.flatMap(journal.open(run), (begun) => begun.append(answer("two")))
      )
      age(store, 61_000)

      // Back on the first one, whose own copy has one answer.
      const back = started(one)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const opened = yield* (yield* take(back, shared)).open(run)
          expect(yield* textsOf(opened)).toEqual(["one", "two"])
          yield* opened.save({ status: "done", ended_at: 2000 })
        })
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const opened = yield* (yield* take(back, shared)).open(run)
          expect(opened.state.status).toBe("done")
        })
      )
    })
  )

  law("brings the answers of a run that is over when somebody opens it, and lists it without them", () =>
    Effect.gen(function* () {
      const { one, other, shared } = yield* machines
      yield* Effect.scoped(
        Effect.gen(function* () {
          const begun = yield* (yield* take(one, shared)).begin(state(run))
          yield* begun.append(answer("one"))
          yield* begun.save({ status: "done", ended_at: 2000 })
        })
      )

      const listed = yield* look(other, shared)
      expect(listed.map((entry) => [entry.state.status, entry.bytes > 0])).toEqual([["done", true]])
      const journal = yield* take(other, shared)
      const answers = join(other, ".millrace/pipelines/p/runs", run, "answers.ndjson.zst")
      expect(existsSync(answers)).toBe(false)
      expect(yield* textsOf(yield* journal.open(run))).toEqual(["one"])
    })
  )

  law("has only what is whole: half an answer that a killed machine left is cut off, here and there", () =>
    Effect.gen(function* () {
      const { one, other, shared, store } = yield* machines
      yield* killed(one, shared, (journal) =>
        Effect.flatMap(journal.begin(state(run)), (begun) => begun.append(answer("one")))
      )
      const parts = join(store, "p/runs", run, "answers.ndjson.zst")
      const [first = ""] = readdirSync(parts)
      const size = readFileSync(join(parts, first)).length
      writeFileSync(join(parts, String(size).padStart(15, "0")), "half of an answer")
      age(store, 61_000)

      yield* killed(other, shared, (journal) =>
        Effect.flatMap(journal.open(run), (opened) => opened.append(answer("two")))
      )
      age(store, 61_000)
      const opened = yield* (yield* take(started(one), shared)).open(run)

      expect(yield* textsOf(opened)).toEqual(["one", "two"])
    })
  )

  law("hands over the rows of a run that a check holds, and removes them when it is decided", () =>
    Effect.gen(function* () {
      const { one, other, shared, store } = yield* machines
      yield* Effect.scoped(
        Effect.gen(function* () {
          const begun = yield* (yield* take(one, shared)).begin(state(run))
          writeFileSync(join(begun.folder, "stage.duckdb"), "rows that wait")
          yield* begun.save({ status: "held" })
        })
      )

      yield* Effect.scoped(
        Effect.gen(function* () {
          const opened = yield* (yield* take(other, shared)).open(run)
          expect(readFileSync(join(opened.folder, "stage.duckdb"), "utf8")).toBe("rows that wait")
          rmSync(join(opened.folder, "stage.duckdb"))
          yield* opened.save({ status: "done", ended_at: 2000 })
        })
      )

      expect(
        readdirSync(join(store, "p/runs", run), { recursive: true }).filter((path) => /\.json$|\d$/.test(String(path)))
      ).toEqual(["run.json"])
    })
  )

  law("removes from the store what is pruned here", () =>
    Effect.gen(function* () {
      const { one, shared, store } = yield* machines
      const journal = yield* take(one, shared)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const begun = yield* journal.begin(state(run))
          yield* begun.append(answer("one"))
          yield* begun.save({ status: "done", ended_at: 2000 })
        })
      )
      expect(readdirSync(join(store, "p/runs"))).toEqual([run])

      yield* journal.prune({ before: 3000, bytes: 1e9 })

      expect(yield* look(one, shared)).toEqual([])
    })
  )

  law("hands over what the next run may be told of the last", () =>
    Effect.gen(function* () {
      const { one, other, shared } = yield* machines
      yield* Effect.scoped(
        Effect.gen(function* () {
          const begun = yield* (yield* take(one, shared)).begin(state(run))
          const { known } = yield* begun.segments
          yield* Effect.promise(() => known.append([Buffer.from("a page is known")]))
          yield* begun.save({ status: "done", ended_at: 2000 })
          yield* begun.keepKnown("print")
        })
      )

      const journal = yield* take(other, shared)
      const known = yield* journal.known(run, "print")

      expect(String((yield* Effect.promise(async () => known?.read(0)))?.bytes)).toBe("a page is known")
    })
  )

  it.effect("says what is missing where nothing opens stores", () =>
    Effect.gen(function* () {
      const { one, shared } = yield* machines
      const error = yield* Effect.flip(take(one, shared))

      expect(error.message).toContain("provide ObjectStores")
    }).pipe(Effect.scoped, Effect.provide(Journals.layer))
  )
})
