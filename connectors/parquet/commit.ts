/**
 * The commit: what the files of all tables are after it, and the manifest that makes them visible.
 *
 * Guarantee: the manifest is the commit. It is put only if no manifest of its number exists. If the answer of that call is
 * lost, the manifest is read again. No file that it may name is ever removed.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ColumnRegistry from "#engine/ColumnRegistry"
import * as Sink from "#engine/Sink"
import type { Committed } from "#engine/SinkWriter"
import { linkTable, type TableCommit, tableCommit } from "./dispositions/tableCommit.ts"
import type * as LakeSession from "./lake/LakeSession.ts"
import { nextManifest, tableState } from "./lake/nextManifest.ts"
import { type Ground, publishOver } from "./lake/publishOver.ts"
import { ownersOf } from "./lake/tableOwners.ts"
import { describedColumns, isWider } from "./manifest/columnsAfter.ts"
import type * as Manifest from "./manifest/Manifest.ts"
import { refusalOf } from "./refusal.ts"
import * as Stage from "./stage.ts"
import * as CommitTable from "./table/CommitTable.ts"

/** A run of one pipeline in one lake. */
export interface Session {
  readonly lake: LakeSession.LakeSession
  readonly plan: Sink.Plan
  /** The stages, in the order of the plan. */
  readonly stages: ReadonlyArray<Stage.Stage>
  /** The pipeline that each table belongs to, those of this run among them. */
  readonly owners: ReadonlyMap<string, string>
  /** What the next manifest is based on. */
  ground: Ground
}

export const commit = Effect.fn("parquet.commit")(function* (
  session: Session,
  commit: Sink.Commit,
  isFirst: boolean
): Effect.fn.Return<Committed, Sink.SinkError> {
  const { lake, owners, plan } = session
  const { bytes, results, states } = yield* commitTables(session, commit, isFirst)
  session.ground = yield* publishOver(lake, session.ground, {
    tables: states,
    make: ({ base, heads }, tables) =>
      nextManifest({
        base,
        run: commit.run,
        checks: commit.checks,
        ...(commit.profiles === undefined ? {} : { profiles: commit.profiles }),
        writer: lake.writerId,
        tables,
        heads: heads.delta,
        iceberg: lake.options.iceberg,
        checkpoints: { [plan.pipeline]: { run_id: commit.checkpoint.runId, state: commit.checkpoint.state ?? null } },
        owners: new Map([...owners, ...Object.entries(Option.getOrUndefined(base)?.owners ?? {})])
      }),
    fault: (newest, runs) => {
      const owner = Sink.ownerOf(plan.pipeline)
      const own = runs.find(({ pipeline }) => Sink.ownerOf(pipeline) === owner)
      // Both runs may have rows of the same keys.
      if (own !== undefined) return Effect.succeed(`it was a run of the same pipeline, ${own.pipeline}; run again`)
      const base = Option.some(newest)
      return Effect.map(ownersOf(lake.store, base), (known) => refusalOf(lake, base, known, plan))
    }
  })
  return { location: lake.store.location, tables: results, bytes }
})

/** Merged children first, for they need the keys of all parents; those of a history after the new versions of their parent. */
const inOrderOfChange = (stages: ReadonlyArray<Stage.Stage>) => {
  const parentsFirst = Sink.parentsFirst(stages)
  const histories = parentsFirst.filter(({ write }) => write === "scd2")
  return [...parentsFirst.filter((stage) => !histories.includes(stage)).toReversed(), ...histories]
}

/** The state of each table after the commit. */
const commitTables = Effect.fnUntraced(function* (
  { ground: { base }, lake, plan, stages }: Session,
  commit: Sink.Commit,
  isFirst: boolean
) {
  for (const stage of stages) yield* Stage.finish(lake, stage)
  const forgotten = isFirst && plan.again === true ? plan.runId : undefined
  const tables = Option.getOrUndefined(base)?.tables ?? {}
  // If a column is wider than it was, files are rewritten.
  const isWidened = stages.some(({ columns, table }) => {
    const before = tables[table.name]
    return before !== undefined && isWider(before, columns)
  })
  // No table whose rows have keys got a row, so a merge of them changes nothing.
  const areIdle = stages.every(
    ({ keys, received, write }) => keys === undefined || (write === "merge" && received === 0)
  )
  const isIdle = forgotten === undefined && !isWidened && areIdle
  if (!isIdle) yield* CommitTable.settle(lake, stages)
  const parentOf = ({ table: { parent } }: Stage.Stage) => stages.find(({ table }) => table.name === parent?.table)
  const commits = new Map<Stage.Stage, TableCommit>()
  for (const stage of inOrderOfChange(stages)) {
    const committed = yield* tableCommit(lake, stage, {
      before: tables[stage.table.name],
      parent: parentOf(stage),
      commit,
      forgotten,
      isIdle: isIdle && stage.keys !== undefined,
      pipeline: plan.shared === true ? plan.pipeline : undefined
    })
    commits.set(stage, committed)
  }
  const made = new Map<Stage.Stage, { readonly state: Manifest.TableState; readonly result: Sink.TableResult }>()
  let bytes = 0
  for (const [stage, own] of commits) {
    const { table } = stage
    const parent = parentOf(stage)
    const above = parent && plan.evolve ? commits.get(parent) : undefined
    const committed = yield* linkTable(lake, stage, own, above?.columns ?? [])
    const partition = stage.partition.map(({ name }) => name)
    made.set(stage, {
      state: tableState(
        {
          key: table.key,
          partition,
          description: table.description,
          registry: ColumnRegistry.after(stage, ColumnRegistry.ofTable(tables[table.name]), plan)
        },
        describedColumns(committed.columns, table.columns),
        committed.files
      ),
      result: committed.result
    })
    bytes += committed.bytes
  }
  for (const stage of stages) yield* Stage.clear(lake, stage)
  const inOrder = stages.flatMap((stage) => {
    const table = made.get(stage)
    return table === undefined ? [] : [[stage.table.name, table] as const]
  })
  return {
    states: Object.fromEntries(inOrder.map(([name, { state }]) => [name, state])),
    results: Object.fromEntries(inOrder.map(([name, { result }]) => [name, result])),
    bytes
  }
})
