/**
 * Joins many small files into few large ones, and changes no row.
 *
 * It is a commit of its own run: the old files stay for readers of older manifests, and a writer that commits
 * meanwhile wins. Rows keep their order within a partition, so only neighbours are joined. A second call changes nothing.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import { runId } from "#engine/beginRun"
import type * as Column from "#engine/Column"
import { timestampFromMillis } from "#engine/Column"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import { failure } from "./failure.ts"
import { copyRows, openSource } from "./lake/copyRows.ts"
import * as Followers from "./lake/followers.ts"
import * as LakeSession from "./lake/LakeSession.ts"
import { nextManifest, tableState } from "./lake/nextManifest.ts"
import { openLake } from "./lake/openLake.ts"
import { publishOver } from "./lake/publishOver.ts"
import { removeOrphans } from "./lake/removeOrphans.ts"
import { columnsOf } from "./manifest/columnsAfter.ts"
import * as Manifest from "./manifest/Manifest.ts"
import { assertWhole } from "./manifest/takeFile.ts"
import type { Options } from "./options.ts"

export const compact = Effect.fn("parquet.compact")(function* (
  options: Options,
  directory: string,
  { below }: Sink.CompactTarget
): Effect.fn.Return<Sink.Compaction, Sink.SinkError, ObjectStore.ObjectStores> {
  const { store, newest: base } = yield* openLake(options, directory)
  // The manifest of this commit is then the newest of the day, so the first run of the day would not look for orphans.
  yield* removeOrphans(store, base, options.schema).pipe(Effect.mapError(failure(`cannot tidy ${store.location}`)))
  const heads = yield* Followers.mend(store, base)
  const limits: Limits = { below, rotate: options.rotate ?? LakeSession.rotate }
  const small = Option.match(base, {
    onNone: () => [],
    onSome: ({ tables }) => Object.entries(tables).filter(([, { files }]) => stretches(files, limits).length > 0)
  })
  if (small.length === 0) return { location: store.location, tables: {} }

  const startedAt = yield* Clock.currentTimeMillis
  const id = runId(startedAt, yield* Random.next)
  const work = Effect.gen(function* () {
    const session = yield* LakeSession.open(options, directory, store, id)
    const tables: Record<string, Manifest.TableState> = {}
    for (const [name, state] of small) tables[name] = yield* compactTable(session, name, state, limits)
    const counts = Object.fromEntries(
      small.map(([name, { files }]) => [name, { before: files.length, after: tables[name]?.files.length ?? 0 }])
    )
    const count = (of: "before" | "after") => Object.values(counts).reduce((sum, files) => sum + files[of], 0)
    const run = {
      runId: id,
      pipeline: "compact",
      startedAt: timestampFromMillis(startedAt),
      committedAt: timestampFromMillis(yield* Clock.currentTimeMillis),
      facts: { files_before: count("before"), files_after: count("after") },
      rows: {}
    }
    const { iceberg } = options
    const commit = { run, checks: [], writer: session.writerId, iceberg, checkpoints: {} }
    yield* publishOver(
      session,
      { base, heads },
      {
        tables,
        make: ({ base, heads }, tables) => nextManifest({ ...commit, base, heads: heads.delta, tables }),
        fault: () => Effect.undefined
      }
    )
    return { location: store.location, tables: counts }
  })
  return yield* Effect.scoped(work)
})

interface Limits {
  readonly below: number
  readonly rotate: number
}

/** Joins until there is nothing left to join: a joined file is a little smaller than its parts, so one more may fit. */
const compactTable = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  name: string,
  state: Manifest.TableState,
  limits: Limits
): Effect.fn.Return<Manifest.TableState, Sink.SinkError> {
  const columns = columnsOf(state.columns)
  if (columns.length < state.columns.length) {
    return yield* failure(
      `table ${name} has columns that this version of millrace does not know; compact with a newer one`
    )()
  }
  let files = state.files
  for (let found = stretches(files, limits); found.length > 0; found = stretches(files, limits)) {
    for (const parts of found) {
      const joined = yield* join(session, name, columns, parts)
      files = files.flatMap((file) => (file === parts[0] ? joined : parts.includes(file) ? [] : file))
      for (const part of parts) yield* LakeSession.unship(session, part)
    }
  }
  return tableState(state, columns, files)
})

/** Groups of small neighbours in a partition, each as large as one file may be. */
const stretches = (
  files: ReadonlyArray<Manifest.DataFile>,
  { below, rotate }: Limits
): ReadonlyArray<ReadonlyArray<Manifest.DataFile>> => {
  const open = new Map<string, { parts: Array<Manifest.DataFile>; bytes: number }>()
  const found: Array<ReadonlyArray<Manifest.DataFile>> = []
  for (const file of files) {
    const partition = JSON.stringify(file.partition)
    const stretch = open.get(partition)
    if (stretch !== undefined && file.bytes < below && stretch.bytes + file.bytes <= rotate) {
      if (stretch.parts.length === 1) found.push(stretch.parts)
      stretch.parts.push(file)
      stretch.bytes += file.bytes
    } else if (file.bytes < below) open.set(partition, { parts: [file], bytes: file.bytes })
    else open.delete(partition)
  }
  return found
}

const join = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  table: string,
  columns: ReadonlyArray<Column.Column>,
  parts: ReadonlyArray<Manifest.DataFile>
) {
  const growing = LakeSession.newFile(session, table)
  for (const part of parts) {
    const path = yield* LakeSession.fetch(session, part)
    yield* assertWhole(session.store, part, path)
    const source = yield* openSource(session, path, part.partition, columns)
    yield* copyRows(session, source, { columns }, growing)
    yield* LakeSession.discard(source.path)
  }
  const known = new Set(parts.flatMap(({ min }) => Object.keys(min)))
  const runs = new Set(parts.map(({ run_id }) => run_id))
  const [run] = runs
  const local = yield* LakeSession.finish(session, growing, {
    table,
    edges: columns.map(({ name }) => name).filter((name) => known.has(name)),
    partition: parts[0]?.partition ?? {},
    ...(runs.size === 1 && run !== undefined ? { runId: run } : {})
  })
  return yield* LakeSession.ship(session, local)
})
