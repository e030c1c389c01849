/**
 * The journal in files: `.millrace/pipelines/NAME/runs/RUN/` beside the pipeline file. A shared one is in a store too.
 */
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import { setImmediate } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as KnownSecrets from "#base/KnownSecrets"
import * as Lock from "#base/Lock"
import { makePrivateFolder } from "#base/privateFolder"
import * as Segment from "#base/Segment"
import { timeOf } from "./beginRun.ts"
import * as Journal from "./Journal.ts"
import * as AnswerFile from "./journal/AnswerFile.ts"
import { attempt } from "./journal/attempt.ts"
import * as Known from "./journal/Known.ts"
import * as RunFolder from "./journal/RunFolder.ts"
import { lookAt, shareJournal } from "./journal/shared/shareJournal.ts"
import { inspectAll, setAside, tidy } from "./journal/tidy.ts"
import type { SourceResponse } from "./SourceElement.ts"

/**
 * The folder of a pipeline.
 *
 * @internal
 */
export const folderOf = (pipeline: string, directory: string): string =>
  Path.join(directory, ".millrace", "pipelines", pipeline)

const make = (folderFor: (pipeline: string, directory: string) => string) =>
  Journal.Journals.of({
    take: (pipeline, directory, shared) => {
      const folder = folderFor(pipeline, directory)
      const local = take(pipeline, folder)
      return shared === undefined ? local : shareJournal(shared, { pipeline, directory, folder, local })
    },
    look: (pipeline, directory, shared) => {
      const folder = folderFor(pipeline, directory)
      const here = entries(folder, pipeline)
      return shared === undefined
        ? here
        : Effect.flatMap(here, (here) => lookAt(shared, { pipeline, directory, folder, here }))
    },
    beside: (pipeline, directory) => beside(folderFor(pipeline, directory)),
    names: (pipeline, directory) => names(folderFor(pipeline, directory))
  })

/**
 * Journals on disk: `.millrace/pipelines/NAME` in the folder of the pipeline. Taking one that another process has fails
 * with `JournalError`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Journal, Journals, rows, run } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * await run({ name: "docs", source: rows([{ id: 1 }], { table: "n" }), sinks: { out: memory.with({ name: "docs" }) } })
 * const runs = Effect.flatMap(Journal.Journals, ({ look }) => look("docs", process.cwd()))
 * const [last] = await Effect.runPromise(Effect.provide(runs, Journals.layer))
 * console.log(last?.state.status, last?.state.rows) // "done" { n: 1, n__rejects: 0 }
 * ```
 */
export const layer: Layer.Layer<Journal.Journals> = Layer.sync(Journal.Journals, () => make(folderOf))

/**
 * Journals in a temporary folder that is removed with the layer: for tests, and for runs that need no resuming.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Journal, Journals } from "millrace"
 *
 * const runs = Effect.flatMap(Journal.Journals, ({ look }) => look("docs", process.cwd()))
 * console.log(await Effect.runPromise(Effect.provide(runs, Journals.layerTemporary))) // []
 * ```
 */
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

/**
 * The runs in the journal of a pipeline whose files are damaged, also of runs that are over. `repair`: they are moved away, which
 * needs the journal for this process.
 *
 * @internal
 */
export const verify = Effect.fn("Journals.verify")(function* (pipeline: string, directory: string, repair: boolean) {
  const folder = folderOf(pipeline, directory)
  if (repair) yield* Effect.acquireRelease(lock(pipeline, folder), ({ release }) => Effect.sync(release))
  return yield* attempt(`cannot read ${folder}`, async () => {
    const damagedRuns: Array<Journal.SetAside> = []
    for (const { reason, runId } of await inspectAll(folder)) {
      const run = Path.join(folder, "runs", runId)
      damagedRuns.push({ runId, reason, folder: repair ? await setAside(folder, run) : run })
    }
    return damagedRuns
  })
}, Effect.scoped)

const take = Effect.fn("Journals.take")(function* (
  pipeline: string,
  folder: string
): Effect.fn.Return<Journal.Journal, Journal.JournalError, Scope.Scope> {
  const runsFolder = Path.join(folder, "runs")
  yield* attempt(`cannot make ${runsFolder}`, () => makePrivateFolder(runsFolder))
  yield* Effect.acquireRelease(lock(pipeline, folder), ({ release }) => Effect.sync(release))
  const { setAside, states } = yield* attempt(`cannot tidy ${folder}`, () => tidy(folder))
  const pathOf = (runId: string) => Path.join(runsFolder, runId)
  /** Runs that were read, each once: only this process has the journal, so a run does not change until it is opened here. */
  const knownEntries = new Map<string, Journal.Entry>()
  const opened = new Set<string>()

  const open = Effect.fnUntraced(function* (runId: string) {
    const stateReading = yield* attempt(`cannot read run ${runId}`, async () => RunFolder.readState(pathOf(runId)))
    if (stateReading === undefined)
      return yield* new Journal.JournalError({ message: `the journal has no run ${runId}` })
    if ("damaged" in stateReading) {
      return yield* new Journal.JournalError({ message: `cannot read run ${runId}: ${stateReading.damaged}` })
    }
    opened.add(runId)
    return yield* openRun(pathOf(runId), stateReading.state)
  })

  // A run whose state was damaged since is left alone: the next process sets it aside.
  const isKnown = (runId: string) => !opened.has(runId)
  const runs = Effect.map(entries(folder, pipeline, { isKnown, knownEntries, states }), (all) =>
    all.filter(({ damaged }) => damaged === undefined)
  )

  const prune = Effect.fnUntraced(function* ({ before, bytes, spare }: Journal.Keep) {
    const all = yield* runs
    const others = Object.values(yield* beside(folder)).reduce((sum, bytes) => sum + bytes, 0)
    let remainingBytes = all.reduce((sum, entry) => sum + entry.bytes, others)
    const gone: Array<Journal.Entry> = []
    for (const entry of all) {
      const { ended_at: endedAt, run_id: runId, status } = entry.state
      if (runId === spare || !Journal.isOver(status) || (remainingBytes <= bytes && (endedAt ?? 0) >= before)) continue
      yield* attempt(`cannot remove the journal of run ${runId}`, () => Fs.rm(pathOf(runId), { recursive: true }))
      remainingBytes -= entry.bytes
      gone.push(entry)
    }
    return gone
  })

  return {
    folder,
    setAside,
    runs,
    begin: (state) =>
      Effect.andThen(
        attempt(`cannot begin the journal of run ${state.run_id}`, async () => {
          opened.add(state.run_id)
          await makePrivateFolder(pathOf(state.run_id))
          await RunFolder.writeState(pathOf(state.run_id), state)
        }),
        openRun(pathOf(state.run_id), state)
      ),
    open,
    known: (runId, print) =>
      Effect.map(
        Effect.acquireRelease(
          attempt(`cannot read what run ${runId} knew`, () => Known.open(folder, runId, print)),
          (segment) => Effect.promise(async () => segment?.close())
        ),
        (segment) => segment
      ),
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
              message: `${pipeline} is being run${taken.owner === "" ? "" : ` by process ${taken.owner}`}; wait until it ends`
            })
          )
  )

/** Run ids begin with their time, so their order is the order of the runs. */
const entries = (folder: string, pipeline: string, known: KnownRuns = nothingKnown) =>
  attempt(`cannot list the runs in ${folder}`, async () => {
    const runsFolder = Path.join(folder, "runs")
    const runEntries: Array<Journal.Entry> = []
    for (const [at, name] of (await namesIn(runsFolder)).sort().entries()) {
      if (at % together === together - 1) await setImmediate()
      const folder = Path.join(runsFolder, name)
      const isKnown = known.isKnown(name)
      const before = isKnown ? known.knownEntries.get(name) : undefined
      const entry = before ?? entryOf(folder, pipeline, isKnown ? known.states.get(name) : undefined)
      if (entry === undefined) continue
      if (isKnown) known.knownEntries.set(name, entry)
      runEntries.push(entry)
    }
    return runEntries
  })

/** How many runs are read before other work gets its turn. */
const together = 128

/** What is known of runs: their entries, and their states. */
interface KnownRuns {
  readonly isKnown: (runId: string) => boolean
  readonly knownEntries: Map<string, Journal.Entry>
  readonly states: ReadonlyMap<string, Journal.RunState>
}

const nothingKnown: KnownRuns = { isKnown: () => false, knownEntries: new Map(), states: new Map() }

const entryOf = (folder: string, pipeline: string, known: Journal.RunState | undefined): Journal.Entry | undefined => {
  const read = known === undefined ? RunFolder.readState(folder) : { state: known }
  if (read === undefined) return undefined
  // The stage of a run that is over belongs to no one: it is removed when the next run begins.
  const isOver = "state" in read && Journal.isOver(read.state.status)
  const bytes = RunFolder.bytesOf(folder, isOver ? RunFolder.isStage : undefined)
  if ("state" in read) return { state: read.state, bytes, folder }
  const state = unknownState(Path.basename(folder), pipeline, read.damaged)
  return { state, bytes, folder, damaged: read.damaged }
}

/** What the name of a run's folder says of it. */
const unknownState = (runId: string, pipeline: string, damaged: string): Journal.RunState => ({
  run_id: runId,
  pipeline,
  source: "",
  options: "",
  key: "",
  started_at: timeOf(runId),
  ended_at: null,
  status: "failed",
  start: null,
  checkpoint: null,
  facts: {},
  rows: {},
  message: `${damaged}; the next run sets it aside`,
  sinks: null,
  committed: []
})

const beside = (folder: string) =>
  attempt(`cannot look into ${folder}`, async () => {
    const others = (await namesIn(folder)).filter((name) => name !== "runs").sort()
    const sized = others.map((name) => [name, RunFolder.bytesOf(Path.join(folder, name))] as const)
    return Object.fromEntries(sized.filter(([, bytes]) => bytes > 0))
  })

const names = (folder: string) =>
  attempt(`cannot look into ${Path.dirname(folder)}`, async () => {
    const own = Path.basename(folder)
    return [own, ...(await namesIn(Path.dirname(folder))).filter((name) => name.startsWith(`${own}@`)).sort()]
  })

/** The names in a folder; none if there is no folder. */
const namesIn = (folder: string): Promise<Array<string>> =>
  Fs.readdir(folder).catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return []
    throw cause
  })

/**
 * The journal of one run in its folder, open until the scope closes: its answers, the segments that they name, its state.
 */
const openRun = Effect.fnUntraced(function* (
  folder: string,
  begun: Journal.RunState
): Effect.fn.Return<Journal.RunJournal, Journal.JournalError, Scope.Scope> {
  const path = RunFolder.answersOf(folder)
  const file = yield* Effect.acquireRelease(
    attempt(`cannot open ${path}`, () => AnswerFile.open(path)),
    ({ close }) => Effect.promise(close)
  )
  const files = yield* Effect.acquireRelease(
    Effect.sync(() => segmentFilesIn(folder)),
    ({ close }) => Effect.promise(close)
  )
  const opened = (file: () => Promise<Segment.Segment>) => attempt(`cannot open the segments in ${folder}`, file)
  /** An answer with the blocks that it names. */
  const whole = Effect.fnUntraced(function* (answer: SourceResponse) {
    if (answer.blocks === undefined) return answer
    const blocks = yield* opened(files.blocks)
    const contents: Array<Uint8Array> = []
    for (const number of answer.blocks) {
      const place = blocks.places[number]
      const block =
        place === undefined ? undefined : yield* attempt(`cannot read run ${begun.run_id}`, () => blocks.read(place))
      if (block === undefined) {
        return yield* new Journal.JournalError({
          message: `block ${number} of run ${begun.run_id} is not in ${folder}; run the pipeline with --full-refresh`
        })
      }
      contents.push(block.bytes)
    }
    return { ...answer, contents }
  })
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
        (storedAnswer): readonly [ReadonlyArray<SourceResponse>, Option.Option<number>] =>
          storedAnswer === undefined ? [[], Option.none()] : [[storedAnswer.answer], Option.some(storedAnswer.next)]
      )
    ).pipe(Stream.mapEffect(whole)),
    segments: Effect.all({
      blocks: opened(files.blocks),
      progress: opened(files.progress),
      known: opened(files.known)
    }),
    append: (answer) => attempt(`cannot append to ${path}`, () => file.append(answer)),
    keepKnown: (print) =>
      attempt(`cannot keep what run ${begun.run_id} knows`, () => Known.keep(folder, begun.run_id, print)),
    save: (more) =>
      Effect.suspend(() => {
        const message = more.message == null ? {} : { message: KnownSecrets.masked(more.message) }
        const changed = { ...state, ...more, ...message }
        state = changed.status === "reading" ? changed : { ...changed, answers: file.length }
        return attempt(`cannot write the state of run ${state.run_id}`, async () => {
          await RunFolder.writeState(folder, state)
          // When the source is completely read, it is not read again for this run.
          if (state.status !== "reading") await files.endReading(vain.has(state.status))
        })
      })
  }
})

/** The statuses of runs that have ended without a commit of the whole run. */
const vain: ReadonlySet<Journal.RunStatus> = new Set(["failed", "stopped", "dropped"])

interface SegmentFiles {
  readonly blocks: () => Promise<Segment.Segment>
  readonly progress: () => Promise<Segment.Segment>
  readonly known: () => Promise<Segment.Segment>
  /** Removes what the source needs to continue reading and, if no destination has the run, what the next run could use. */
  readonly endReading: (isVain: boolean) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * The segments of one run. Each is opened at its first use and closed with the run. Those that only reading needs are
 * removed once everything is read.
 */
const segmentFilesIn = (folder: string): SegmentFiles => {
  const opened = new Map<string, Promise<Segment.Segment>>()
  const open = (path: string) => () => {
    const segment = opened.get(path) ?? Segment.open(path)
    opened.set(path, segment)
    return segment
  }
  return {
    blocks: open(RunFolder.blocksOf(folder)),
    progress: open(RunFolder.progressOf(folder)),
    known: open(RunFolder.knownOf(folder)),
    // An open file stays usable without a name, and is deleted when it is closed.
    endReading: async (isVain) => {
      await Fs.rm(RunFolder.progressOf(folder), { force: true })
      if (isVain) await Fs.rm(RunFolder.knownOf(folder), { force: true })
    },
    close: async () => {
      const all = await Promise.allSettled(opened.values())
      opened.clear()
      for (const segment of all) if (segment.status === "fulfilled") await segment.value.close()
    }
  }
}
