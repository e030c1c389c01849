/** The Postgres sink: the planner, with the dialect of Postgres, COPY, and a session that is known to be able to write. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import type * as Sink from "#engine/Sink"
import type { KeyedTable, KeyIndex, SqlPort, Staging, StagingTable } from "#engine/SqlPort"
import { narrowKey } from "#engine/StoredTable"
import { portSink } from "#engine/sqlSink"
import { functions } from "./cast.ts"
import * as CopyBuffer from "./copy/CopyBuffer.ts"
import * as DatabaseLocation from "./DatabaseLocation.ts"
import { dialectIn, isLong } from "./dialect.ts"
import { bare, failure, type ServerError } from "./failure.ts"
import { Options } from "./options.ts"
import { queries } from "./queries.ts"
import * as Connection from "./server/Connection.ts"
import * as WriterLock from "./server/WriterLock.ts"
import { streamTexts } from "./streamRows.ts"

/** Opens the database for a run: the user has the rights that a commit needs, and is the only writer of the schema. */
const open = Effect.fnUntraced(function* (
  options: Options,
  plan: Sink.Plan
): Effect.fn.Return<SqlPort, Sink.SinkError, Scope.Scope> {
  const place = yield* placeOf(options)
  return yield* Effect.gen(function* () {
    const connection = yield* Connection.open(place)
    yield* WriterLock.checkServer(connection, place)
    yield* checkPrivileges(connection, place, plan)
    const taken = yield* WriterLock.takeSession(connection, place)
    yield* WriterLock.acquire(connection, place)
    yield* connection.run([moreMemory, ...functions].join(";\n"))
    return {
      ...portOf(connection, place, taken.token, bare),
      staging: (table) => Effect.sync(() => copying(connection, table)),
      transaction: {
        begin: Effect.mapError(begin(connection, place, taken), bare),
        commit: Effect.mapError(connection.commit, bare),
        // The end of the session undoes it, also where the server is silent.
        rollback: Effect.void
      },
      keyIndex: keyIndex(connection, place)
    } satisfies SqlPort
  }).pipe(Effect.mapError(failure(`cannot write ${place.location}`)))
})

/** Queries with many keys are quadratic where their hashes do not fit. */
const moreMemory =
  "SELECT set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')) / 1024, 65536) || 'kB', false)"

/** Opens it for reading, in one transaction, so that everything is read as of one moment. */
const look = Effect.fnUntraced(function* (options: Options): Effect.fn.Return<SqlPort, Sink.SinkError, Scope.Scope> {
  const place = yield* placeOf(options)
  const failed = failure(`cannot read ${place.location}`)
  const connection = yield* Effect.mapError(Connection.open(place), failed)
  yield* Effect.mapError(
    connection.run(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${Connection.transactionSettings}`),
    failed
  )
  return {
    ...portOf(connection, place, "", failed),
    each: (sql, use) => Stream.runForEach(Stream.mapError(streamTexts(connection, sql), failed), use)
  }
})

const placeOf = (options: Options) => {
  const place = DatabaseLocation.of(options)
  const fault = DatabaseLocation.faultOf(place)
  return fault === undefined ? Effect.succeed(place) : Effect.fail(failure(fault)())
}

const portOf = (
  connection: Connection.Connection,
  place: DatabaseLocation.DatabaseLocation,
  token: string,
  failed: (error: ServerError) => Sink.SinkError
): SqlPort => ({
  dialect: dialectIn(place, token),
  location: place.location,
  run: (sql) => Effect.mapError(connection.run(sql), failed),
  rows: (sql) => Effect.mapBoth(connection.answer(sql), { onFailure: failed, onSuccess: ({ rows }) => rows })
})

const begin = Effect.fnUntraced(function* (
  connection: Connection.Connection,
  place: DatabaseLocation.DatabaseLocation,
  taken: WriterLock.Session
): Effect.fn.Return<void, ServerError | Sink.SinkError> {
  yield* connection.run("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
  yield* WriterLock.checkSession(connection, taken)
  const [there] = yield* connection.rows("SELECT 1 AS one FROM pg_namespace WHERE nspname = $1", [place.schema])
  // A user without the right to create schemas may still write into an existing one.
  if (there === undefined) yield* connection.run(`CREATE SCHEMA IF NOT EXISTS ${DatabaseLocation.schemaOf(place)}`)
})

/** Rows are copied when they have this many bytes. Larger pieces are not faster, and need more memory. */
const pieceBytes = 4_000_000

/** Copies rows into a temporary table, in pieces of some megabytes. */
const copying = (connection: Connection.Connection, table: StagingTable): Staging => {
  const buffer = CopyBuffer.of(table)
  const names = [
    ...(table.number === undefined ? [] : [table.number]),
    ...table.columns.map(({ name }) => Column.quote(name))
  ].join(", ")
  const copy = `COPY ${table.into} (${names}) FROM STDIN (FORMAT binary)`
  const flush = Effect.suspend(() =>
    buffer.rows === 0 ? Effect.void : Effect.mapError(connection.copy(copy, buffer.take()), bare)
  )
  return {
    flush,
    add: Effect.fnUntraced(function* (rows, first) {
      for (let at = 0; at < rows.length; ) {
        const from = at
        at = yield* Effect.try({
          try: () => addUntilFull(buffer, rows, from, first),
          catch: failure(`table ${table.table}`)
        })
        if (buffer.bytes >= pieceBytes) yield* flush
      }
    })
  }
}

/** Adds rows until the buffer is full, and returns the position of the first row that was not added. */
const addUntilFull = (
  buffer: CopyBuffer.CopyBuffer,
  rows: Parameters<Staging["add"]>[0],
  from: number,
  first: number
): number => {
  let at = from
  for (; at < rows.length && buffer.bytes < pieceBytes; at++) {
    const row = rows[at]
    if (row !== undefined) buffer.add(row, first + at)
  }
  return at
}

/**
 * The sink of `type: postgres`: rows into tables of a Postgres database, by COPY. A commit is one transaction.
 *
 * @example
 * ```ts
 * import * as Redacted from "effect/Redacted"
 * import { rows, run } from "millrace"
 * import { postgres } from "millrace/connectors/postgres"
 *
 * const url = Redacted.make("postgres://localhost/warehouse")
 * await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { db: postgres.with({ url, schema: "web" }) } })
 * ```
 */
export const postgres = portSink<Options, typeof Options.Encoded>({
  type: "postgres",
  description: "tables of a Postgres database, each commit one transaction",
  options: Options,
  open,
  look,
  queries,
  readers: ({ schema = "public", url }) => ({ _tag: "Postgres", url: DatabaseLocation.withoutPassword(url), schema })
})

/**
 * The index of the key of a merged table, `NAME_millrace_key`: it keeps keys unique for other writers too, and makes small
 * merges into large tables fast.
 *
 * It is made with the table, and removed when the table is no longer merged. An index of Postgres cannot hold a key of more
 * than about 2,700 bytes, and a URL may be longer: then the index is removed too, and rows are merged without it. If the table
 * becomes shared, the index is made again, because the key then has one more column.
 */
const keyIndex = (connection: Connection.Connection, place: DatabaseLocation.DatabaseLocation): KeyIndex => {
  /** The tables whose index was removed in this commit for another key. */
  const others = new Set<string>()
  const loosen = Effect.fnUntraced(function* (keyed: KeyedTable): Effect.fn.Return<void, ServerError> {
    const name = nameOf(keyed)
    others.delete(name)
    if (isLong(name)) return
    const there = yield* indexed(connection, place, name)
    if (there.length === 0 || (isEqual(there, keyed.key) && (yield* isWanted(connection, keyed)))) return
    yield* connection.run(`DROP INDEX ${DatabaseLocation.named(place, name)}`)
    others.add(name)
  })
  const hold = Effect.fnUntraced(function* (keyed: KeyedTable) {
    const name = nameOf(keyed)
    if (isLong(name) || !(keyed.isNew || others.has(name)) || !(yield* isWanted(connection, keyed))) return
    const [columns, target] = [keyed.key.map(Column.quote).join(", "), DatabaseLocation.named(place, keyed.table.name)]
    // The rows of a new table have been merged by this key.
    const twice = keyed.isNew
      ? []
      : yield* connection.rows(`SELECT 1 AS one FROM ${target} GROUP BY ${columns} HAVING count(*) > 1 LIMIT 1`)
    if (twice.length > 0) return yield* failure(narrowKey(keyed.table))()
    yield* connection.run(`CREATE UNIQUE INDEX ${Column.quote(name)} ON ${target} (${columns})`)
  })
  return {
    loosen: (keyed) => Effect.mapError(loosen(keyed), bare),
    hold: (keyed) => Effect.mapError(hold(keyed), bare)
  }
}

const nameOf = ({ table }: KeyedTable): string => `${table.name}_millrace_key`
const isEqual = (one: ReadonlyArray<string>, other: ReadonlyArray<string>) => one.join("\n") === other.join("\n")

/** The columns of an index in order; an empty list if there is no such index. */
const indexed = (connection: Connection.Connection, { schema }: DatabaseLocation.DatabaseLocation, name: string) =>
  Effect.map(
    connection.rows(
      `SELECT a.attname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'i' ORDER BY a.attnum`,
      [schema, name]
    ),
    (rows) => rows.map((row) => row["name"] ?? "")
  )

/** Whether the table is merged, by keys which an index can hold. */
const isWanted = (connection: Connection.Connection, { key, staged, write }: KeyedTable) =>
  write !== "merge" || key.length === 0
    ? Effect.succeed(false)
    : Effect.map(
        connection.rows(
          `SELECT 1 AS one FROM ${staged}
            WHERE ${key.map((name) => `octet_length(${Column.quote(name)}::text)`).join(" + ")} > ${mostBytes} LIMIT 1`
        ),
        (rows) => rows.length === 0
      )

/** The maximum size of a key, with room for the overhead of an index entry. */
const mostBytes = 2500

/**
 * Checks, before the source is read, that the user of a connection has the rights that every commit needs.
 *
 * Rights that only a change of columns needs are not checked here.
 */
const checkPrivileges = Effect.fnUntraced(function* (
  connection: Connection.Connection,
  { schema }: DatabaseLocation.DatabaseLocation,
  { tables }: Sink.Plan
) {
  const [place = {}] = yield* connection.rows(
    `SELECT current_user AS name, current_database() AS database, n.oid IS NOT NULL AS is_there,
        has_database_privilege(current_database(), 'CREATE') AS makes_schemas,
        has_schema_privilege(n.oid, 'USAGE') AS enters, has_schema_privilege(n.oid, 'CREATE') AS makes_tables
      FROM (SELECT 1) AS one LEFT JOIN pg_namespace AS n ON n.nspname = $1`,
    [schema]
  )
  const user = Column.quote(place["name"] ?? "")
  const [inSchema, inDatabase] = [Column.quote(schema), Column.quote(place["database"] ?? "")]
  if (place["is_there"] !== "t") {
    if (place["makes_schemas"] === "t") return
    return yield* failure(
      `there is no schema ${inSchema}, and user ${user} may not make one; as the owner of the database: CREATE SCHEMA ${inSchema} AUTHORIZATION ${user}`
    )()
  }
  const names = [...tables.map(({ table }) => table.name), ...ownTables]
  const there = yield* connection.rows(
    `SELECT c.relname AS name, bool_and(has_table_privilege(c.oid, needed)) AS may
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed
      WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname IN (${names.map(DatabaseLocation.literal).join(", ")}) GROUP BY 1`,
    [schema]
  )
  if (place["enters"] !== "t" || (place["makes_tables"] !== "t" && there.length < names.length)) {
    return yield* failure(
      `user ${user} may not make tables in the schema ${inSchema} of ${inDatabase}; as its owner: GRANT USAGE, CREATE ON SCHEMA ${inSchema} TO ${user}`
    )()
  }
  const closed = there.filter(({ may }) => may !== "t").map(({ name }) => `${inSchema}.${Column.quote(name ?? "")}`)
  if (closed.length > 0) {
    return yield* failure(
      `user ${user} may not change ${closed.join(", ")}; as the owner: GRANT SELECT, INSERT, UPDATE, DELETE ON ${closed.join(", ")} TO ${user}`
    )()
  }
})

/** The sink's own tables, which each commit writes. */
const ownTables = ["state", "runs", "loads", "checks", "profiles", "tables"].map((name) => `_millrace_${name}`)
