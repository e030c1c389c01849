/**
 * Compares every file of a lake with its digest: manifests and their lists, data files, and what follows the manifests.
 *
 * Guarantee: without `repair` nothing is written. With it, what follows is written again from the manifests. What is lost is left
 * out: a manifest is moved to `_manifest/damaged/`, and a commit of its own leaves out data files, which stay where they are. So
 * readers find what the newest manifest says, and the findings say which runs to load again.
 */
import { existsSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import * as Path from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import { runId } from "#engine/beginRun"
import { timestampFromMillis } from "#engine/Column"
import type * as ObjectStore from "#engine/ObjectStore"
import type * as Sink from "#engine/Sink"
import * as DeltaLog from "./delta/DeltaLog.ts"
import { failure } from "./failure.ts"
import * as IcebergTables from "./iceberg/IcebergTables.ts"
import { folderOf as metadataOf } from "./iceberg/TableMetadata.ts"
import * as Followers from "./lake/followers.ts"
import * as LakeSession from "./lake/LakeSession.ts"
import { nextManifest } from "./lake/nextManifest.ts"
import { openStore } from "./lake/openLake.ts"
import { publishOver } from "./lake/publishOver.ts"
import * as Manifest from "./manifest/Manifest.ts"
import * as PrivateFolder from "./manifest/PrivateFolder.ts"
import { assertWhole, sizeFault, takeFile } from "./manifest/takeFile.ts"
import type { Options } from "./options.ts"

export const verify = Effect.fn("parquet.verify")(function* (
  options: Options,
  directory: string,
  target: Sink.VerifyTarget
): Effect.fn.Return<Sink.Verified, Sink.SinkError, ObjectStore.ObjectStores> {
  const store = yield* openStore(options, directory)
  const within = Effect.mapError(failure(`cannot verify ${store.location}`))
  // Without repair the same work is done on a store that takes no change.
  const work: Work = { store: target.repair ? store : unchanged(store), target, findings: [] }
  const inspected = yield* within(Manifest.inspectAll(store))
  const newest = yield* within(newestWhole(work, inspected))
  if (newest === undefined) return { location: store.location, files: 0, bytes: 0, findings: work.findings }
  const unfollowed = yield* within(settleBeyond(work, inspected, newest))
  const { bytes, files, lost } = yield* within(readFiles(work, newest))
  const followed = Object.keys(newest.tables).filter((name) => !unfollowed.has(name))
  const heads = yield* within(Followers.mend(work.store, Option.some(newest), followed))
  note(work, heads.healed)
  note(work, yield* within(DeltaLog.healHistory(work.store, newest, inspected)))
  yield* within(settleSnapshots(work, heads.iceberg))
  if (lost.size > 0 && target.repair) yield* within(leaveOut(options, directory, store, { newest, heads, lost }))
  return { location: store.location, files, bytes, findings: work.findings }
})

interface Work {
  readonly store: ObjectStore.ObjectStore
  readonly target: Sink.VerifyTarget
  readonly findings: Array<Sink.Finding>
}

/** A store that answers as if a change was made, and makes none. */
const unchanged = (store: ObjectStore.ObjectStore): ObjectStore.ObjectStore => ({
  ...store,
  put: () => Effect.void,
  putFile: () => Effect.void,
  putIfAbsent: () => Effect.succeed(true),
  remove: () => Effect.void
})

/** Notes what `mend` healed, or would heal. */
const note = ({ findings, target }: Work, healed: ReadonlyArray<DeltaLog.Healed>) => {
  for (const { fault, path } of healed) {
    findings.push({ path, message: `${path} ${fault}`, outcome: target.repair ? "healed" : "damaged" })
  }
}

/** The newest manifest that is whole with its lists. Those after it are lost, and so is what damaged ones before it say. */
const newestWhole = Effect.fnUntraced(function* (
  { findings, store, target }: Work,
  inspected: ReadonlyArray<Manifest.Inspected>
) {
  const last = inspected.findLast(({ fault }) => fault === undefined)
  for (const { fault, path, version } of inspected.filter((one) => one.fault !== undefined)) {
    const isNewer = version > (last?.version ?? 0)
    const to = target.repair ? yield* Manifest.setAside(store, path) : undefined
    const what = isNewer ? "what it committed is lost" : "only the history of runs and versions lacks it"
    const message = `${fault?.replace(/: put it back.*$/, "")}: ${what}${to === undefined ? "" : `; it is in ${to}`}`
    findings.push({ path, message, outcome: "lost" })
  }
  return last === undefined ? undefined : yield* Manifest.readVersion(store, last.version)
})

/**
 * Removes versions of the Delta logs and Iceberg metadata of manifests that are lost, so that readers find what the newest one that
 * is left says. Returns the tables to whose log another program writes.
 */
const settleBeyond = Effect.fnUntraced(function* (
  { findings, store, target }: Work,
  inspected: ReadonlyArray<Manifest.Inspected>,
  newest: Manifest.Manifest
) {
  const unfollowed = new Set<string>()
  const runs = new Map<number, Set<string>>()
  const isLost = (author: DeltaLog.Beyond["author"]): author is number =>
    typeof author === "number" && author > newest.version
  for (const name of Object.keys(newest.tables)) {
    const listed = yield* store.list(DeltaLog.folderOf(name))
    for (const later of yield* DeltaLog.beyond(store, name, newest, listed)) {
      if (later.author === "other" || later.author === undefined) {
        unfollowed.add(name)
        const message = `${later.path} is not of this lake: something else writes to the Delta table; remove ${name}/_delta_log, and the next run writes it again`
        findings.push({ path: later.path, message, outcome: "open" })
      } else if (isLost(later.author)) {
        const known = runs.get(later.author) ?? new Set()
        runs.set(later.author, later.runId === undefined ? known : known.add(later.runId))
        if (target.repair) yield* DeltaLog.removeBeyond(store, later)
        else unfollowed.add(name)
      }
    }
    yield* IcebergTables.removeBeyond(store, name, yield* store.list(metadataOf(name)), newest.version)
  }
  for (const [version, named] of runs) {
    const path = Manifest.pathOf(version)
    const at = findings.findIndex((finding) => finding.path === path)
    const isThere = inspected.some((one) => one.path === path)
    const message = `${path} is gone, and the Delta logs show that it was there: what it committed is lost`
    if (isThere && at !== -1)
      findings.splice(at, 1, { ...(findings[at] ?? { path, message, outcome: "lost" }), runs: [...named] })
    else findings.push({ path, message, outcome: "lost", runs: [...named] })
  }
  return unfollowed
})

/** Reads each data file of the newest manifest, and compares it with its digest. */
const readFiles = Effect.fnUntraced(function* ({ findings, store, target }: Work, newest: Manifest.Manifest) {
  const files = Object.entries(newest.tables).flatMap(([table, state]) => state.files.map((file) => ({ table, file })))
  const all = files.reduce((sum, { file }) => sum + file.bytes, 0)
  const times = new Map((yield* store.list("")).map(({ modifiedAt, path }) => [path, Math.floor(modifiedAt)]))
  const folder = yield* PrivateFolder.create(tmpdir(), "millrace-verify-")
  const lost = new Set<string>()
  let read = 0
  yield* Effect.forEach(
    files,
    Effect.fnUntraced(function* ({ file, table }) {
      const print = `${store.location} ${file.path} ${file.sha256} ${times.get(file.path)}`
      const fault = target.whole?.has(print) === true ? undefined : yield* faultOf(store, file, folder)
      read += file.bytes
      target.onProgress?.(read, all)
      if (fault === undefined) return target.whole?.add(print)
      lost.add(file.path)
      const runs = runsOf(file)
      const rows = `${file.rows} ${file.rows === 1 ? "row" : "rows"} of ${table}`
      const message = `${fault.replace(/: put it back.*$/, "")}: ${rows} ${target.repair ? "are left out" : "are lost"}`
      findings.push({ path: file.path, message, outcome: "lost", runs })
    }),
    { concurrency: 4, discard: true }
  )
  return { files: files.length, bytes: all, lost: lost }
}, Effect.scoped)

/** What is wrong with a data file. One in a local folder is read where it is. */
const faultOf = Effect.fnUntraced(function* (store: ObjectStore.ObjectStore, file: Manifest.DataFile, folder: string) {
  const own = Path.join(store.location, file.path)
  const isOwn = existsSync(own)
  const path = isOwn ? own : Path.join(folder, file.path.replaceAll("/", "_"))
  const fault = isOwn ? yield* sizeFault(store, file, path) : yield* takeFile(store, file, path)
  const found =
    fault ??
    (yield* assertWhole(store, file, path).pipe(
      Effect.as(undefined),
      Effect.catch(({ message }) => Effect.succeed(message))
    ))
  if (!isOwn) yield* Effect.promise(() => Fs.rm(path, { force: true }))
  return found
})

/** The first and the last run of the rows of a file. */
const runsOf = ({ max, min, run_id }: Manifest.DataFile): ReadonlyArray<string> => {
  const ends = run_id === undefined ? [min["_run_id"], max["_run_id"]] : [run_id]
  return [...new Set(ends.flatMap((run) => run ?? []))]
}

/** Leaves out of Iceberg the earlier snapshots whose files are damaged. */
const settleSnapshots = Effect.fnUntraced(function* ({ findings, store, target }: Work, heads: IcebergTables.Heads) {
  for (const [table, head] of heads) {
    const faults = yield* IcebergTables.faultsInHistory(store, head)
    for (const { path, snapshot } of faults) {
      const message = `${path} is gone or damaged: snapshot ${snapshot} of the Iceberg table ${table} ${target.repair ? "is left out" : "cannot be read"}`
      findings.push({ path, message, outcome: "lost" })
    }
    if (faults.length === 0) continue
    const isLeft = (id: number) => !faults.some(({ snapshot }) => snapshot === id)
    const { metadata, version } = head
    yield* IcebergTables.putMetadata(store, heads, table, {
      version: version + 1,
      metadata: {
        ...metadata,
        snapshots: metadata.snapshots.filter((snapshot) => isLeft(snapshot["snapshot-id"])),
        "snapshot-log": metadata["snapshot-log"].filter((entry) => isLeft(entry["snapshot-id"]))
      }
    })
  }
})

interface Loss {
  readonly newest: Manifest.Manifest
  readonly heads: Followers.Heads
  readonly lost: ReadonlySet<string>
}

/** Commits the tables without the files that are lost. */
const leaveOut = Effect.fnUntraced(function* (
  options: Options,
  directory: string,
  store: ObjectStore.ObjectStore,
  { heads, lost, newest }: Loss
) {
  const startedAt = yield* Clock.currentTimeMillis
  const id = runId(startedAt, yield* Random.next)
  const session = yield* LakeSession.open(options, directory, store, id)
  const tables = Object.fromEntries(
    Object.entries(newest.tables).flatMap(([name, state]) => {
      const files = state.files.filter(({ path }) => !lost.has(path))
      if (files.length === state.files.length) return []
      const sum = (of: "rows" | "bytes") => files.reduce((total, file) => total + file[of], 0)
      return [[name, { ...state, files, rows: sum("rows"), bytes: sum("bytes") }] as const]
    })
  )
  const run = {
    runId: id,
    pipeline: "verify",
    startedAt: timestampFromMillis(startedAt),
    committedAt: timestampFromMillis(yield* Clock.currentTimeMillis),
    facts: { files_left_out: lost.size },
    rows: {}
  }
  yield* publishOver(
    session,
    { base: Option.some(newest), heads },
    {
      tables,
      make: ({ base, heads }, tables) =>
        nextManifest({
          run,
          checks: [],
          writer: session.writerId,
          iceberg: options.iceberg,
          checkpoints: {},
          base,
          heads: heads.delta,
          tables
        }),
      fault: () => Effect.undefined
    }
  )
}, Effect.scoped)
