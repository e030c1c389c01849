/** A sink for a SQL database, made of its dialect: `Sink.sql`. The planner (`src/engine/sql`) says what the dispositions are. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Column from "./Column.ts"
import type { SinkError } from "./Commit.ts"
import type { Readers } from "./Readers.ts"
import * as Sink from "./Sink.ts"
import * as SinkWriter from "./SinkWriter.ts"
import { reading } from "./SqlCell.ts"
import type { SqlConnection, SqlDialect } from "./SqlDialect.ts"
import type { SqlPort } from "./SqlPort.ts"
import { differences } from "./sql/differences.ts"
import { queries } from "./sql/queries.ts"
import * as Receipts from "./sql/Receipts.ts"
import * as RowHashes from "./sql/RowHashes.ts"
import * as SqlDatabase from "./sql/SqlDatabase.ts"
import { begin, commit, type SqlSession, write } from "./sql/SqlSession.ts"
import * as SqlStage from "./sql/SqlStage.ts"
import * as TableRegistry from "./sql/TableRegistry.ts"
import type * as Table from "./TableShape.ts"

/** What the author of a SQL sink writes. */
export interface SqlSink<Options, OptionsEncoded> {
  /** The value of `type:` in a pipeline file. */
  readonly type: string
  /** One sentence for `millrace connectors`. */
  readonly description: string
  /** The options beside `type`; add `write: Sink.writeOption`, `removed: Sink.removedOption` and `shared: Sink.sharedOption`. */
  readonly options: Schema.Codec<Options, OptionsEncoded>
  /** How the database spells and stores what the planner says. */
  readonly dialect: SqlDialect
  /** Opens the database for a run. `directory` is the folder that relative paths start from. */
  readonly connect: (options: Options, directory: string) => SqlConnection | Promise<SqlConnection>
  /** Opens the database for reading, and makes nothing; undefined: there is none yet. Default: `connect`. */
  readonly look?: (
    options: Options,
    directory: string
  ) => SqlConnection | undefined | Promise<SqlConnection | undefined>
  /** How other programs open its tables; default: not known. */
  readonly readers?: (options: Options, directory: string) => Readers
  /** Why its place cannot be used; undefined: no fault was found. */
  readonly pathFault?: (options: Options, directory: string) => string | undefined
}

interface CommonOptions {
  readonly write?: Sink.WriteDisposition
  readonly shared?: boolean
  readonly removed?: "keep" | "close"
}

/**
 * A sink for a SQL database, with append, replace, merge and scd2, child tables, columns that come and widen, and receipts of
 * its commits, made of a dialect: how the database spells and stores things, and how it is opened.
 *
 * Rows wait in temporary tables. A commit is one transaction, which compares, changes, inserts and records. The database needs
 * temporary tables, windows (`row_number() OVER`), a column that tells rows apart, and transactions that undo changed tables.
 * Test it with `SinkSuite` of `millrace/testing`.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from "node:sqlite"
 * import * as Schema from "effect/Schema"
 * import { rows, run, Sink } from "millrace"
 *
 * const types = { BIGINT: "INTEGER", BOOLEAN: "INTEGER", DOUBLE: "REAL" } as const
 * const lite = Sink.sql({
 *   type: "lite",
 *   description: "tables of a SQLite file",
 *   options: Schema.Struct({ path: Schema.String, write: Sink.writeOption }),
 *   dialect: {
 *     type: ({ _tag }) => (_tag === "BIGINT" || _tag === "BOOLEAN" || _tag === "DOUBLE" ? types[_tag] : "TEXT"),
 *     store: ({ _tag }) => (_tag === "BOOLEAN" ? (cell) => (cell === true ? 1 : 0) : undefined),
 *     describe: (table) => `SELECT name, type, "notnull" = 0, dflt_value, 'table' FROM pragma_table_info('${table}')`,
 *     rowId: () => "rowid",
 *     temporary: (name) => `temp."${name}"`
 *   },
 *   connect: ({ path }) => {
 *     const database = new DatabaseSync(path)
 *     const asked = (sql: string) => {
 *       const statement = database.prepare(sql)
 *       statement.setReturnArrays(true)
 *       return statement
 *     }
 *     return {
 *       location: path,
 *       run: (sql) => Number(database.prepare(sql).run().changes),
 *       rows: (sql) => asked(sql).all().map(Object.values),
 *       close: () => database.close()
 *     }
 *   }
 * })
 * const db = lite.with({ path: "people.sqlite" })
 * const load = (name: string) => run({ source: rows([{ id: 1, name }], { table: "people", key: "id" }), sinks: { db } })
 * await load("uno")
 * await load("one")
 * const found = new DatabaseSync("people.sqlite").prepare("SELECT id, name FROM people").all()
 * console.log(found.map(({ id, name }) => `${id} ${name}`)) // ["1 one"]
 * ```
 */
export const sql = <Options extends CommonOptions, OptionsEncoded>({
  connect,
  dialect,
  look,
  pathFault,
  readers,
  ...parts
}: SqlSink<Options, OptionsEncoded>): Sink.Sink<Options, never> => {
  const within = { sink: parts.type, dialect }
  return portSink<Options, OptionsEncoded>({
    ...parts,
    open: (options, { directory }) =>
      SqlDatabase.open({ ...within, connect: () => connect(options, directory) }, "cannot open the database"),
    look: (options, directory) =>
      SqlDatabase.openIfThere({
        ...within,
        connect: () => (look === undefined ? connect(options, directory) : look(options, directory))
      }),
    ...(readers === undefined ? {} : { readers }),
    ...(pathFault === undefined
      ? {}
      : { pathFault: (options, directory) => Effect.sync(() => pathFault(options, directory)) })
  })
}

/** A sink of ports: what a connector of this repository writes that opens its database itself (`SqlPort`). */
interface PortSink<Options, OptionsEncoded>
  extends Pick<SqlSink<Options, OptionsEncoded>, "type" | "description" | "options">,
    Pick<Sink.Parts<Options, OptionsEncoded, never>, "readers" | "pathFault" | "queries" | "differences"> {
  /** Opens the database for a run, when it knows that the run may write there. */
  readonly open: (options: Options, plan: Sink.Plan) => Effect.Effect<SqlPort, SinkError, Scope.Scope>
  /** Opens it for reading; undefined: there is none yet. `isLatest`: a copy that may be older will not do. */
  readonly look: (
    options: Options,
    directory: string,
    isLatest?: boolean
  ) => Effect.Effect<SqlPort | undefined, SinkError, Scope.Scope>
}

/**
 * Makes a sink of ports.
 *
 * @internal
 */
export const portSink = <Options extends CommonOptions, OptionsEncoded>({
  look,
  open: openPort,
  ...parts
}: PortSink<Options, OptionsEncoded>): Sink.Sink<Options, never> => {
  const { type: sink } = parts
  const lookAt = <A, R>(
    options: Options,
    directory: string,
    use: (database: SqlDatabase.SqlDatabase) => Effect.Effect<A, SinkError, R>,
    empty: A,
    isLatest = false
  ): Effect.Effect<A, SinkError, R | Scope.Scope> =>
    Effect.flatMap(
      look(options, directory, isLatest),
      (port): Effect.Effect<A, SinkError, R> =>
        port === undefined ? Effect.succeed(empty) : use(SqlDatabase.of(sink, port))
    )
  const looking = <A>(
    options: Options,
    directory: string,
    use: (database: SqlDatabase.SqlDatabase) => Effect.Effect<A, SinkError>,
    empty: A,
    isLatest?: boolean
  ): Effect.Effect<A, SinkError> => Effect.scoped(lookAt(options, directory, use, empty, isLatest))

  const open = Effect.fn(`${sink}.open`)(function* (
    options: Options,
    plan: Sink.Plan
  ): Effect.fn.Return<Sink.Writer, SinkError, Scope.Scope> {
    const database = SqlDatabase.of(sink, yield* openPort(options, plan))
    return yield* writerOf(database, plan, options.removed === "close").pipe(
      SqlDatabase.within(database, `cannot write ${database.location}`)
    )
  })

  const answering: NonNullable<Sink.Parts<Options, OptionsEncoded, never>["queries"]> = (options, directory, request) =>
    Effect.flatMap(
      lookAt(options, directory, (database) => queries(database, request), undefined),
      (found) => (found === undefined ? notYet(sink) : Effect.succeed(found))
    )

  const comparing: NonNullable<Sink.Parts<Options, OptionsEncoded, never>["differences"]> = (options, directory, ask) =>
    Effect.flatMap(
      lookAt(options, directory, (database) => differences(database, ask), undefined),
      (found) => (found === undefined ? notYet(sink) : Effect.succeed(found))
    )

  return Sink.make<Options, OptionsEncoded, never>({
    ...parts,
    queries: parts.queries ?? answering,
    writes: ["append", "replace", "merge", "scd2"],
    defaultWrite: Sink.mergeWhereKeyed,
    runs: (options, directory) => looking(options, directory, Receipts.runs, []),
    ranOnce: (options, directory, key) =>
      looking(options, directory, (database) => Receipts.ranOnce(database, key), Option.none(), true),
    newestRuns: (options, directory, ask) =>
      looking(options, directory, (database) => Receipts.newestRuns(database, ask), []),
    details: (options, directory, runIds) =>
      looking(options, directory, (database) => Receipts.details(database, runIds), []),
    owners: (options, directory) =>
      looking(
        options,
        directory,
        (database) =>
          Effect.map(
            TableRegistry.owners(database),
            (owners): ReadonlyMap<string, string> => new Map(owners.map(({ pipeline, table }) => [table, pipeline]))
          ),
        new Map()
      ),
    compareRows: (options, directory) => looking(options, directory, RowHashes.compare, []),
    rows: (options, directory, table) => looking(options, directory, (database) => rowsOf(database, table), []),
    differences: parts.differences ?? comparing,
    open
  })
}

const notYet = (sink: string) =>
  Effect.fail(SqlDatabase.refused({ sink }, "the database is not there yet: run the pipeline first"))

const writerOf = Effect.fnUntraced(function* (
  database: SqlDatabase.SqlDatabase,
  given: Sink.Plan,
  closesRemoved: boolean
): Effect.fn.Return<Sink.Writer, SinkError> {
  const { commitNumber, resume } = yield* Receipts.position(database, given.pipeline)
  const plan = yield* SqlStage.losslessPlan(database, yield* TableRegistry.named(database, given))
  const session: SqlSession = {
    database,
    plan,
    stages: yield* Effect.forEach(plan.tables, (planned, number) => SqlStage.find(database, planned, plan, number)),
    closesRemoved,
    written: 0,
    commitNumber,
    isFirst: true,
    isBegun: false,
    claimed: new Map()
  }
  yield* begin(session)
  return SinkWriter.make<SqlStage.SqlStage>({
    sink: database.sink,
    stages: session.stages,
    resume,
    columnsBefore: ({ before }) => before,
    storedKeys: (_, keys) =>
      rowsOf(database, keys).pipe(SqlDatabase.within(database, `cannot read the keys of table ${keys.name}`)),
    ...(database.dialect.cellFault === undefined ? {} : { rowError: (stage, row) => stage.rowError(row) }),
    write: (stage, rows) =>
      write(session, stage, rows).pipe(Effect.mapError(SqlStage.inTable(stage, database.location))),
    retainKeys: (stage, keys) =>
      Effect.andThen(
        begin(session),
        stage.write === "replace" || (closesRemoved && stage.write === "scd2")
          ? SqlStage.retainKeys(stage, keys)
          : Effect.void
      ),
    commit: (what) => commit(session, what)
  })
})

/** The rows of a table as a reader sees them. A column that it lacks is null, and one of a type that `Column` lacks is text. */
const rowsOf = Effect.fnUntraced(function* (
  database: SqlDatabase.SqlDatabase,
  table: Table.Table
): Effect.fn.Return<ReadonlyArray<Table.Row>, SinkError> {
  const there = yield* TableRegistry.describe(database, table.name)
  if (there === undefined) return []
  const { dialect, spelling } = database
  const cells = table.columns.map(({ name }) => {
    const own = Column.named(there.columns, name)
    const value = own === undefined ? "NULL" : Column.quote(own.name)
    return own !== undefined && own.type === undefined
      ? { name, value: spelling.text(value), read: (found: unknown) => found ?? null }
      : {
          name,
          value: own?.type === undefined ? value : spelling.selected(value, own.type),
          read: reading(dialect, own?.type ?? { _tag: "VARCHAR" })
        }
  })
  const rowId = there.kind === undefined ? dialect.rowId(there.columns) : undefined
  const all: Array<Table.Row> = []
  yield* database.each(
    `SELECT ${cells.map(({ value }) => value).join(", ")} FROM ${spelling.table(table.name)}${rowId === undefined ? "" : spelling.inOrder(rowId)}`,
    (rows) => {
      for (const row of rows) all.push(Object.fromEntries(cells.map(({ name, read }, at) => [name, read(row[at])])))
      return Effect.void
    }
  )
  return all
})
