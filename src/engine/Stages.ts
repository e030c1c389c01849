/**
 * The stage as a DuckDB file: `stage.duckdb` in the folder of its run. While a run is held, people may open this file.
 *
 * The rows after the steps are stored before they are checked, so exactly the checked rows are loaded, even if an expression
 * gives another value each time. No step and no check can reach other files or the network.
 */
import { existsSync } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Check from "./Check.ts"
import * as Column from "./Column.ts"
import { quote } from "./Column.ts"
import * as Database from "./Duckdb.ts"
import { columnsOf, literalOf, tryCheck } from "./duckdb/checkSql.ts"
import * as StagedTable from "./duckdb/StagedTable.ts"
import { hidden } from "./duckdb/stepSql.ts"
import { fault, names, nearest } from "./duckdb/tryStep.ts"
import * as Stage from "./Stage.ts"
import type * as Table from "./Table.ts"
import { readingIn } from "./Table.ts"

/**
 * Stages as DuckDB files: what steps and checks run in. A run whose steps or checks are wrong fails with `StageError`.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Journals, Pipeline, rows, Run, Stages } from "millrace"
 * import { memory } from "millrace/connectors/memory"
 *
 * const source = rows([{ id: 1 }, { id: 2 }], { table: "numbers" })
 * const sinks = { out: memory.with({ name: "larger" }) }
 * const pipeline = Pipeline.make({ name: "larger", source, sinks, steps: [{ where: "id > 1" }] })
 * const parts = Layer.mergeAll(Journals.layerTemporary, Stages.layer)
 * const report = await Effect.runPromise(Effect.provide(Run.run(pipeline), parts))
 * console.log(report.rows) // { numbers: 1, numbers__rejects: 0 }
 * ```
 */
export const layer: Layer.Layer<Stage.Stages> = Layer.sync(Stage.Stages, () => ({
  open,
  remove: (folder) => Effect.promise(() => removeStage(fileOf(folder)))
}))

const fileOf = (folder: string): string => Path.join(folder, "stage.duckdb")

const open = Effect.fn("Stages.open")(function* (
  plan: Stage.Plan
): Effect.fn.Return<Stage.Stage, Stage.StageError, Scope.Scope> {
  const file = fileOf(plan.folder)
  if (!plan.reopen) yield* Effect.promise(() => removeStage(file))
  else if (!existsSync(file)) return yield* new Stage.StageError({ message: `${file} is gone; run again`, path: [] })
  const database = yield* openFile(file, plan.fingerprints)
  const staged = yield* stagedTables(database, plan)
  // All rows are written in one transaction. An attempt that dies leaves no rows, and the next attempt makes a new stage.
  if (!plan.reopen) yield* Effect.mapError(database.run("BEGIN"), broken(`cannot write ${file}`))
  const tables = staged.map(({ table }) => table)
  const byName = new Map(staged.map((each) => [each.table.name, each]))
  let counts: Readonly<Record<string, number>> = {}

  return {
    tables,
    write: (table, rows) => {
      const into = byName.get(table)
      return into === undefined
        ? Effect.fail(new Stage.StageError({ message: `table ${table} is not in the plan of this run`, path: [] }))
        : StagedTable.write(database, into, rows)
    },
    finish: Effect.gen(function* () {
      if (!plan.reopen) {
        for (const each of staged) yield* StagedTable.flush(database, each)
        yield* Effect.mapError(database.run("COMMIT"), broken(`cannot write ${file}`))
        for (const each of staged) yield* StagedTable.finish(database, each)
        for (const each of staged) yield* StagedTable.forget(database, each)
      }
      counts = yield* countRows(database, tables)
      return counts
    }),
    check: (facts) => runChecks(database, plan, { tables, counts }, facts),
    rows: (table) => {
      const from = byName.get(table)
      return from === undefined ? Stream.empty : StagedTable.read(database, from)
    },
    saveFingerprints: saveFingerprints(database, plan, tables[0])
  }
})

/** Opens the file of a stage, and that of the last fingerprints. From then on no statement can reach anything else. */
const openFile = Effect.fnUntraced(function* (file: string, last: string | undefined) {
  const database = yield* Database.open({ threads: 1, memory: "128MB", spill: `${file}.spill` }).pipe(
    Effect.mapError(broken("cannot start DuckDB"))
  )
  yield* Effect.addFinalizer(() => Effect.ignore(database.run("CHECKPOINT stage")))
  yield* Effect.gen(function* () {
    yield* database.run(`ATTACH ${Database.literal(file)} AS stage (ROW_GROUP_SIZE ${rowGroupSize})`)
    if (last !== undefined) yield* database.run(`ATTACH ${Database.literal(last)} AS last`)
    yield* database.run("USE stage")
    // From here on, SQL of users runs: it can read the staged tables and nothing else of this machine. Only the memory
    // limit can still be changed.
    yield* database.run("SET enable_external_access = false")
    yield* database.run("SET allowed_configs = ['memory_limit']")
    yield* database.run("SET lock_configuration = true")
  }).pipe(Effect.mapError(broken(`cannot open ${file}`)))
  return database
})

/** The tables of a plan. Fails with all that is wrong with its steps and checks. */
const stagedTables = Effect.fnUntraced(function* (database: Database.Database, plan: Stage.Plan) {
  const { doubtful, faults, staged } = yield* StagedTable.all(database, plan)
  const tables = staged.map(({ table }) => table)
  const wrong = yield* Effect.mapError(
    checkFaults(database, plan.checks, tables, doubtful),
    broken("cannot try the checks")
  )
  const [first, ...others] = [...faults, ...wrong]
  if (first !== undefined) return yield* new Stage.StageError({ ...first, others })
  return staged
})

const countRows = (database: Database.Database, tables: ReadonlyArray<Table.Table>) =>
  Effect.forEach(tables, ({ name }) =>
    Effect.map(Database.numbers(database, `SELECT count(*) FROM ${quote(name)}`), ([n = 0]) => [name, n] as const)
  ).pipe(
    Effect.map((counted): Readonly<Record<string, number>> => Object.fromEntries(counted)),
    Effect.mapError(broken("cannot count the staged rows"))
  )

interface Counted {
  /** The main table is the first. */
  readonly tables: ReadonlyArray<Table.Table>
  readonly counts: Readonly<Record<string, number>>
}

const runChecks = Effect.fnUntraced(function* (
  database: Database.Database,
  plan: Stage.Plan,
  { counts, tables }: Counted,
  facts: Stage.Facts
) {
  const [main] = tables
  const isInLast = (sql: string) =>
    plan.fingerprints === undefined
      ? Effect.succeed(false)
      : Effect.map(Database.numbers(database, sql), ([n = 0]) => n > 0)
  const records = yield* Effect.forEach(plan.checks, (check, at) =>
    Effect.gen(function* () {
      const table = tables.find(({ name }) => name === check.table) ?? main
      if (table === undefined || !Check.looksAtRows(check)) return []
      const last = (yield* isInLast(fingerprints)) ? "last.main.fingerprints" : undefined
      const differing = differs(main === undefined ? [] : plan.fingerprint(main), main, yield* isInLast(readings))
      const subject = { database, table, counts, last, differs: differing }
      return yield* database.retryWithMoreMemory(tryCheck(check, subject, facts))
    }).pipe(Effect.mapError((cause) => broken("the check cannot be run", ["checks", at])(cause)))
  )
  return records.flat()
})

/** How many tables the last run has kept its fingerprints in: none or one. */
const fingerprints = "SELECT count(*) FROM duckdb_tables() WHERE database_name = 'last' AND table_name = 'fingerprints'"

/** How many of its columns say which version has read a row: none or one. */
const readings = `SELECT count(*) FROM duckdb_columns() WHERE database_name = 'last' AND table_name = 'fingerprints'
  AND column_name = '_version'`

const saveFingerprints = (
  database: Database.Database,
  plan: Stage.Plan,
  main: Table.Table | undefined
): Effect.Effect<void, Stage.StageError> => {
  if (plan.fingerprints === undefined || main === undefined) return Effect.void
  const fingerprint = plan.fingerprint(main)
  return database
    .run(
      `CREATE OR REPLACE TABLE last.main.fingerprints AS
        SELECT ${main.key.map(quote).join(", ")}, ${printOf(fingerprint, "t")} AS _print,
          ${versionOf(main)} AS _version, ${printOf(restOf(fingerprint, main), "t")} AS _rest
        FROM ${quote(main.name)} AS t WHERE ${hidden.presence} = 'seen'`
    )
    .pipe(Effect.mapError(broken("cannot keep the fingerprints")), Effect.asVoid)
}

/** The fingerprint of a row: a hash of these columns, in which null differs from any text. */
const printOf = (columns: ReadonlyArray<string>, from: string): string =>
  `md5(to_json([${columns.map((column) => `${from}.${quote(column)}::VARCHAR`).join(", ")}])::VARCHAR)`

/** The version of the reading of a row, as text; null: its table has none. */
const versionOf = (table: Table.Table): string => {
  const reading = readingIn(table, table.columns)
  return reading === undefined ? "NULL::VARCHAR" : `t.${quote(reading.version)}::VARCHAR`
}

/** The columns of a fingerprint that do not depend on the version of the reading. */
const restOf = (fingerprint: ReadonlyArray<string>, table: Table.Table): ReadonlyArray<string> => {
  const read = readingIn(table, table.columns)?.columns ?? []
  return fingerprint.filter((name) => !read.includes(name))
}

/**
 * The condition that a row has changed. If another version has read the row, only columns that do not depend on the reading
 * are compared. Fingerprints of older releases have no version (`knowsReadings` is false): then rows with a version count as
 * unchanged.
 */
const differs = (
  fingerprint: ReadonlyArray<string>,
  table: Table.Table | undefined,
  knowsReadings: boolean
): string => {
  const differ = `${printOf(fingerprint, "t")} <> l._print`
  if (table === undefined || readingIn(table, table.columns) === undefined) return differ
  const version = versionOf(table)
  if (!knowsReadings) return `(${version} IS NULL AND ${differ})`
  const rest = `${printOf(restOf(fingerprint, table), "t")} <> l._rest`
  return `CASE WHEN ${version} IS NOT NULL AND ${version} IS DISTINCT FROM l._version THEN ${rest} ELSE ${differ} END`
}

/** Rows stay in memory until their row group is full: about 80 MB of pages, and 500 MB with DuckDB's default. */
const rowGroupSize = 20_480

const removeStage = async (file: string): Promise<void> => {
  for (const each of [file, `${file}.wal`, `${file}.spill`]) await Fs.rm(each, { recursive: true, force: true })
}

const broken =
  (doing: string, path: Stage.StageError["path"] = []) =>
  (cause: Stage.StageError | Database.DatabaseError): Stage.StageError =>
    cause._tag === "StageError" ? cause : new Stage.StageError({ message: `${doing}: ${cause.message}`, path, cause })

/** Finds the faults of checks before any row is read: unknown tables and columns, wrong types, invalid SQL. */
const checkFaults = Effect.fnUntraced(function* (
  database: Database.Database,
  checks: ReadonlyArray<Check.Check>,
  tables: ReadonlyArray<Table.Table>,
  doubtful: ReadonlySet<string>
) {
  const faults: Array<Stage.Fault> = []
  for (const [at, check] of checks.entries()) {
    const table = check.table === undefined ? tables[0] : tables.find(({ name }) => name === check.table)
    if (table === undefined) {
      const message = `there is no table ${check.table}; a check looks at ${tables.map(({ name }) => name).join(", ")}`
      faults.push({ message, path: ["checks", at, "table"] })
      continue
    }
    const known = table.columns.map(({ name }) => name)
    for (const column of columnsOf(check)) {
      if (known.includes(column) || doubtful.has(column)) continue
      const message = `table ${table.name} has no column ${column}`
      faults.push({ message, path: ["checks", at], ...nearest(column, known) })
    }
    const dated = check.freshness === undefined ? undefined : notDated(table, check.freshness.column)
    if (dated !== undefined && !doubtful.has(dated.name)) {
      const message = `freshness looks at a column of days or of moments, and ${dated.name} of ${table.name} is ${Column.toSql(dated.type)}`
      const hint = `make one in a step: derive: { at: "try_cast(${dated.name} AS TIMESTAMP)" }`
      const isText = dated.type._tag === "VARCHAR"
      faults.push({ message, path: ["checks", at, "freshness", "column"], ...(isText ? { hint } : {}) })
    }
    for (const [name, values] of Object.entries(check.accepted ?? {})) {
      const column = table.columns.find((column) => column.name === name)
      if (column === undefined || doubtful.has(name)) continue
      const odd = yield* notOfType(database, column, values)
      if (odd === undefined) continue
      const message = `accepted: column ${name} of ${table.name} is ${Column.toSql(column.type)}, and cannot be ${JSON.stringify(odd)}`
      faults.push({ message, path: ["checks", at, "accepted", name] })
    }
    if (check.sql === undefined) continue
    const tried = yield* Effect.result(database.values(`SELECT * FROM (${check.sql}\n) LIMIT 0`))
    if (tried._tag === "Success" || names(check.sql, doubtful)) continue
    const issue = fault(["checks", at, "sql"], tried.failure)
    faults.push({ ...issue, message: `the query is not valid: ${issue.message}` })
  }
  return faults
})

/** The first value that a column cannot hold. */
const notOfType = Effect.fnUntraced(function* (
  database: Database.Database,
  { type }: Column.Column,
  values: NonNullable<Check.Check["accepted"]>[string]
) {
  const casts = values.map((value) => `try_cast(${literalOf(value)} AS ${Column.toSql(type)}) IS NULL`)
  const [row = []] = yield* database.values(`SELECT ${casts.join(", ")}`)
  return values.find((_, at) => row[at] === true)
})

/** The column, if it exists and is neither DATE nor TIMESTAMP: the greatest of its texts need not be the newest. */
const notDated = ({ columns }: Table.Table, name: string): Column.Column | undefined =>
  columns.find((column) => column.name === name && column.type._tag !== "DATE" && column.type._tag !== "TIMESTAMP")
