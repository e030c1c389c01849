/**
 * The work behind `millrace backfill`.
 *
 * Nothing runs before everything is checked: the source uses the interval, no sink would lose what other intervals
 * loaded, and no interval overlaps a loaded one.
 */
import { readdir, readFile, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Backfill from "#engine/Backfill"
import * as Interval from "#engine/Interval"
import * as Journals from "#engine/Journals"
import { writeOf } from "#engine/planOf"
import { engine, type NetworkFlags, sharedService } from "#library/services"
import { failed, heldCommit, wrong } from "#see/CliFailure"
import { layoutOf } from "#see/layoutOf"
import { type Loaded, loadPipeline } from "#see/loadPipeline"
import { printableLine, textTable } from "#see/printable"
import { count, iso, seconds, when } from "#see/summary"

interface Options extends NetworkFlags {
  readonly file: string
  readonly vars: Readonly<Record<string, string>>
  readonly from: Option.Option<string>
  readonly to: Option.Option<string>
  readonly every: string
  readonly concurrency: number
  readonly again: boolean
  readonly list: boolean
  readonly json: boolean
}

export const backfillPipeline = Effect.fn("backfillPipeline")(
  function* (options: Options) {
    const intervals = yield* intervalsOf(options)
    const loaded = yield* loadPipeline(options.file, options.vars, intervals[0])
    if (options.list) return yield* list(loaded, intervals, options)
    if (intervals.length === 0)
      return yield* wrong("name the period to load: --from DAY --to DAY; --list shows the intervals that exist")
    yield* refuse(loaded, options)
    const database = join(
      Journals.folderOf(`${loaded.pipeline.name}@backfill`, loaded.pipeline.directory),
      "service.sqlite"
    )
    const left = yield* Effect.scoped(load(loaded, intervals, options, database))
    // The jobs of an embedded service are of no use once everything is done.
    if (left.length === 0) return yield* Effect.promise(() => remove(database))
    const { name } = loaded.pipeline
    const message = `${name}: ${left.length} of ${intervals.length} intervals are not done; run it again to load only those`
    return yield* left.every(({ status }) => status === "held") ? heldCommit(message) : failed(message)
  },
  Effect.scoped,
  Effect.provide(engine)
)

const intervalsOf = Effect.fnUntraced(function* ({ concurrency, every, from, list, to }: Options) {
  if (concurrency < 1) return yield* wrong("--concurrency must be a number of at least 1")
  if (Option.isNone(from) && Option.isNone(to)) return []
  const moment = (flag: string, text: Option.Option<string>) => {
    const millis = Option.isNone(text) ? undefined : Interval.parseMoment(text.value)
    const fault = Option.match(text, { onNone: () => "it is missing", onSome: (text) => `not ${JSON.stringify(text)}` })
    return millis === undefined
      ? Effect.fail(wrong(`${flag} takes a day such as 2026-01-31, or a time in whole seconds: ${fault}`))
      : Effect.succeed(millis)
  }
  const [start, end] = [yield* moment("--from", from), yield* moment("--to", to)]
  if (start >= end) return yield* wrong("--from must be before --to")
  const step = Interval.parseEvery(every)
  if (step === undefined)
    return yield* wrong(`--every takes a time such as 1h, 1d or 1 month, not ${JSON.stringify(every)}`)
  const intervals = Interval.split(start, end, step)
  if (intervals === undefined && !list) {
    return yield* wrong(
      `more than ${Interval.maxIntervals} intervals of ${every}: use a longer --every, or load a part at a time`
    )
  }
  return intervals ?? []
})

/** What cannot be backfilled, and why. Its tables are tried on before anything is loaded, and gone by then. */
const refuse = Effect.fnUntraced(function* (loaded: Loaded, { file }: Options) {
  const text = yield* Effect.promise(() => readFile(file, "utf8"))
  if (!/\$\{interval\.(start|end)/.test(text)) {
    return yield* wrong(
      `${file} does not use the interval, so each interval would load the same rows: use \${interval.start} and \${interval.end} in its source`
    )
  }
  const layout = yield* layoutOf(loaded)
  for (const [name, sink] of Object.entries(loaded.pipeline.sinks)) {
    for (const table of layout.tables) {
      const write = writeOf(sink, layout, table)
      if (write === "append" || write === "merge") continue
      const why =
        write === "replace"
          ? "each interval would replace the one before"
          : "a history records since when each row is valid, and a backfill loads old rows later"
      return yield* wrong(
        `sink ${name} writes ${table.name} by ${write}: ${why}; backfill a sink that appends or merges`
      )
    }
  }
}, Effect.scoped)

const list = Effect.fnUntraced(function* (
  { pipeline }: Loaded,
  intervals: ReadonlyArray<Interval.Interval>,
  { json }: Options
) {
  const states = yield* Backfill.states(pipeline, [...intervals, ...(yield* journaled(pipeline))]).pipe(
    Effect.mapError((error) => failed(`${pipeline.name}: ${error.message}`))
  )
  const [first, last] = [intervals[0], intervals.at(-1)]
  const selected =
    first === undefined || last === undefined
      ? states
      : states.filter(({ interval }) => Interval.overlaps(interval, { start: first.start, end: last.end }))
  if (json) for (const state of selected) process.stdout.write(`${JSON.stringify(stateAsJson(state))}\n`)
  else process.stdout.write(selected.length === 0 ? "no intervals yet\n" : listing(selected))
})

/** The intervals that this machine has a journal of: those that failed are nowhere else. */
const journaled = ({ directory, name }: Loaded["pipeline"]) =>
  Effect.map(
    Effect.promise(() => readdir(dirname(Journals.folderOf(name, directory))).catch((): Array<string> => [])),
    (names) => names.flatMap((found) => Interval.ofPipeline(name, found) ?? [])
  )

const load = Effect.fnUntraced(function* (
  { file, pipeline }: Loaded,
  intervals: ReadonlyArray<Interval.Interval>,
  options: Options,
  database: string
) {
  const withService = yield* sharedService(file, options, database)
  const ended: Array<Backfill.Ended> = []
  const pipelineOf = (interval: Interval.Interval) =>
    Effect.map(loadPipeline(options.file, options.vars, interval), (loaded) => withService(loaded.pipeline))
  const onEnd = (end: Backfill.Ended) =>
    Effect.sync(() => {
      ended.push(end)
      process.stdout.write(options.json ? `${JSON.stringify(endedAsJson(end))}\n` : endedLine(end))
    })
  const { before, tried } = yield* Backfill.run(pipeline, intervals, {
    pipelineOf,
    onEnd,
    again: options.again,
    concurrency: options.concurrency
  }).pipe(
    Effect.mapError((error) => (error._tag === "BackfillError" ? wrong : failed)(`${pipeline.name}: ${error.message}`)),
    Effect.onInterrupt(() => Effect.sync(() => process.stderr.write(stoppedLine(pipeline.name, ended))))
  )
  const total = totalOf(pipeline.name, ended, before.length - tried)
  process.stdout.write(options.json ? `${JSON.stringify({ summary: total.counts })}\n` : `${total.line}\n`)
  return ended.filter(({ status }) => status !== "done")
})

const stoppedLine = (pipeline: string, ended: ReadonlyArray<Backfill.Ended>): string => {
  const loaded = ended.filter(({ status }) => status === "done").length
  return `${pipeline}: stopped after ${loaded} ${loaded === 1 ? "interval" : "intervals"}; run it again to load the others\n`
}

const remove = async (database: string): Promise<void> => {
  for (const end of ["", "-wal", "-shm"]) await rm(`${database}${end}`, { force: true })
}

/** How the intervals of a backfill are reported: one line each, for people, and one object each, for programs. */
export const endedLine = ({ durationMillis, interval, message, rows, runId, status }: Backfill.Ended): string => {
  const counts = Object.entries(rows).filter(([, n]) => n > 0)
  const loaded = counts.length === 0 ? "no rows" : counts.map(([table, n]) => `${table} ${count(n)}`).join(", ")
  const facts =
    status === "failed" ? (message ?? "") : `${loaded} in ${seconds(durationMillis)}${message ? `: ${message}` : ""}`
  const run = runId === undefined ? "" : ` (run ${runId})`
  return `  ${Interval.shown(interval)}  ${(status === "done" ? status : status.toUpperCase()).padEnd(6)}  ${printableLine(facts)}${run}\n`
}

const endedAsJson = ({ durationMillis, interval, message, rows, runId, status }: Backfill.Ended) => ({
  interval: bounds(interval),
  status,
  run_id: runId ?? null,
  rows,
  duration_ms: durationMillis,
  ...(message === undefined ? {} : { message })
})

export const listing = (states: ReadonlyArray<Backfill.State>): string =>
  textTable([
    ["INTERVAL", "STATE", "RUN", "LOADED", "ROWS", "MESSAGE"],
    ...states.map(({ interval, loaded, message, runId, status }) => [
      Interval.shown(interval),
      status,
      runId ?? "",
      loaded === undefined ? "" : when(loaded.committedAt),
      loaded === undefined ? "" : count(Object.values(loaded.rows).reduce((sum, rows) => sum + rows, 0)),
      (message ?? "").replace(/\s+/g, " ")
    ])
  ])

const stateAsJson = ({ interval, loaded, message, runId, status }: Backfill.State) => ({
  interval: bounds(interval),
  state: status,
  run_id: runId ?? null,
  committed_at: loaded === undefined ? null : iso(loaded.committedAt),
  rows: loaded?.rows ?? null,
  ...(message === undefined ? {} : { message })
})

/** How all of it ended. */
export const totalOf = (pipeline: string, ended: ReadonlyArray<Backfill.Ended>, before: number) => {
  const of = (status: Backfill.Ended["status"]) => ended.filter((end) => end.status === status).length
  const counts = {
    pipeline,
    done: of("done"),
    done_before: before,
    failed: of("failed"),
    behind: of("behind"),
    held: of("held")
  }
  const rest = (["failed", "behind", "held"] as const).flatMap((status) =>
    counts[status] === 0 ? [] : [`${count(counts[status])} ${status}`]
  )
  const line = [
    `${pipeline}: ${count(counts.done)} ${counts.done === 1 ? "interval" : "intervals"} done`,
    `${count(before)} were done before`,
    ...rest
  ].join(", ")
  return { counts, line }
}

const bounds = (interval: Interval.Interval) => {
  const { end, start } = Interval.variables(interval)
  return { start, end }
}
