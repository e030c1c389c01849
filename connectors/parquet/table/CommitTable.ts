/**
 * A table of a commit as the planner sees it: its staged and its stored rows are views of files, and it is asked, not changed.
 * Rows are known by their places.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import * as Queries from "#engine/CommitQueries"
import * as Database from "#engine/Duckdb"
import * as Sink from "#engine/Sink"
import { failure } from "../failure.ts"
import { type Numbered, openSource, type RowChange, viewOf } from "../lake/copyRows.ts"
import type * as LakeSession from "../lake/LakeSession.ts"
import { isIn, place, rowsIn } from "../lake/place.ts"
import * as StagedKeys from "../lake/StagedKeys.ts"
import type * as Stage from "../stage.ts"
import { type Opened, type Rewritten, rewriteFile } from "./rewriteFile.ts"

type Steps = Parameters<typeof Queries.take>[1]

/** The table, whose views are made by `show`. */
export const of = (stage: Stage.Stage): Queries.StagedTable =>
  Queries.tableOf(stage, stage.columns, {
    number: stage.number,
    rowId: place,
    rows: temp(stage, "rows"),
    target: temp(stage, "stored"),
    keys: `(SELECT * EXCLUDE (${Queries.numberColumn}) RENAME (${place} AS ${Queries.numberColumn})
      FROM ${StagedKeys.tableOf(stage.table)})`
  })

/** Keeps only the keys of rows that count, in all tables that have keys. */
export const settle = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stages: ReadonlyArray<Stage.Stage>
) {
  const keyed = Sink.parentsFirst(stages).flatMap((stage) =>
    stage.keys === undefined ? [] : [{ ...stage, keys: stage.keys }]
  )
  for (const { keys, table } of keyed) {
    yield* StagedKeys.ensure(session.database, keys).pipe(Effect.mapError(failure(`table ${table.name}`)))
  }
  const numbered = (stage: Stage.Stage) => ({ ...of(stage), keys: StagedKeys.tableOf(stage.table) })
  for (const stage of keyed) {
    const parent = keyed.find(({ table }) => table.name === stage.table.parent?.table)
    yield* take(session, stage, Queries.duplicateSteps(numbered(stage), parent && numbered(parent)))
  }
})

/** Takes steps of the planner. What reads whole rows gets no more memory than it needs. */
export const take = ({ database }: LakeSession.LakeSession, { table }: Stage.Stage, steps: Steps) => {
  const inTable = Effect.mapError(failure(`table ${table.name}`))
  return Queries.take(
    {
      sink: "parquet",
      run: (sql) => database.run(sql).pipe(inTable),
      rows: (sql) => database.values(sql).pipe(inTable),
      roomFor: (_, reads) => (statements) =>
        reads === "keys" ? database.withRaisedMemoryLimit(statements).pipe(inTable) : statements
    },
    steps
  )
}

/** Makes the views of the staged rows, and of the stored rows of these files. */
export const show = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  files: ReadonlyArray<Numbered>,
  stored: {
    /** The run whose rows do not count, because it is written again. */
    readonly forgotten: string | undefined
    /** The values of columns that a file lacks. */
    readonly absent?: RowChange["absent"]
  }
): Effect.fn.Return<Queries.StagedTable, Sink.SinkError> {
  const table = of(stage)
  const { columns } = stage
  const held = yield* Effect.forEach(stage.held, ([number, { file, path }]) =>
    Effect.map(openSource(session, path, file.partition, columns), (source) => ({ number, source }))
  )
  const among = `${place} IN (SELECT ${place} FROM ${StagedKeys.tableOf(stage.table)})`
  const isOfForgottenRun = isForgotten(stage, stored.forgotten)
  yield* view(
    session,
    stage,
    "rows",
    `SELECT * RENAME (${place} AS ${Queries.numberColumn}) FROM ${rowsOf(stage, held)} WHERE ${among}`
  )
  yield* view(
    session,
    stage,
    "stored",
    `FROM ${rowsOf(stage, files, stored.absent)} AS v WHERE NOT ${isOfForgottenRun}`
  )
  return table
})

/** Makes a view of a stage; it replaces an older one. */
export const view = ({ database }: LakeSession.LakeSession, stage: Stage.Stage, name: string, query: string) =>
  database
    .run(`CREATE OR REPLACE TEMP VIEW ${temp(stage, name)} AS ${query}`)
    .pipe(Effect.mapError(failure(`table ${stage.table.name}`)))

/** The rows of files as the table will have them, each with its place. */
export const rowsOf = (
  { columns }: Stage.Stage,
  files: ReadonlyArray<Numbered>,
  absent?: RowChange["absent"]
): string => {
  if (files.length > 0) return viewOf(files, { columns, ...(absent && { absent }) })
  const none = columns.map(({ name, type }) => `CAST(NULL AS ${Column.toSql(type)}) AS ${Column.quote(name)}`)
  return `(SELECT ${[`0::BIGINT AS ${place}`, ...none].join(", ")} WHERE FALSE)`
}

/** The condition that a row `v` is of the run that is written again. */
export const isForgotten = ({ columns }: Stage.Stage, forgotten: string | undefined): string =>
  forgotten === undefined || Column.named(columns, "_run_id") === undefined
    ? "FALSE"
    : `coalesce(v._run_id = ${Database.literal(forgotten)}, FALSE)`

/** Rewrites the files of which rows go, or get new values. Those of the forgotten run go too. */
export const rewrite = Effect.fnUntraced(function* (
  session: LakeSession.LakeSession,
  stage: Stage.Stage,
  opened: ReadonlyArray<Opened>,
  change: {
    /** The relation of the stored rows that go, with `old`. */
    readonly removed: string
    readonly changed?: RowValues
    readonly forgotten: string | undefined
    readonly rewritten: Rewritten
  }
): Effect.fn.Return<void, Sink.SinkError> {
  const { changed, forgotten, removed, rewritten } = change
  const { database } = session
  const inTable = Effect.mapError(failure(`table ${stage.table.name}`))
  const [gone, values] = [temp(stage, "gone"), temp(stage, "changed")]
  const ofRun = `UNION ALL SELECT ${place} FROM ${rowsOf(stage, opened)} AS v WHERE ${isForgotten(stage, forgotten)}`
  const rows = `SELECT old AS ${place} FROM ${removed} ${forgotten === undefined ? "" : ofRun}`
  for (const [name, query] of [
    [gone, rows] as const,
    ...(changed === undefined ? [] : [[values, changed.query] as const])
  ]) {
    yield* database
      .run(`CREATE OR REPLACE TEMP TABLE ${name} AS ${query}`)
      .pipe(database.withRaisedMemoryLimit, inTable)
  }
  for (const each of opened) {
    const go = rowsIn(each.number, gone)
    const some = yield* database.values(`${go} LIMIT 1`).pipe(inTable)
    const change =
      changed && (yield* changesIn(session, each.number, { ...changed, query: `FROM ${values}` }).pipe(inTable))
    const isChanged = some.length > 0 || (change !== undefined && change.length > 0)
    const all = { ...(some.length > 0 && { go }), ...(change && { change }) }
    yield* rewriteFile(session, stage, each, isChanged ? all : undefined, rewritten)
  }
})

/** Drops the keys of staged rows that are stored already, and returns their number. `which`: a condition on their place. */
export const drop = ({ database }: LakeSession.LakeSession, { table }: Stage.Stage, which: string) =>
  database
    .run(`DELETE FROM ${StagedKeys.tableOf(table)} WHERE ${place} ${which}`)
    .pipe(database.withRaisedMemoryLimit, Effect.mapError(failure(`table ${table.name}`)))

/** New values of rows: a query of their places and of these columns. */
export interface RowValues {
  readonly query: string
  readonly columns: ReadonlyArray<Column.Column>
}

/** The changes of the rows of a file: one for each set of values. */
export const changesIn = Effect.fnUntraced(function* (
  { database }: LakeSession.LakeSession,
  file: number,
  { columns, query }: RowValues
) {
  if (columns.length === 0) return []
  const own = `FROM (${query}) WHERE ${isIn(file)}`
  const sets = yield* database.query(
    `SELECT DISTINCT ${columns.map(({ name }) => Column.quote(name)).join(", ")} ${own}`,
    columns
  )
  return sets.map((set): NonNullable<RowChange["change"]>[number] => {
    const values = Object.fromEntries(columns.map(({ name, type }) => [name, literalOf(set[name], type)]))
    const are = columns.map(({ name }) => `${Column.quote(name)} IS NOT DISTINCT FROM ${values[name]}`)
    return { rows: `SELECT row FROM (${rowsIn(file, `(FROM (${query}) WHERE ${are.join(" AND ")})`)})`, values }
  })
})

/**
 * What the staged rows keep of the stored ones that another version of their reader reads again; undefined: rows have no version.
 * `from`: the pairs of these rows. `parent`: whose versions they have.
 */
export const rereadValues = (
  table: Queries.StagedTable,
  isHistory: boolean,
  from: string,
  parent = table
): RowValues | undefined => {
  if (Queries.rereadOf(parent, isHistory) === undefined) return undefined
  const hasRun = Column.named(table.columns, "_run_id") !== undefined
  const [run, since]: ReadonlyArray<Column.Column> = [
    { name: "_run_id", type: { _tag: "VARCHAR" }, nullable: true },
    { name: "valid_from", type: { _tag: "TIMESTAMP" }, nullable: true }
  ]
  const values = [
    `new AS ${place}`,
    ...(hasRun ? ["run AS _run_id"] : []),
    ...(isHistory ? ["since AS valid_from"] : [])
  ]
  return {
    query: `SELECT ${values.join(", ")} FROM ${from}`,
    columns: [...(hasRun && run ? [run] : []), ...(isHistory && since ? [since] : [])]
  }
}

const literalOf = (cell: unknown, { _tag }: Column.ColumnType): string => {
  if (cell === null || cell === undefined) return "NULL"
  return _tag === "TIMESTAMP"
    ? `make_timestamp(${String(cell)}::BIGINT)`
    : _tag === "VARCHAR"
      ? Database.literal(String(cell))
      : String(cell)
}

/** A temporary table of a stage. */
export const temp = ({ table }: Pick<Stage.Stage, "table">, name: string): string =>
  `temp.main.${Column.quote(`${table.name} ${name}`)}`
