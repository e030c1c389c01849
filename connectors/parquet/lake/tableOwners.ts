/**
 * The pipeline that each table of a lake belongs to.
 *
 * The newest manifest says it. If it does not, because an older version wrote it, a table belongs to the only pipeline with
 * a checkpoint. If there are several, it belongs to the pipeline of the first manifest that has the table.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ObjectStore from "#engine/ObjectStore"
import * as Owner from "#engine/Owner"
import * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import * as Manifest from "../manifest/Manifest.ts"

export const ownersOf = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>
): Effect.fn.Return<ReadonlyMap<string, string>, Sink.SinkError> {
  if (Option.isNone(newest)) return new Map()
  const { checkpoints, owners = {}, tables } = newest.value
  const known = new Map(Object.entries(owners))
  const unknown = Object.keys(tables).filter((name) => !known.has(name))
  if (unknown.length === 0) return known
  const pipelines = new Set(Object.keys(checkpoints).map(Sink.ownerOf))
  const [only] = pipelines
  const first = pipelines.size > 1 ? yield* firstWriters(store) : new Map<string, string>()
  for (const name of unknown) {
    const owner = first.get(name) ?? only
    if (owner !== undefined) known.set(name, owner)
  }
  return known
})

/** The pipeline of the first manifest that has each table. */
const firstWriters = Effect.fnUntraced(
  function* (store: ObjectStore.ObjectStore) {
    const all = yield* Manifest.readAll(store, ({ run, tables }) => ({
      pipeline: run.pipeline,
      tables: Object.keys(tables)
    }))
    const first = new Map<string, string>()
    for (const { pipeline, tables } of all) {
      for (const table of tables) if (!first.has(table)) first.set(table, Sink.ownerOf(pipeline))
    }
    return first
  },
  (effect, { location }) => Effect.mapError(effect, failure(`cannot tell whose the tables of ${location} are`))
)

/** The state of a table in the newest manifest. */
export const heldOf = (
  newest: Option.Option<Manifest.Manifest>,
  owners: ReadonlyMap<string, string>,
  table: string
): Owner.Held | undefined => {
  const state = Option.getOrUndefined(newest)?.tables[table]
  if (state === undefined) return undefined
  return { owner: owners.get(table), shared: state.columns.some(({ name }) => name === Sink.pipelineColumn.name) }
}
