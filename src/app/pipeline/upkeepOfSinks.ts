/** The work behind `millrace vacuum`: removes the files that only old versions of destinations use. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as KeySchemas from "#engine/KeySchemas"
import { engine } from "#library/services"
import { failed, wrong } from "#see/CliFailure"
import { type Options as Files, loadPipelines } from "#see/pipelineFiles"
import { size } from "#see/summary"

interface Options extends Files {
  /** How long a version is kept after a newer one has replaced it: "7d". */
  readonly retain: string
  readonly dryRun: boolean
  readonly json: boolean
}

export const vacuumSinks = Effect.fn("vacuumSinks")(function* ({ dryRun, json, retain, ...options }: Options) {
  if (!Schema.is(KeySchemas.duration)(retain)) {
    return yield* wrong(`--retain must be a time such as "7d", not ${JSON.stringify(retain)}`)
  }
  const target = { dryRun, retain: KeySchemas.millisOf(retain) }
  let found = 0
  for (const { pipeline } of yield* loadPipelines(options)) {
    for (const [name, sink] of Object.entries(pipeline.sinks)) {
      if (sink.vacuum === undefined) continue
      found += 1
      const vacuumed = yield* sink
        .vacuum(pipeline.directory, target)
        .pipe(Effect.mapError((error) => failed(`${pipeline.name}: sink ${name}: ${error.message}`)))
      const { bytes, files, location } = vacuumed
      const summary = `${files} ${files === 1 ? "file" : "files"} (${size(bytes)}) ${dryRun ? "would be removed" : "removed"}`
      process.stdout.write(
        json
          ? `${JSON.stringify({ pipeline: pipeline.name, sink: name, dry_run: dryRun, ...vacuumed })}\n`
          : `${pipeline.name}: sink ${name}: ${location}\n  ${summary}\n`
      )
    }
  }
  if (found === 0)
    return yield* wrong("none of these pipelines has a sink of type parquet: only these have old versions to remove")
}, Effect.provide(engine))

interface CompactOptions extends Files {
  /** Files below this size are merged: "32 MB". */
  readonly below: string
  readonly json: boolean
}

/** The work behind `millrace compact`: merges small files of destinations into large ones. No row changes. */
export const compactSinks = Effect.fn("compactSinks")(function* (options: CompactOptions) {
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
