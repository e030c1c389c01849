/**
 * The writer of the Parquet sink: files under names of their own, then one manifest that makes them visible.
 *
 * The law: the manifest is the commit. It is put only where none is; when that call's answer is lost, the manifest is
 * read again, and no file that it may name is ever removed.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Column from "../../src/pipeline/Column.ts"
import type * as ObjectStore from "../../src/pipeline/ObjectStore.ts"
import * as Owner from "../../src/pipeline/Owner.ts"
import * as Sink from "../../src/pipeline/Sink.ts"
import { planFault, rowFault } from "../../src/pipeline/SinkPlan.ts"
import { strictWriter } from "../../src/pipeline/SinkWriter.ts"
import type * as Table from "../../src/pipeline/Table.ts"
import { failure } from "./failure.ts"
import * as Workshop from "./lake/LakeSession.ts"
import * as Manifest from "./lake/Manifest.ts"
import { nextManifest, schemaFault, tableState } from "./lake/nextManifest.ts"
import { openLake } from "./lake/openLake.ts"
import * as Partition from "./lake/Partition.ts"
import { publishFrom } from "./lake/publish.ts"
import { removeOrphans } from "./lake/removeOrphans.ts"
import { heldOf, ownersOf } from "./lake/tableOwners.ts"
import type { Options } from "./options.ts"
import * as Stage from "./stage.ts"
import { columnsAfter, ownColumns } from "./table/columnsAfter.ts"
import * as StagedKeys from "./table/StagedKeys.ts"
import { tableChange } from "./table/tableCommit.ts"

export const open = Effect.fn("parquet.open")(function* (
  options: Options,
  plan: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, ObjectStore.ObjectStores | Scope.Scope> {
  const { store, newest: opened } = yield* openLake(options, plan.directory)
  const fault =
    planFault(plan.tables) ??
    Partition.fault(
      plan.tables.map(({ table }) => table),
      options.partition ?? []
    ) ??
    schemaFault(opened, plan, options)
  if (fault !== undefined) return yield* failure(fault)()
  const owners = new Map(yield* ownersOf(store, opened))
  const foreign = Owner.fault(plan, store.location, (table) => heldOf(opened, owners, table))
  if (foreign !== undefined) return yield* failure(foreign)()
  for (const { table } of plan.tables) if (!owners.has(table.name)) owners.set(table.name, Sink.ownerOf(plan.pipeline))
  const ours = plan.shared === true ? Owner.namesOf(plan.pipeline) : undefined
  yield* removeOrphans(store, opened, options.schema).pipe(Effect.mapError(failure(`cannot tidy ${store.location}`)))

  const before = ({ table, write }: Sink.TablePlan) =>
    write === "replace" && plan.shared !== true ? undefined : Option.getOrUndefined(opened)?.tables[table.name]
  const workshop = yield* Workshop.make(options, plan.directory, store, plan.runId)
  const stages = new Map<string, Stage.Stage>()
  for (const planned of plan.tables) {
    const columns = columnsAfter(before(planned), planned, plan.evolve)
    const fault = keyFault(planned, columns)
    if (fault !== undefined) return yield* failure(fault)()
    stages.set(planned.table.name, yield* Stage.make(workshop, plan, planned, columns))
  }

  const stageOf = Effect.fnUntraced(function* (table: string, rows: ReadonlyArray<Table.Row>) {
    const stage = stages.get(table)
    if (stage === undefined) return yield* failure(`table ${table} is not in the plan of this run`)()
    const fault = rowFault(stage, rows)
    return fault === undefined ? stage : yield* failure(fault)()
  })

  const write = Effect.fnUntraced(function* (batch: Table.Batch) {
    const stage = yield* stageOf(batch.table.name, batch.rows)
    for (const { table, keys } of stages.values()) {
      if (keys !== undefined && table.parent?.table === batch.table.name) {
        keys.parentBatchOffsets.push({ from: stage.keys?.written ?? 0, before: keys.written })
      }
    }
    yield* Stage.write(workshop, stage, batch.rows)
  })

  const retainKeys = Effect.fnUntraced(function* (table: string, keys: ReadonlyArray<Table.Row>) {
    yield* Stage.keep(workshop, yield* stageOf(table, keys), keys)
  })

  let base = opened
  let first = true
  /** What the tables are after a commit. Children are changed while the keys of their parents are all there. */
  const change = Effect.fnUntraced(function* (commit: Sink.Commit) {
    const all = [...stages.values()]
    for (const stage of all) yield* Stage.finish(workshop, stage)
    yield* StagedKeys.settleAll(
      workshop.database,
      all.flatMap(({ keys }) => keys ?? [])
    ).pipe(Effect.mapError(failure("cannot tell which of the rows count")))
    const tables: Record<string, Manifest.TableState> = {}
    const receipts: Record<string, Sink.TableResult> = {}
    let bytes = 0
    for (const stage of childrenFirst(all)) {
      const { table } = stage
      const changed = yield* tableChange(workshop, stage, {
        before: Option.getOrUndefined(base)?.tables[table.name],
        parent: stages.get(table.parent?.table ?? ""),
        commit,
        forgotten: first && plan.again === true ? plan.runId : undefined,
        ours
      })
      const partition = stage.partition.map(({ name }) => name)
      tables[table.name] = tableState({ key: table.key, partition }, changed.columns, changed.files)
      receipts[table.name] = changed.receipt
      bytes += changed.bytes
    }
    for (const stage of all) yield* Stage.clear(workshop, stage)
    return { tables, receipts, bytes }
  })

  const commit = Effect.fn("parquet.commit")(function* (commit: Sink.Commit) {
    const { tables, receipts, bytes } = yield* change(commit)
    const next = nextManifest({
      base,
      run: commit.run,
      checks: commit.checks,
      writer: workshop.writerId,
      tables: Object.fromEntries(
        plan.tables.flatMap(({ table: { name } }) => (tables[name] ? [[name, tables[name]]] : []))
      ),
      checkpoints: {
        [plan.pipeline]: { run_id: commit.checkpoint.runId, state: commit.checkpoint.state ?? null }
      },
      owners
    })
    yield* publishFrom(workshop, next)
    base = Option.some(next)
    first = false
    const rows = Object.fromEntries(plan.tables.map(({ table: { name } }) => [name, receipts[name]?.written ?? 0]))
    return { location: store.location, rows, tables: receipts, bytes }
  })

  const resume = Option.flatMap(opened, ({ checkpoints }) =>
    Option.map(Option.fromUndefinedOr(checkpoints[plan.pipeline]), ({ run_id, state }) => ({ runId: run_id, state }))
  )
  const columns = (table: string) =>
    Option.map(
      Option.fromUndefinedOr(plan.tables.filter((planned) => planned.table.name === table).map(before)[0]),
      ownColumns
    )
  return strictWriter("parquet", { resume, columns, write, retainKeys, commit })
})

/** The tables of a run, each before the one that it belongs to. */
const childrenFirst = (stages: ReadonlyArray<Stage.Stage>): ReadonlyArray<Stage.Stage> => {
  const parentOf = ({ table }: Stage.Stage) => stages.find((other) => other.table.name === table.parent?.table)
  const depth = (stage: Stage.Stage): number => {
    const parent = parentOf(stage)
    return parent === undefined ? 0 : 1 + depth(parent)
  }
  return stages.toSorted((a, b) => depth(b) - depth(a))
}

/** Why rows cannot be found by their keys, if so: a table that may not get new columns has none for them. */
const keyFault = ({ table, write }: Sink.TablePlan, columns: ReadonlyArray<Column.Column>): string | undefined => {
  if (write !== "merge" && write !== "scd2") return undefined
  const missing = [...table.key, ...Object.keys(table.parent?.on ?? {})].find((name) => !Column.named(columns, name))
  return (
    missing &&
    `table ${table.name} has no column ${missing} in the files, which ${write} needs; let it evolve, or replace`
  )
}
