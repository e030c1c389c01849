/**
 * Removes files that no manifest names: those of killed writers. Only the first run of a day looks for them, because it
 * lists all files, and may read all manifests: with merge each load replaces files that only older manifests name.
 *
 * Guarantee: only files older than a day, since the writer of a younger one may commit later; and never one
 * that any manifest names, since readers may still use an older manifest.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ObjectStore from "#engine/ObjectStore"
import * as Manifest from "../manifest/Manifest.ts"
import { day } from "../manifest/PrivateFolder.ts"

export const removeOrphans = Effect.fn("parquet.removeOrphans")(function* (
  store: ObjectStore.ObjectStore,
  latest: Option.Option<Manifest.Manifest>,
  schema: string | undefined
) {
  const now = yield* Clock.currentTimeMillis
  if (Option.isSome(latest) && dayOf(Date.parse(latest.value.run.started_at)) === dayOf(now)) return
  const before = now - day
  const tables = Option.match(latest, { onNone: () => [], onSome: (manifest) => Object.values(manifest.tables) })
  const current = new Set(tables.flatMap((table) => table.files.map((file) => file.path)))
  const suspects = ownFiles(yield* store.list(""), schema).filter(
    ({ path, modifiedAt }) => modifiedAt < before && !current.has(path)
  )
  const orphans = yield* Manifest.neverNamed(
    store,
    suspects.map(({ path }) => path)
  ).pipe(
    // Nobody knows which files a damaged manifest names, so they all stay.
    Effect.catchTag("ManifestError", () => Effect.succeed([]))
  )
  yield* Effect.forEach(orphans, (path) => store.remove(path), { concurrency: 8, discard: true })
})

/** The day of a time, in UTC. */
const dayOf = (millis: number): number => Math.floor(millis / day)

/** The data files of a lake, from a listing. */
export const ownFiles = (objects: ReadonlyArray<ObjectStore.ObjectInfo>, schema: string | undefined) => {
  const lakes = otherLakes(objects.map(({ path }) => path))
  return objects.filter(({ path }) => isOurs(path, schema) && !lakes.some((lake) => path.startsWith(lake)))
}

/**
 * Whether a name has the form of this sink: run, writer, number, and the schema if there is one. Files of others, and of
 * a lake above or below, are never removed.
 */
const isOurs = (path: string, schema: string | undefined): boolean => {
  const [, named] = /-[0-9a-f]{8}-\d{5,}(?:\.(\w+))?\.parquet$/.exec(path) ?? [undefined, null]
  return named === schema
}

/** The folders below that have their own manifests. */
const otherLakes = (paths: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(paths.flatMap((path) => /^(.+\/)_manifest\/\d{12}\.json$/.exec(path)?.[1] ?? []))
]
