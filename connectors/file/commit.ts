/**
 * The commit: makes a folder with the files of all tables, and one rename makes it visible.
 *
 * Guarantee: no file of an earlier version is changed. Tables of other pipelines are taken over unchanged.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Column from "#engine/Column"
import * as ColumnRegistry from "#engine/ColumnRegistry"
import * as Sink from "#engine/Sink"
import type { Committed } from "#engine/SinkWriter"
import { attempt } from "./failure.ts"
import { afterCommit, columnTexts, type State, type TableState } from "./folder/State.ts"
import * as Versions from "./folder/Versions.ts"
import type { FileKind, Format } from "./format/Format.ts"
import * as Stage from "./stage.ts"
import { remaining } from "./table/remaining.ts"
import * as tableFile from "./table/tableFile.ts"

/** The writing of one run into one folder. */
export interface Session {
  readonly root: string
  readonly plan: Sink.Plan
  readonly kind: FileKind
  readonly format: Format
  readonly stages: ReadonlyArray<Stage.Stage>
  /** The state after the last commit. */
  state: State | undefined
}

export const commit = Effect.fn("file.commit")(function* (
  session: Session,
  commit: Sink.Commit,
  isFirst: boolean
): Effect.fn.Return<Committed, Sink.SinkError> {
  const { plan, root, stages, state } = session
  for (const stage of stages) yield* Stage.finish(stage)
  const folder = Versions.versionOf(root, (state?.commit ?? 0) + 1)
  yield* attempt(`cannot make ${folder}`, async () => {
    await Fs.rm(folder, { recursive: true, force: true })
    await Fs.mkdir(folder)
  })
  // The rows that stay must be known for all tables before the staged file of one of them is moved.
  const left = yield* Effect.forEach(stages, (stage) => remainingOf(session, stage, commit.complete, isFirst))
  const columns = new Map<string, ReadonlyArray<Column.Column>>()
  const made = yield* Effect.forEach(left, ({ remaining, stage }) =>
    Effect.tap(tableOf(session, stage, remaining, { folder, columns }), ({ columns: own, stage: { table } }) =>
      Effect.sync(() => columns.set(table.name, own))
    )
  )
  const tables = Object.fromEntries(made.map(({ stage, table }) => [stage.table.name, table]))
  yield* carryOver(session, tables, folder)
  const next = afterCommit(state, commit, plan.pipeline, tables)
  yield* attempt(`cannot commit to ${root}`, () => Versions.publish(root, next.state, next.record))
  session.state = next.state
  // The commit is done. What cannot be removed now is removed by the next run.
  yield* Effect.ignore(attempt(`cannot tidy ${root}`, () => Versions.tidy(root, next.state)))
  for (const stage of stages) yield* Stage.clear(stage)
  return {
    location: root,
    tables: Object.fromEntries(made.map(({ result, stage }) => [stage.table.name, result])),
    bytes: made.reduce((sum, { table }) => sum + table.bytes, 0)
  }
})

const remainingOf = (session: Session, stage: Stage.Stage, isComplete: boolean, isFirst: boolean) =>
  attempt(`table ${stage.table.name}`, async () => {
    const parent = session.stages.find(({ table }) => table.name === stage.table.parent?.table)
    const written = (of: Stage.Stage) => writtenRows(session, of)
    return { stage, remaining: await remaining(stage, { plan: session.plan, parent, isComplete, isFirst, written }) }
  })

/** The rows that this run wrote into a table: those of earlier commits, at the end of its file, and the staged rows. */
async function* writtenRows(session: Session, stage: Stage.Stage) {
  const before = beforeOf(session, stage.table.name)
  if (before !== undefined && stage.committed > 0) {
    yield* tableFile.rowsFrom(before, before.state.rows - stage.committed)
  }
  if (stage.staged !== undefined) yield* session.format.read(stage.staged.path, stage.columns)
}

const tableOf = (
  session: Session,
  stage: Stage.Stage,
  left: Awaited<ReturnType<typeof remaining>>,
  {
    columns: made,
    folder
  }: { readonly folder: string; readonly columns: ReadonlyMap<string, ReadonlyArray<Column.Column>> }
) =>
  attempt(`table ${stage.table.name}`, async () => {
    const { kind, plan, state } = session
    const { description, key, name } = stage.table
    const file = `${name}.${kind.format}`
    const path = Path.join(folder, file)
    // In what is replaced, old rows of the parent that stayed may have made its columns wider than those of the run.
    const above = stage.write === "replace" && plan.evolve ? (made.get(stage.table.parent?.table ?? "") ?? []) : []
    const {
      columns,
      kept: keptRows,
      rows
    } = await tableFile.write(stage, beforeOf(session, name), left, { ...session, path, above })
    const written = stage.staged?.rows ?? 0
    const table: TableState = {
      file,
      kind,
      description,
      owner: state?.tables[name]?.owner ?? Sink.ownerOf(plan.pipeline),
      rows,
      bytes: (await Fs.stat(path)).size,
      key,
      columns: columnTexts(columns),
      registry: ColumnRegistry.after(stage, ColumnRegistry.ofTable(state?.tables[name]), plan)
    }
    const keptByReplace = stage.write === "replace" ? keptRows : 0
    return {
      stage,
      columns,
      table,
      result: { received: written, written, unchanged: 0, superseded: 0, kept: keptByReplace }
    }
  })

const beforeOf = ({ root, state }: Session, table: string): tableFile.Before | undefined => {
  const stored = state?.tables[table]
  return stored === undefined || state === undefined
    ? undefined
    : { state: stored, file: Path.join(Versions.versionOf(root, state.commit), stored.file) }
}

/** Takes over the files of tables that this run does not write. */
const carryOver = ({ root, state }: Session, written: Readonly<Record<string, TableState>>, folder: string) =>
  attempt(`cannot copy the other tables of ${root}`, async () => {
    if (state === undefined) return
    for (const [name, { file }] of Object.entries(state.tables)) {
      if (written[name] !== undefined) continue
      await tableFile.linked(Path.join(Versions.versionOf(root, state.commit), file), Path.join(folder, file))
    }
  })
