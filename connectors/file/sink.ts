/** The file sink: its parts, and how it is opened for a run. */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as ColumnRegistry from "#engine/ColumnRegistry"
import * as LosslessPlan from "#engine/LosslessPlan"
import * as Owner from "#engine/Owner"
import * as Sink from "#engine/Sink"
import * as SinkWriter from "#engine/SinkWriter"
import type * as Table from "#engine/Table"
import { commit, type Session } from "./commit.ts"
import { attempt, failure } from "./failure.ts"
import { folderFault } from "./folder/folderFault.ts"
import { open as openFolder, rootOf } from "./folder/openFolder.ts"
import { columnsOf, type State } from "./folder/State.ts"
import * as Versions from "./folder/Versions.ts"
import { kindFault, kindOf } from "./format/Format.ts"
import { formatOf } from "./format/formatOf.ts"
import { details, held, owners, resume, runs } from "./ledger.ts"
import { Options } from "./options.ts"
import { queries } from "./queries.ts"
import { rows } from "./read.ts"
import * as Stage from "./stage.ts"
import { rowsFrom } from "./table/tableFile.ts"

const open = Effect.fn("file.open")(function* (
  options: Options,
  given: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, Scope.Scope> {
  const root = rootOf(options, given.directory)
  const misplaced = folderFault(root)
  if (misplaced !== undefined) return yield* failure(misplaced)()
  const kind = kindOf(options)
  const found = yield* openFolder(root)
  const state = found?.state
  const named = ColumnRegistry.withLists(
    ColumnRegistry.named(given, (table) => ColumnRegistry.ofTable(state?.tables[table])),
    Object.entries(state?.tables ?? {}).map(([name, table]) => ({
      name,
      columns: columnsOf(table),
      registry: ColumnRegistry.ofTable(table)
    }))
  )
  const plan = yield* LosslessPlan.of(
    named,
    ({ table }) => Effect.sync(() => storedColumns(state, table.name)),
    (table, widening) => attempt(`cannot read ${root}`, () => changes(root, state, table, widening))
  )
  const names = plan.tables.map(({ table }) => `${table.name}.${kind.format}`)
  const fault =
    kindFault(options) ??
    storedFault(state, plan) ??
    Owner.fault(plan, root, (table) => held(state, table)) ??
    (yield* attempt(`cannot read ${root}`, () => Versions.nameFault(root, names)))
  if (fault !== undefined) return yield* failure(fault)()

  const format = yield* attempt(`cannot load what writes ${kind.format}`, () => formatOf(kind))
  const files = { format, folder: Versions.stageOf(root) }
  const stages = plan.tables.map((planned) => Stage.of(plan, planned, state?.tables[planned.table.name], files))
  const session: Session = { root, plan, kind, format, stages, state }
  return SinkWriter.make<Stage.Stage>({
    sink: "file",
    stages,
    resume: resume(state, plan.pipeline),
    columnsBefore: ({ before }) => before,
    storedKeys: (_, keys) => rows(options, plan.directory, keys),
    write: Stage.write,
    retainKeys: Stage.retainKeys,
    commit: (what, isFirst) => commit(session, what, isFirst)
  })
})

const storedColumns = (state: State | undefined, table: string) => {
  const stored = state?.tables[table]
  return stored && columnsOf(stored)
}

/** Whether a stored value would change. */
const changes = async (root: string, state: State | undefined, table: string, widening: LosslessPlan.Widening) => {
  const stored = state?.tables[table]
  if (state === undefined || stored === undefined) return false
  const file = Path.join(Versions.versionOf(root, state.commit), stored.file)
  for await (const some of rowsFrom({ state: stored, file }, 0)) {
    if (LosslessPlan.changesAny(some, widening)) return true
  }
  return false
}

/** Why rows cannot be written to an existing table; undefined: they can. A table that gets the columns of this run always can. */
const storedFault = (state: State | undefined, { evolve, shared, tables }: Sink.Plan): string | undefined => {
  for (const { table, write } of tables) {
    const stored = state?.tables[table.name]
    if (stored === undefined || (write === "replace" && shared !== true && evolve)) continue
    const known = columnsOf(stored).map(({ name }) => name)
    const foreign = stored.columns.find(({ name }) => !known.includes(name))
    if (foreign !== undefined) {
      return `column ${foreign.name} of table ${table.name} is ${foreign.type} in ${Path.basename(stored.file)}, which this version of millrace does not know; replace`
    }
  }
  return undefined
}

/** A table with a key is replaced by what the last run read. A table without a key, such as events, grows. */
const defaultWrite = ({ key, parent }: Table.Table): Sink.WriteDisposition =>
  key.length > 0 || parent !== undefined ? "replace" : "append"

/**
 * The sink of `type: file`: tables as files of CSV or JSON Lines.
 *
 * @see RFC 4180 (CSV), RFC 8259 (JSON)
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises"
 * import { rows, run } from "millrace"
 * import { file } from "millrace/connectors/file"
 *
 * const out = file.with({ path: "./csv", format: "csv" })
 * await run({ source: rows([{ id: 1, name: "one" }], { table: "numbers" }), sinks: { out } })
 * console.log((await readFile("./csv/numbers.csv", "utf8")).split("\n")[0]) // "id,name,_run_id"
 * ```
 */
export const file = Sink.make<Options, typeof Options.Encoded, never>({
  type: "file",
  description: "a file for each table in a folder, as JSON Lines, CSV, Arrow or Parquet, for hand-over",
  options: Options,
  writes: ["append", "replace"],
  defaultWrite,
  runs,
  details,
  owners,
  pathFault: (options, directory) => Effect.sync(() => folderFault(rootOf(options, directory))),
  rows,
  queries,
  open
})
