/**
 * `read.sql`: the tables of a lake as views for DuckDB, so that nobody has to know which files count.
 *
 *     duckdb -init lake/read.sql -c "SELECT count(*) FROM pages"
 *
 * Each commit writes it after its manifest. If a process was killed before that, or the file is damaged, the next one that opens
 * the lake writes it.
 * Its views name the files of that commit, so a query sees one commit, also while the next one is written.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { quote } from "#engine/Column"
import * as Database from "#engine/Duckdb"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import type { Healed } from "../delta/DeltaLog.ts"
import { failure } from "../failure.ts"
import { rowsSql } from "../format/filesSql.ts"
import * as Manifest from "../manifest/Manifest.ts"

const path = "read.sql"

/** The path of `read.sql`: relative to the directory, or a URL. */
export const placeOf = (lake: string, directory: string): string =>
  /^\w+:\/\//.test(lake) ? `${lake.replace(/\/+$/, "")}/${path}` : Path.resolve(directory, lake, path)

/** Writes it for a manifest; and again for the newest one, if others have committed meanwhile. */
export const put = Effect.fnUntraced(
  function* (store: ObjectStore.ObjectStore, manifest: Manifest.Manifest) {
    for (let shown: Manifest.Manifest | undefined = manifest; shown !== undefined; ) {
      yield* store.put(path, new TextEncoder().encode(textOf(shown, store.location)))
      const isLater: boolean = (yield* store.list(Manifest.pathOf(shown.version + 1))).length > 0
      const newest: Manifest.Manifest | undefined = isLater
        ? Option.getOrUndefined(yield* Manifest.readManifest(store))
        : undefined
      shown = newest !== undefined && newest.version > shown.version ? newest : undefined
    }
  },
  (effect, store) =>
    Effect.mapError(
      effect,
      failure(`the commit is done, but ${path} in ${store.location} is not written: the next run writes it`)
    )
)

/** Writes it again if it is not what the newest manifest says. Returns whether it was not. */
export const mend = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  newest: Option.Option<Manifest.Manifest>
): Effect.fn.Return<ReadonlyArray<Healed>, Sink.SinkError> {
  if (Option.isNone(newest)) return []
  const there = yield* store.get(path).pipe(Effect.mapError(failure(`cannot read ${path} in ${store.location}`)))
  const text = Option.match(there, { onNone: () => "", onSome: (bytes) => new TextDecoder().decode(bytes) })
  if (text === textOf(newest.value, store.location)) return []
  yield* put(store, newest.value)
  return [{ path, fault: "does not show what the newest manifest says" }]
})

const textOf = ({ run, tables, version }: Manifest.Manifest, location: string): string => {
  const views = Object.entries(tables).map(([name, state]) => {
    const paths = state.files.map((file) => `${folder} || ${Database.literal(`/${file.path}`)}`)
    return `CREATE OR REPLACE VIEW ${quote(name)} AS\n  ${rowsSql(state, paths)};\n`
  })
  return `-- The tables of a Millrace lake as views for DuckDB 1.3 or newer: duckdb -init read.sql
-- Version ${version}, of run ${run.run_id}. Each commit rewrites this file: read it again to see the next one.
-- If the lake was moved, say where it is before you read this file: SET VARIABLE lake = '/where/it/is';
SET VARIABLE lake = coalesce(${folder}, ${Database.literal(location.replace(/\/+$/, ""))});

${views.join("\n")}`
}

const folder = "getvariable('lake')"
