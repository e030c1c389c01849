/**
 * The journal in files: `.millrace/pipelines/NAME/runs/RUN/` beside the pipeline file.
 */
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Answer } from "../pipeline/Answer.ts"
import * as Journal from "../pipeline/Journal.ts"
import * as AnswerFile from "./AnswerFile.ts"
import * as Lock from "./Lock.ts"
import * as RunFolder from "./RunFolder.ts"

/** The folder of a pipeline. */
export const homeOf = (pipeline: string, directory: string): string =>
  Path.join(directory, ".millrace", "pipelines", pipeline)

const make = (place: (pipeline: string, directory: string) => string) =>
  Journal.Journals.of({
    take: (pipeline, directory) => take(pipeline, place(pipeline, directory)),
    look: (pipeline, directory) => entries(place(pipeline, directory))
  })

export const layer: Layer.Layer<Journal.Journals> = Layer.sync(Journal.Journals, () => make(homeOf))

/** One in a temporary folder that is gone with the layer: runs that need no resuming, and tests. */
export const layerTemporary: Layer.Layer<Journal.Journals> = Layer.effect(
  Journal.Journals,
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => Fs.mkdtemp(Path.join(tmpdir(), "millrace-journal-"))),
      (folder) => Effect.promise(() => Fs.rm(folder, { recursive: true, force: true }))
    ),
    (folder) => make((pipeline) => Path.join(folder, pipeline))
  )
)

const take = Effect.fn("Journals.take")(function* (
  pipeline: string,
  folder: string
): Effect.fn.Return<Journal.Journal, Journal.JournalError, Scope.Scope> {
  const runsFolder = Path.join(folder, "runs")
  yield* attempt(`cannot make ${runsFolder}`, () => Fs.mkdir(runsFolder, { recursive: true }))
  yield* Effect.acquireRelease(lock(pipeline, folder), ({ release }) => Effect.sync(release))
  const pathOf = (runId: string) => Path.join(runsFolder, runId)

  const open = Effect.fnUntraced(function* (runId: string) {
    const state = yield* attempt(`cannot read run ${runId}`, () => RunFolder.readState(pathOf(runId)))
    if (state === undefined) return yield* new Journal.JournalError({ message: `the journal has no run ${runId}` })
    return yield* openRun(pathOf(runId), state)
  })

  const prune = Effect.fnUntraced(function* ({ before, bytes }: Journal.Keep) {
    const all = yield* entries(folder)
    let left = all.reduce((sum, entry) => sum + entry.bytes, 0)
    const gone: Array<Journal.Entry> = []
    for (const entry of all) {
      const { ended_at: endedAt, run_id: runId, status } = entry.state
      if (!Journal.isOver(status) || (left <= bytes && (endedAt ?? 0) >= before)) continue
      yield* attempt(`cannot remove the journal of run ${runId}`, () => Fs.rm(pathOf(runId), { recursive: true }))
      left -= entry.bytes
      gone.push(entry)
    }
    return gone
  })

  return {
    folder,
    runs: entries(folder),
    begin: (state) =>
      Effect.andThen(
        attempt(`cannot begin the journal of run ${state.run_id}`, async () => {
          await Fs.mkdir(pathOf(state.run_id), { recursive: true })
          await RunFolder.writeState(pathOf(state.run_id), state)
        }),
        openRun(pathOf(state.run_id), state)
      ),
    open,
    prune
  }
})

const lock = (pipeline: string, folder: string) =>
  Effect.flatMap(
    attempt(`cannot lock ${folder}`, async () => Lock.take(Path.join(folder, "lock"))),
    (taken) =>
      "release" in taken
        ? Effect.succeed(taken)
        : Effect.fail(
            new Journal.JournalError({
              message: `${pipeline} is being run by another process${taken.owner === "" ? "" : ` (${taken.owner})`}; let it end first`
            })
          )
  )

const openRun = Effect.fnUntraced(function* (
  folder: string,
  begun: Journal.RunState
): Effect.fn.Return<Journal.RunJournal, Journal.JournalError, Scope.Scope> {
  const path = RunFolder.answersOf(folder)
  const file = yield* Effect.acquireRelease(
    attempt(`cannot open ${path}`, () => AnswerFile.open(path)),
    ({ close }) => Effect.promise(close)
  )
  let state = begun
  return {
    get state() {
      return state
    },
    get length() {
      return file.length
    },
    folder,
    answers: Stream.paginate(0, (at) =>
      Effect.map(
        attempt(`cannot read ${path}`, () => file.read(at)),
        (found): readonly [ReadonlyArray<Answer>, Option.Option<number>] =>
          found === undefined ? [[], Option.none()] : [[found.answer], Option.some(found.next)]
      )
    ),
    append: (answer) => attempt(`cannot append to ${path}`, () => file.append(answer)),
    save: (more) =>
      Effect.suspend(() => {
        state = { ...state, ...more }
        return attempt(`cannot write the state of run ${state.run_id}`, () => RunFolder.writeState(folder, state))
      })
  }
})

/** Run ids begin with their time, so their order is the order of the runs. */
const entries = (folder: string) =>
  attempt(`cannot list the runs in ${folder}`, async () => {
    const home = Path.join(folder, "runs")
    const names = await Fs.readdir(home).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT") return []
      throw cause
    })
    const found: Array<Journal.Entry> = []
    for (const name of names.sort()) {
      const state = await RunFolder.readState(Path.join(home, name))
      if (state !== undefined) found.push({ state, bytes: await RunFolder.bytesOf(Path.join(home, name)) })
    }
    return found
  })

/** File calls cannot be stopped half-way, so an interruption waits for them. */
const attempt = <A>(doing: string, run: () => Promise<A>): Effect.Effect<A, Journal.JournalError> =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: run,
      catch: (cause) =>
        new Journal.JournalError({
          message: `${doing}: ${cause instanceof Error ? cause.message : String(cause)}`,
          cause
        })
    })
  )
