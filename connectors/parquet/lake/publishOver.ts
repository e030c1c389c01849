/**
 * Publishes a commit, also where others have committed since it read the lake: pipelines load other tables of one lake at the
 * same time, and `millrace compact` may come between.
 *
 * Guarantee: it follows the newest manifest, or nothing of it is visible.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import * as Manifest from "../manifest/Manifest.ts"
import { rebased } from "../manifest/rebased.ts"
import * as Followers from "./followers.ts"
import type * as LakeSession from "./LakeSession.ts"
import { publishFrom } from "./publish.ts"

type Tables = Readonly<Record<string, Manifest.TableState>>

/** The state that a commit follows. */
export interface Ground {
  readonly base: Option.Option<Manifest.Manifest>
  /** The last versions of the Delta logs and the Iceberg tables. */
  readonly heads: Followers.Heads
}

interface Work {
  /** The tables after the commit. */
  readonly tables: Tables
  /** Makes the next manifest. */
  readonly make: (ground: Ground, tables: Tables) => Manifest.Manifest
  /** Why it cannot follow a newer manifest, for other reasons than its tables. `runs`: those that have committed since. */
  readonly fault: (
    newest: Manifest.Manifest,
    runs: ReadonlyArray<Manifest.Manifest["run"]>
  ) => Effect.Effect<string | undefined, Sink.SinkError>
}

/** Publishes the commit, and writes its Delta and Iceberg versions. Returns the state after it. */
export const publishOver = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  first: Ground,
  { fault, make, tables }: Work
): Effect.fn.Return<Ground, Sink.SinkError> {
  const { store } = session
  let ground = first
  let made = tables
  for (;;) {
    const published = yield* publishFrom(session, ground.base, make(ground, made))
    if (Option.isSome(published)) {
      const { manifest, versions } = published.value
      yield* Followers.follow(store, ground.heads, manifest, Option.getOrUndefined(ground.base), versions)
      return { base: Option.some(manifest), heads: ground.heads }
    }
    const newest = Option.getOrUndefined(yield* reading(store, Manifest.readManifest(store)))
    const version = Option.getOrUndefined(ground.base)?.version ?? 0
    if (newest === undefined || newest.version <= version) {
      return yield* failure(`${overtaken(store)} its manifest exists, but the store does not list it yet; run again`)()
    }
    const since = Array.from({ length: newest.version - version }, (_, at) => version + 1 + at)
    const runs = yield* reading(
      store,
      Effect.forEach(since, (later) => Manifest.readRun(store, later), { concurrency: 8 })
    )
    const standing = onNewest(made, ground.base, newest)
    const why = typeof standing === "string" ? `it changed ${standing}; run again` : yield* fault(newest, runs)
    if (typeof standing === "string" || why !== undefined) {
      return yield* failure(`${overtaken(store)} ${why}`)()
    }
    const base = Option.some(newest)
    ground = { base, heads: yield* Followers.mend(store, base, Object.keys(tables)) }
    made = standing
  }
})

const reading = <A, E>({ location }: ObjectStore.ObjectStore, read: Effect.Effect<A, E>) =>
  Effect.mapError(read, failure(`cannot read ${location}`))

const overtaken = ({ location }: ObjectStore.ObjectStore) =>
  `another writer committed to ${location} meanwhile, and nothing of this commit is visible:`

/** The tables of a commit after a newer manifest; or the name of one that has changed since the commit read it. */
const onNewest = (made: Tables, base: Option.Option<Manifest.Manifest>, newest: Manifest.Manifest): Tables | string => {
  const before = Option.getOrUndefined(base)?.tables
  const standing: Record<string, Manifest.TableState> = {}
  for (const [name, state] of Object.entries(made)) {
    const next = rebased(state, before?.[name], newest.tables[name])
    if (next === undefined) return `table ${name}`
    standing[name] = next
  }
  return standing
}
