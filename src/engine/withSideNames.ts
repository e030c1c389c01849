/**
 * The pipeline with the side tables that keep the source's names, because a destination of an older version has them so.
 *
 * Older versions did not rename side tables with the main table. Such side tables keep their names as long as the main table
 * keeps its name; a main table with a new name gets new side tables. A table that two pipelines wrote, which older versions
 * allowed, stays with its owner, and the other pipeline begins a table of its own.
 */
import * as Effect from "effect/Effect"
import * as LastRun from "./output/LastRun.ts"
import { ownersOf } from "./ownership.ts"
import * as Pipeline from "./Pipeline.ts"
import * as Sink from "./Sink.ts"

export const withSideNames = Effect.fnUntraced(function* <R>(pipeline: Pipeline.Pipeline<R>) {
  const came = Pipeline.named(pipeline)
  const moved = pipeline.source.tables.flatMap(({ name, suffix }, at) => {
    const next = came[at]?.name ?? name
    return suffix === undefined || next === name || at === 0 ? [] : [{ name, next }]
  })
  if (moved.length === 0) return pipeline
  const own = Sink.ownerOf(pipeline.name)
  const keptNames = new Set<string>()
  for (const sink of Object.values(pipeline.sinks)) {
    const last = yield* LastRun.findLast(pipeline, sink, ({ rows }) => rows[came[0].name] !== undefined)
    const owners = yield* ownersOf(pipeline, sink)
    const isOurs = (table: string) => Sink.ownerOf(owners.get(table) ?? "") === own
    const isOthers = (table: string) => owners.has(table) && !isOurs(table)
    for (const { name, next } of moved) {
      const isRecorded = last?.rows[name] !== undefined && last.rows[next] === undefined && !isOthers(name)
      const isOwned = isOurs(came[0].name) && isOurs(name) && !owners.has(next)
      if (isRecorded || isOwned) keptNames.add(name)
    }
  }
  return keptNames.size === 0 ? pipeline : { ...pipeline, keptNames: [...keptNames] }
})
