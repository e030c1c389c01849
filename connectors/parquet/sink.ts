/** The Parquet sink: its functions, and how a run opens it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Column from "#engine/Column"
import * as ColumnRegistry from "#engine/ColumnRegistry"
import * as LosslessPlan from "#engine/LosslessPlan"
import * as ObjectStore from "#engine/ObjectStore"
import * as Sink from "#engine/Sink"
import * as SinkWriter from "#engine/SinkWriter"
import { commit, type Session } from "./commit.ts"
import { compact } from "./compact.ts"
import { differences } from "./diff.ts"
import { failure } from "./failure.ts"
import { rowPlace } from "./format/fileSql.ts"
import * as Followers from "./lake/followers.ts"
import * as LakeSession from "./lake/LakeSession.ts"
import { folderOf, openLake, pathFault } from "./lake/openLake.ts"
import * as ReadSql from "./lake/ReadSql.ts"
import { removeOrphans } from "./lake/removeOrphans.ts"
import { ownersOf } from "./lake/tableOwners.ts"
import { details, newestRuns, owners, ranOnce, resume, runs } from "./ledger.ts"
import { columnsAfter, ownColumns } from "./manifest/columnsAfter.ts"
import type * as Manifest from "./manifest/Manifest.ts"
import * as Partition from "./manifest/Partition.ts"
import { Options } from "./options.ts"
import { queries } from "./queries.ts"
import { changes, rows } from "./read.ts"
import { refusalOf } from "./refusal.ts"
import * as Stage from "./stage.ts"
import { vacuum } from "./vacuum.ts"
import { verify } from "./verify.ts"

const open = Effect.fn("parquet.open")(function* (
  options: Options,
  given: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, ObjectStore.ObjectStores | Scope.Scope> {
  const stores = yield* ObjectStore.ObjectStores
  const { store, newest } = yield* openLake(options, given.directory)
  const stored = Option.getOrUndefined(newest)?.tables
  const named = ColumnRegistry.withLists(
    ColumnRegistry.named(given, (table) => ColumnRegistry.ofTable(stored?.[table])),
    Object.entries(stored ?? {}).map(([name, state]) => ({
      name,
      columns: ownColumns(state),
      registry: ColumnRegistry.ofTable(state)
    }))
  )
  const plan = yield* LosslessPlan.of(
    named,
    ({ table: { name } }) => {
      const state = stored?.[name]
      return Effect.succeed(state && ownColumns(state))
    },
    (table, widening) => {
      const state = stored?.[table]
      return state === undefined ? Effect.succeed(false) : changes(store, state, widening)
    }
  )
  const tables = plan.tables.map(({ table }) => table)
  const known = yield* ownersOf(store, newest)
  const fault = refusalOf({ options, store }, newest, known, plan)
  if (fault !== undefined) return yield* failure(fault)()
  yield* removeOrphans(store, newest, options.schema).pipe(Effect.mapError(failure(`cannot tidy ${store.location}`)))
  const heads = yield* Followers.mend(
    store,
    newest,
    tables.map(({ name }) => name)
  )

  const lake = yield* LakeSession.open(options, plan.directory, store, plan.runId)
  const unowned = tables.filter(({ name }) => !known.has(name))
  const session: Session = {
    lake,
    plan,
    stages: yield* Effect.forEach(plan.tables, (planned) => stageOf(lake, plan, planned, newest)),
    owners: new Map([...known, ...unowned.map(({ name }) => [name, Sink.ownerOf(plan.pipeline)] as const)]),
    ground: { base: newest, heads }
  }
  const isPartitioned = session.stages.some(({ partition }) => partition.length > 0)
  return SinkWriter.make<Stage.Stage>({
    sink: "parquet",
    stages: session.stages,
    resume: resume(newest, plan.pipeline),
    healed: heads.healed.map(({ path }) => path),
    columnsBefore: (stage) => {
      const state = stateBefore(plan, stage, newest)
      return state && ownColumns(state)
    },
    ...(isPartitioned ? { rowError: ({ partition }, row) => Partition.rowFault(partition, row) } : {}),
    storedKeys: (_, keys) =>
      rows(options, plan.directory, keys).pipe(Effect.provideService(ObjectStore.ObjectStores, stores)),
    write: (stage, rows) => Stage.write(lake, stage, rows),
    retainKeys: (stage, keys) => Stage.retainKeys(lake, stage, keys),
    commit: (what, isFirst) => commit(session, what, isFirst)
  })
})

const stageOf = Effect.fnUntraced(function* (
  lake: LakeSession.LakeSession,
  plan: Sink.Plan,
  planned: Sink.TablePlan,
  newest: Option.Option<Manifest.Manifest>
) {
  const before = stateBefore(plan, planned, newest)
  const columns = columnsAfter(before, planned, plan.evolve)
  const wider = before !== undefined && plan.evolve ? Sink.widerKeyFault(planned, ownColumns(before)) : undefined
  const fault = keyFault(planned, columns) ?? wider
  return fault === undefined ? yield* Stage.of(lake, plan, planned, columns) : yield* failure(fault)()
})

/** The stored table whose columns a run keeps; undefined if the run replaces it as a whole. */
const stateBefore = (
  plan: Sink.Plan,
  { table, write }: Sink.TablePlan,
  newest: Option.Option<Manifest.Manifest>
): Manifest.TableState | undefined =>
  write === "replace" && plan.shared !== true && plan.evolve
    ? undefined
    : Option.getOrUndefined(newest)?.tables[table.name]

/** Why rows cannot be found by their keys, if so: a key column is missing, or a column has a reserved name. */
const keyFault = ({ table, write }: Sink.TablePlan, columns: ReadonlyArray<Column.Column>): string | undefined => {
  if (write !== "merge" && write !== "scd2") return undefined
  const taken = Column.named(columns, rowPlace)
  if (taken !== undefined) {
    return `table ${table.name} has a column ${taken.name}, by which DuckDB numbers the rows of a file for ${write}; rename it, or append`
  }
  const missing = [...table.key, ...Object.keys(table.parent?.on ?? {})].find((name) => !Column.named(columns, name))
  return (
    missing &&
    `table ${table.name} has no column ${missing} in the files, which ${write} needs; let it evolve, or replace`
  )
}

/**
 * The sink of `type: parquet`: tables as Parquet files below a folder or a URL, made visible by a manifest.
 *
 * @see Apache Parquet, file format
 * @example
 * ```ts
 * import { rows, run, sql } from "millrace"
 * import { parquet } from "millrace/connectors/parquet"
 *
 * const lake = parquet.with({ path: "./lake" })
 * await run({ source: rows([{ id: 1 }, { id: 2 }], { table: "numbers" }), sinks: { lake } })
 * console.log(await sql(lake, "SELECT sum(id) AS sum FROM numbers")) // [{ sum: 3 }]
 * ```
 */
export const parquet = Sink.make<Options, typeof Options.Encoded, ObjectStore.ObjectStores>({
  type: "parquet",
  description: "Parquet files in a folder or a bucket, each commit one manifest",
  options: Options,
  writes: ["append", "replace", "merge", "scd2"],
  defaultWrite: () => "append",
  runs,
  ranOnce,
  newestRuns,
  details,
  rows,
  owners,
  pathFault,
  compact,
  vacuum,
  verify,
  differences,
  queries,
  readers: (options, directory) => ({ _tag: "SqlScript", script: ReadSql.placeOf(folderOf(options), directory) }),
  open
})
