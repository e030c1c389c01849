/**
 * The work behind `millrace journal list` and `millrace journal prune`: what is kept on this machine of past runs.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Journal from "../../pipeline/Journal.ts"
import * as Measures from "../../pipeline/Measures.ts"
import { failed, wrong } from "../CliFailure.ts"
import { loadPipelines, type Options } from "../pipeline/pipelineFiles.ts"
import { jsonLine } from "../printable.ts"
import { engine } from "../services.ts"
import { count, size, when } from "../summary.ts"
import { textTable } from "../textTable.ts"
import { journaledRuns } from "./findRun.ts"

export const listJournal = Effect.fn("listJournal")(function* (options: Options & { readonly json: boolean }) {
  const runs = yield* journaledRuns(options)
  if (options.json) {
    for (const { entry } of runs) process.stdout.write(jsonLine({ ...entry.state, bytes: entry.bytes }))
    return
  }
  const lines = runs
    .toReversed()
    .map(({ entry: { bytes, state } }) => [
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
}, Effect.provide(engine))

export const pruneJournal = Effect.fn("pruneJournal")(function* (
  options: Options & { readonly olderThan: Option.Option<string>; readonly max: Option.Option<string> }
) {
  const now = yield* Clock.currentTimeMillis
  const age = yield* read(options.olderThan, Measures.duration, "--older-than", Measures.millisOf)
  const bytes = yield* read(options.max, Measures.size, "--max", Measures.bytesOf)
  let [runs, freed] = [0, 0]
  for (const { pipeline } of yield* loadPipelines(options)) {
    const { journal, name, directory } = pipeline
    const keep = {
      before: now - Option.getOrElse(age, () => journal.keepMillis),
      bytes: Option.getOrElse(bytes, () => journal.bytes)
    }
    const gone = yield* Effect.scoped(
      Effect.flatMap(Journal.Journals, (journals) =>
        Effect.flatMap(journals.take(name, directory), (home) => home.prune(keep))
      )
    ).pipe(Effect.mapError((error) => failed(error.message)))
    runs += gone.length
    freed += gone.reduce((sum, entry) => sum + entry.bytes, 0)
  }
  process.stdout.write(`${count(runs)} ${runs === 1 ? "run" : "runs"} pruned, ${size(freed)} freed\n`)
}, Effect.provide(engine))

const read = (
  text: Option.Option<string>,
  schema: typeof Measures.duration,
  flag: string,
  parse: (text: string) => number
) => {
  if (Option.isNone(text)) return Effect.succeedNone
  const isGood = Schema.is(schema)(text.value)
  const example = flag === "--max" ? "500 MB" : "7 days"
  return isGood
    ? Effect.succeed(Option.some(parse(text.value)))
    : Effect.fail(wrong(`${flag} takes a value such as ${JSON.stringify(example)}, not ${JSON.stringify(text.value)}`))
}
