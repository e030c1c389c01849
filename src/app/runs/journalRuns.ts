/**
 * The work behind `millrace journal list` and `millrace journal prune`: what this machine keeps of past runs.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Journal from "#engine/Journal"
import * as KeySchemas from "#engine/KeySchemas"
import { engine } from "#library/services"
import { failed, wrong } from "#see/CliFailure"
import { loadPipelines, type Options } from "#see/pipelineFiles"
import { jsonLine, textTable } from "#see/printable"
import { count, size, when } from "#see/summary"

export const listJournal = Effect.fn("listJournal")(function* (options: Options & { readonly json: boolean }) {
  const all = yield* Effect.forEach(yield* loadPipelines(options), journalsOf)
  const journaled = all.flat()
  const runs = journaled
    .flatMap(({ entries }) => entries)
    .map(({ bytes, state }) => ({ bytes, state: Journal.isBroken(state) ? { ...state, status: "failed" } : state }))
    .toSorted((a, b) => (a.state.run_id < b.state.run_id ? -1 : 1))
  const others = journaled.filter(({ beside }) => Object.keys(beside).length > 0)
  if (options.json) {
    for (const { bytes, state } of runs) process.stdout.write(jsonLine({ ...state, bytes }))
    for (const { beside, name } of others) {
      process.stdout.write(jsonLine({ pipeline: name, beside, bytes: sumOf(beside) }))
    }
    return
  }
  const lines = runs
    .toReversed()
    .map(({ bytes, state }) => [
      state.run_id,
      state.pipeline,
      when(BigInt(state.started_at) * 1000n),
      state.status,
      count(Object.values(state.rows).reduce((sum, rows) => sum + rows, 0)),
      size(bytes),
      state.message ?? ""
    ])
  process.stdout.write(
    runs.length === 0
      ? "the journal is empty\n"
      : textTable([["RUN", "PIPELINE", "STARTED", "STATUS", "ROWS", "SIZE", "NOTE"], ...lines])
  )
  for (const { beside, name } of others) {
    const each = Object.entries(beside).map(([file, bytes]) => `${file} ${size(bytes)}`)
    process.stdout.write(`${name}: ${size(sumOf(beside))} of other files in its journal: ${each.join(", ")}\n`)
  }
}, Effect.provide(engine))

/** The journals of a pipeline: its own, and those of the intervals of its backfills. */
const journalsOf = Effect.fnUntraced(
  function* ({ pipeline }: Located) {
    const journals = yield* Journal.Journals
    const names = yield* journals.names(pipeline.name, pipeline.directory)
    return yield* Effect.forEach(names, (name) =>
      Effect.all({
        name: Effect.succeed(name),
        entries: journals.look(name, pipeline.directory),
        beside: journals.beside(name, pipeline.directory)
      })
    )
  },
  (journaled, { path }) => Effect.mapError(journaled, (error) => failed(`${path}: ${error.message}`))
)

type Located = Pick<Effect.Success<ReturnType<typeof loadPipelines>>[number], "path" | "pipeline">

const sumOf = (sizes: Readonly<Record<string, number>>): number =>
  Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0)

export const pruneJournal = Effect.fn("pruneJournal")(function* (
  options: Options & { readonly olderThan: Option.Option<string>; readonly max: Option.Option<string> }
) {
  const now = yield* Clock.currentTimeMillis
  const age = yield* read(options.olderThan, KeySchemas.duration, "--older-than", KeySchemas.millisOf)
  const bytes = yield* read(options.max, KeySchemas.size, "--max", KeySchemas.bytesOf)
  let [runs, freed] = [0, 0]
  for (const located of yield* loadPipelines(options)) {
    const { journal, directory } = located.pipeline
    const before = now - Option.getOrElse(age, () => journal.keepMillis)
    const most = Option.getOrElse(bytes, () => journal.bytes)
    const journaled = yield* journalsOf(located)
    let all = sumOf(Object.fromEntries(journaled.map((pipeline) => [pipeline.name, takenBy(pipeline)])))
    for (const pipeline of journaled) {
      const left = Math.max(0, most - (all - takenBy(pipeline)))
      const gone = yield* Effect.scoped(
        Effect.flatMap(Journal.Journals, (journals) =>
          Effect.flatMap(journals.take(pipeline.name, directory, journal.shared), (taken) => {
            for (const { folder, reason, runId } of taken.setAside) {
              process.stderr.write(`${pipeline.name}: run ${runId} is damaged (${reason}) and was moved to ${folder}\n`)
            }
            return taken.prune({ before, bytes: left })
          })
        )
      ).pipe(Effect.mapError((error) => failed(error.message)))
      const bytesGone = gone.reduce((sum, entry) => sum + entry.bytes, 0)
      runs += gone.length
      freed += bytesGone
      all -= bytesGone
    }
  }
  process.stdout.write(`${count(runs)} ${runs === 1 ? "run" : "runs"} pruned, ${size(freed)} freed\n`)
}, Effect.provide(engine))

const takenBy = ({ beside, entries }: Effect.Success<ReturnType<typeof journalsOf>>[number]): number =>
  entries.reduce((sum, entry) => sum + entry.bytes, sumOf(beside))

const read = (
  text: Option.Option<string>,
  schema: typeof KeySchemas.duration,
  flag: string,
  parse: (text: string) => number
) => {
  if (Option.isNone(text)) return Effect.succeedNone
  const isValid = Schema.is(schema)(text.value)
  const example = flag === "--max" ? "500 MB" : "7 days"
  return isValid
    ? Effect.succeed(Option.some(parse(text.value)))
    : Effect.fail(wrong(`${flag} takes a value such as ${JSON.stringify(example)}, not ${JSON.stringify(text.value)}`))
}
