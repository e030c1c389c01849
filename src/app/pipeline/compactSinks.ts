/**
 * The work behind `millrace compact`: merges small files of destinations into large ones. No row changes.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as KeySchemas from "#engine/KeySchemas"
import { engine } from "#library/services"
import { type Options as Files, loadPipelines } from "#see/pipelineFiles"
import { failed, wrong } from "#see/systemFailure"

export interface Options extends Files {
  /** Files below this size are merged: "32 MB". */
  readonly below: string
  readonly json: boolean
}

export const compactSinks = Effect.fn("compactSinks")(function* (options: Options) {
  if (!Schema.is(KeySchemas.size)(options.below)) {
    return yield* wrong(`--below must be a size such as "32 MB", not ${JSON.stringify(options.below)}`)
  }
  const below = KeySchemas.bytesOf(options.below)
  let compactable = 0
  for (const { pipeline } of yield* loadPipelines(options)) {
    for (const [name, sink] of Object.entries(pipeline.sinks)) {
      if (sink.compact === undefined) continue
      compactable += 1
      const { location, tables } = yield* sink
        .compact(pipeline.directory, { below })
        .pipe(Effect.mapError((error) => failed(`${pipeline.name}: sink ${name}: ${error.message}`)))
      if (options.json) {
        process.stdout.write(`${JSON.stringify({ pipeline: pipeline.name, sink: name, location, tables })}\n`)
        continue
      }
      const lines = Object.entries(tables).map(
        ([table, { after, before }]) => `  ${table}: ${before} files became ${after}`
      )
      const listing = lines.length === 0 ? "  there are no small files to merge" : lines.join("\n")
      process.stdout.write(`${pipeline.name}: sink ${name}: ${location}\n${listing}\n`)
    }
  }
  if (compactable === 0)
    return yield* wrong("none of these pipelines has a sink of type parquet: only these can be compacted")
}, Effect.provide(engine))
