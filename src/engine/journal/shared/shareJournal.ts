/**
 * A journal that several machines use one after the other: the local journal, with a complete copy in a store.
 *
 * An answer is in the store when `append` has ended. What a source that reads in this process writes besides its
 * answers follows within a second. A machine that takes the journal fetches what another machine left, and continues it
 * as its own.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Durable from "#base/Durable"
import { makePrivateFolder } from "#base/privateFolder"
import type { Segment } from "#base/Segment"
import * as Journal from "../../Journal.ts"
import { attempt } from "../attempt.ts"
import * as RunFolder from "../RunFolder.ts"
import * as RunCopy from "./RunCopy.ts"
import * as SharedLock from "./SharedLock.ts"
import * as SharedStore from "./SharedStore.ts"

/** `local`: takes the journal of this machine, once `folder` has what other machines left. */
export const shareJournal = Effect.fnUntraced(function* <R>(
  shared: Journal.Shared,
  {
    directory,
    folder,
    local,
    pipeline
  }: {
    readonly pipeline: string
    readonly directory: string
    readonly folder: string
    readonly local: Effect.Effect<Journal.Journal, Journal.JournalError, R>
  }
): Effect.fn.Return<Journal.Journal, Journal.JournalError, R | Scope.Scope> {
  const store = yield* SharedStore.open(shared, pipeline, directory)
  const lock = yield* SharedLock.take(store, pipeline)
  const pathOf = (runId: string) => Path.join(folder, "runs", runId)
  const copies = new Map(yield* RunCopy.list(store))
  if (!(yield* wasLast(folder, store.location, lock.before))) {
    yield* bring(store, folder, copies)
    yield* pullKnown(store, folder)
  }
  yield* rememberLast(folder, store.location, lock.number)
  const own = yield* local

  const share = Effect.fnUntraced(function* (run: Journal.RunJournal) {
    const copy = RunCopy.begin(store, run.folder, copies.get(run.state.run_id) ?? new Map())
    const push = yield* together(Effect.andThen(lock.check, copy.push))
    yield* push
    // The other files of the run are closed by now.
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.andThen(push, copy.pushOthers)))
    yield* Effect.forkScoped(
      Effect.forever(Effect.andThen(Effect.sleep(Duration.millis(followMillis)), Effect.ignore(push)))
    )
    const pushed = <A>(effect: Effect.Effect<A, Journal.JournalError>) => Effect.tap(effect, () => push)
    const journal: Journal.RunJournal = {
      ...run,
      get state() {
        return run.state
      },
      get length() {
        return run.length
      },
      // To open a segment cuts off a block that a killed process wrote in part.
      segments: Effect.flatMap(pushed(run.segments), (segments) => cutTogether(segments, push)),
      append: (answer) => pushed(run.append(answer)),
      save: (state) => pushed(run.save(state)),
      keepKnown: (print) => Effect.andThen(run.keepKnown(print), pushKnown(store, folder))
    }
    return journal
  })

  const journal: Journal.Journal = {
    ...own,
    begin: (state) => Effect.flatMap(own.begin(state), share),
    open: Effect.fnUntraced(function* (runId) {
      const parts = copies.get(runId)
      // Of a run that ended on another machine, only the state was fetched.
      if (parts !== undefined && !(yield* RunCopy.isHere(pathOf(runId), parts))) {
        yield* RunCopy.pull(store, pathOf(runId), parts)
      }
      return yield* Effect.flatMap(own.open(runId), share)
    }),
    prune: (keep) =>
      Effect.tap(own.prune(keep), (gone) =>
        Effect.gen(function* () {
          const now = yield* RunCopy.list(store)
          for (const { state } of gone) yield* RunCopy.remove(store, now.get(state.run_id) ?? new Map())
        })
      )
  }
  return journal
})

/** What is cut off here is cut off in the store before the file grows again: else the copy would keep the old bytes. */
const cutTogether = (segments: Journal.RunSegments, push: Effect.Effect<void, Journal.JournalError>) =>
  Effect.map(Effect.context<never>(), (context) =>
    Record.map(
      segments,
      (segment: Segment): Segment => ({
        ...segment,
        keep: async (count) => {
          if (count >= segment.places.length) return
          await segment.keep(count)
          await Effect.runPromiseWith(context)(push)
        }
      })
    )
  )

/** The runs of all machines, without taking the journal: those in the store, and those that only this machine has. */
export const lookAt = Effect.fnUntraced(function* (
  shared: Journal.Shared,
  {
    directory,
    folder,
    here,
    pipeline
  }: {
    readonly pipeline: string
    readonly directory: string
    readonly folder: string
    readonly here: ReadonlyArray<Journal.Entry>
  }
) {
  const store = yield* SharedStore.open(shared, pipeline, directory)
  const copies = yield* RunCopy.list(store)
  const entries = new Map(here.map((entry) => [entry.state.run_id, entry] as const))
  for (const [runId, parts] of copies) {
    const bytes = yield* store.get(`runs/${runId}/run.json`)
    const read = bytes === undefined ? undefined : RunFolder.stateOf(Buffer.from(bytes).toString())
    if (read === undefined || "damaged" in read) continue
    const bytesHere = entries.get(runId)?.bytes ?? RunCopy.bytesOf(parts)
    entries.set(runId, { state: read.state, bytes: bytesHere, folder: Path.join(folder, "runs", runId) })
  }
  return [...entries.values()].sort((a, b) => (a.state.run_id < b.state.run_id ? -1 : 1))
})

/** How often data that a source writes between two answers are copied. */
const followMillis = 1000

/** Fetches what another machine left: all files of runs that can continue, and only the states of other runs. */
const bring = Effect.fnUntraced(function* (
  store: SharedStore.SharedStore,
  folder: string,
  copies: ReadonlyMap<string, RunCopy.Parts>
) {
  for (const [runId, parts] of copies) {
    const runFolder = Path.join(folder, "runs", runId)
    yield* RunCopy.pullState(store, runFolder)
    const stateReading = yield* attempt(`cannot read run ${runId}`, async () => RunFolder.readState(runFolder))
    if (stateReading === undefined || "damaged" in stateReading || Journal.isOver(stateReading.state.status)) continue
    yield* RunCopy.pull(store, runFolder, parts)
  }
})

/** Runs the work once for all callers that asked before it began; each waits for its end. */
const together = <E>(work: Effect.Effect<void, E>) =>
  Effect.map(Semaphore.make(1), (one) => {
    let calls = 0
    let finishedCalls = 0
    return Effect.suspend(() => {
      const mine = ++calls
      return one.withPermits(1)(
        Effect.suspend(() => {
          if (finishedCalls >= mine) return Effect.void
          const all = calls
          return Effect.tap(work, () => Effect.sync(() => void (finishedCalls = all)))
        })
      )
    })
  })

const lastOf = (folder: string): string => Path.join(folder, "shared.txt")

/** Whether this machine also had the lock before: then its files are newer than the store's. */
const wasLast = (folder: string, location: string, number: number): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const text = await Fs.readFile(lastOf(folder), "utf8").catch(() => "")
    return number > 0 && text === `${location}\n${number}\n`
  })

const rememberLast = (folder: string, location: string, number: number) =>
  attempt(`cannot write into ${folder}`, async () => {
    await makePrivateFolder(folder)
    await Fs.writeFile(lastOf(folder), `${location}\n${number}\n`, { flush: true })
  })

/**
 * What sources know of the last committed run, in the store of a shared journal: the one file of `known/`.
 *
 * Copies the file of this machine, and removes those before it.
 */
const pushKnown = Effect.fnUntraced(function* (store: SharedStore.SharedStore, folder: string) {
  const here = yield* knownNames(folder)
  const there = (yield* store.list("known/")).map(({ path }) => path.slice("known/".length))
  for (const name of here.filter((name) => !there.includes(name))) {
    const bytes = yield* attempt(`cannot read ${name}`, () => Fs.readFile(Path.join(folder, "known", name)))
    yield* store.put(`known/${name}`, bytes)
  }
  yield* store.remove(there.filter((name) => !here.includes(name)).map((name) => `known/${name}`))
})

/** Fetches the file that another machine left. */
const pullKnown = Effect.fnUntraced(function* (store: SharedStore.SharedStore, folder: string) {
  const there = (yield* store.list("known/")).map(({ path }) => path.slice("known/".length))
  const here = yield* knownNames(folder)
  for (const name of there.filter((name) => !here.includes(name))) {
    const bytes = yield* store.get(`known/${name}`)
    if (bytes === undefined) continue
    const path = Path.join(folder, "known", name)
    yield* attempt(`cannot write ${path}`, async () => {
      await makePrivateFolder(Path.dirname(path))
      await Fs.writeFile(`${path}.next`, bytes, { flush: true })
      await Durable.rename(`${path}.next`, path)
    })
  }
})

const knownNames = (folder: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(() => Fs.readdir(Path.join(folder, "known")).catch(() => []))
