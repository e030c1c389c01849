/**
 * The writer of the Parquet sink: files under names of their own, then one manifest that makes them visible.
 *
 * The law: the manifest is the commit. It is put only where none is; when that call's answer is lost, the manifest is
 * read again, and no file that it may name is ever removed.
 */
import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Database from "../../src/duckdb/Database.ts"
import { mergeFault } from "../../src/pipeline/mergeFault.ts"
import * as ObjectStore from "../../src/pipeline/ObjectStore.ts"
import type * as Sink from "../../src/pipeline/Sink.ts"
import { strictWriter } from "../../src/pipeline/strictWriter.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import * as Folder from "./Folder.ts"
import { failure } from "./failure.ts"
import * as Manifest from "./Manifest.ts"
import { nextManifest, schemaFault } from "./nextManifest.ts"
import type { Options } from "./Options.ts"
import * as Partition from "./Partition.ts"
import { publish } from "./publish.ts"
import { removeOrphans } from "./removeOrphans.ts"
import * as Stage from "./Stage.ts"

export const open = Effect.fn("parquet.open")(function* (
  options: Options,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, ObjectStore.ObjectStores | Scope.Scope> {
  const stores = yield* ObjectStore.ObjectStores
  const store = yield* stores
    .open(options.path, plan.directory, options.storage)
    .pipe(Effect.mapError(failure(`cannot open ${options.path}`)))
  let base = yield* Manifest.readManifest(store).pipe(Effect.mapError(failure(`cannot read ${store.location}`)))
  const fault =
    mergeFault(plan.tables) ??
    Partition.fault(
      plan.tables.map(({ table }) => table),
      options.partition ?? []
    ) ??
    schemaFault(base, plan.tables, options)
  if (fault !== undefined) return yield* failure(fault)()
  yield* removeOrphans(store, base).pipe(Effect.mapError(failure(`cannot tidy ${store.location}`)))

  const writerId = randomBytes(4).toString("hex")
  let names = 0
  let shipped: Array<readonly [Table.Table, Manifest.DataFile]> = []
  yield* Effect.addFinalizer(() =>
    // What was shipped and never committed is nobody's; where removing fails, it is an orphan like any other.
    Effect.forEach(shipped, ([, file]) => Effect.ignore(store.remove(file.path)), { discard: true })
  )
  const folder = yield* Folder.make(plan.directory)
  const database = yield* Database.open({ threads: 1, memory: "256MB", spill: `${folder}/spill` }).pipe(
    Effect.mapError(failure("cannot start DuckDB"))
  )
  const workshop: Stage.Workshop = {
    database,
    folder,
    buffer: new Uint8Array(1024 * 1024),
    options,
    nextName: () => `${plan.runId}-${writerId}-${String(++names).padStart(5, "0")}.parquet`,
    ship: (localFile, file, table) =>
      Effect.suspend(() => {
        shipped.push([table, file])
        return store.putFile(file.path, localFile)
      }).pipe(Effect.mapError(failure(`cannot put a file of table ${table.name} into ${store.location}`)))
  }
  const stages = new Map<string, Stage.Stage>()
  for (const planned of plan.tables) stages.set(planned.table.name, yield* Stage.make(workshop, planned))

  const write = Effect.fnUntraced(function* (batch: Table.Batch) {
    const stage = stages.get(batch.table.name)
    if (stage === undefined) return yield* failure(`table ${batch.table.name} is not in the plan of this run`)()
    yield* Stage.write(workshop, stage, batch.rows)
  })

  let first = true
  const commit = Effect.fn("parquet.commit")(function* (commit: Sink.Commit) {
    for (const stage of stages.values()) yield* Stage.finish(workshop, stage)
    const files = shipped
    const next = nextManifest({ base, plan, options, commit, files, first, writer: writerId })
    yield* Effect.uninterruptible(
      Effect.suspend(() => {
        shipped = []
        return publish(store, next).pipe(
          Effect.tapError((error) => Effect.sync(() => error.lost && (shipped = files))),
          Effect.mapError((error) => failure(error.message)(error.cause))
        )
      })
    )
    base = Option.some(next)
    first = false
    const sum = (of: "rows" | "bytes", table?: string) =>
      files.reduce((total, [owner, file]) => total + (table === undefined || owner.name === table ? file[of] : 0), 0)
    const rows = Object.fromEntries(plan.tables.map(({ table }) => [table.name, sum("rows", table.name)]))
    return { location: store.location, rows, bytes: sum("bytes") }
  })

  const resume = Option.flatMap(base, ({ checkpoints }) =>
    Option.map(Option.fromUndefinedOr(checkpoints[plan.pipeline]), ({ run_id, state }) => ({ runId: run_id, state }))
  )
  return strictWriter("parquet", { resume, write, commit })
})
