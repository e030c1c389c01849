/**
 * Answers SQL on the tables of a schema, in Postgres.
 *
 * Guarantee: a query reads these tables and nothing else. It becomes a temporary view, and the catalog says what that view reads
 * and calls (`faultOf`). Then the transaction is made read-only, and the result is read from that view, so that
 * exactly the checked query runs. Nothing stays afterwards.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import type * as Queries from "#engine/Queries"
import type * as Sink from "#engine/Sink"
import { temporaryFolder } from "#engine/temporaryFolder"
import { typeOf } from "./columnSql.ts"
import * as DatabaseLocation from "./DatabaseLocation.ts"
import { failure, type ServerError } from "./failure.ts"
import type { Options } from "./options.ts"
import * as Connection from "./server/Connection.ts"
import { streamRows } from "./streamRows.ts"

export const queries = Effect.fn("postgres.queries")(function* (
  options: Options,
  _directory: string,
  { asOf, file }: Queries.QueryRequest
): Effect.fn.Return<Queries.Queries, Sink.SinkError, Scope.Scope> {
  const place = DatabaseLocation.of(options)
  const fault = DatabaseLocation.faultOf(place)
  if (fault !== undefined) return yield* failure(fault)()
  if (asOf !== undefined) {
    const why = "a database keeps its tables as they are now"
    return yield* failure(
      `${why}: ask without --as-of, ask a history (write: scd2) by valid_from and valid_to, or ask a lake`
    )()
  }
  const connection = yield* Connection.open(place).pipe(Effect.mapError(failure(`cannot read ${place.location}`)))
  const within = Effect.mapError(failure("the query failed"))
  const ask = (sql: string): Effect.Effect<Queries.QueryResult, Sink.SinkError> =>
    Effect.map(within(begin(connection, place, sql)), ({ columns, query }) => ({
      columns,
      rows: Stream.mapError(streamRows(connection, query, columns), failure("the query failed"))
    }))
  return {
    ask,
    toParquet: (sql) => Effect.flatMap(ask(sql), (answer) => writeParquet(answer, file ?? ""))
  }
})

/** Opens the transaction of a query, checks it, and returns the final query and its columns. */
const begin = Effect.fnUntraced(function* (
  connection: Connection.Connection,
  place: DatabaseLocation.DatabaseLocation,
  sql: string
): Effect.fn.Return<
  { readonly columns: ReadonlyArray<Column.Column>; readonly query: string },
  ServerError | Sink.SinkError
> {
  yield* connection.run("ROLLBACK")
  yield* connection.run(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${Connection.transactionSettings}`)
  yield* connection.run("SET LOCAL statement_timeout = '5min'")
  yield* connection.run(`SET LOCAL search_path = ${DatabaseLocation.schemaOf(place)}, pg_catalog`)
  const { isOurs, text } = spelled(place, sql)
  // In the extended protocol, the server accepts only one statement.
  yield* connection.answer(`CREATE TEMPORARY VIEW ${view} AS\n${text}`)
  const fault = isOurs ? undefined : yield* faultOf(connection, place, view)
  if (fault !== undefined) return yield* failure(fault)()
  const described = yield* connection.rows(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS sql FROM pg_attribute AS a
      WHERE a.attrelid = $1::regclass AND a.attnum > 0 ORDER BY a.attnum`,
    [view]
  )
  yield* connection.run("SET TRANSACTION READ ONLY")
  const columns = described.map((row) => columnOf(row["name"] ?? "", row["sql"] ?? ""))
  return {
    columns: columns.map(({ name, type }) => ({ name, type, nullable: true })),
    query: `SELECT ${columns.map(({ value }) => value).join(", ")} FROM ${view}`
  }
})

const view = "pg_temp._millrace_question"

/** A column of the result. Types that `Column` does not have become text. */
const columnOf = (name: string, sql: string) => {
  const quoted = Column.quote(name)
  const known = typeOf(sql)
  if (known !== undefined) return { name, type: known, value: quoted }
  const type: Column.ColumnType = /^(?:integer|smallint|oid)$/.test(sql)
    ? { _tag: "BIGINT" }
    : sql === "real"
      ? { _tag: "DOUBLE" }
      : { _tag: "VARCHAR" }
  return { name, type, value: `${quoted}::text AS ${quoted}` }
}

/** Rewrites queries of `millrace sql` that Postgres does not have, such as FROM and SHOW TABLES. */
interface Spelled {
  readonly text: string
  /** Whether Millrace wrote the query about the schema, with only a quoted name from the user. */
  readonly isOurs: boolean
}

/** FROM t is SELECT * FROM t; SHOW TABLES and DESCRIBE t ask the catalog. */
const spelled = ({ schema }: Pick<DatabaseLocation.DatabaseLocation, "schema">, sql: string): Spelled => {
  const text = sql.trim().replace(/;+\s*$/, "")
  if (/^show\s+tables$/i.test(text)) {
    return {
      isOurs: true,
      text: `SELECT c.relname AS name FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = ${DatabaseLocation.literal(schema)} AND c.relkind IN ('r', 'p', 'v', 'm') ORDER BY c.relname`
    }
  }
  const [, table] = /^desc(?:ribe)?\s+("(?:[^"]|"")+"|[A-Za-z_][\w$]*)$/i.exec(text) ?? []
  if (table !== undefined) {
    const name = table.startsWith('"') ? table.slice(1, -1).replaceAll('""', '"') : table.toLowerCase()
    return {
      isOurs: true,
      text: `SELECT a.attname AS column_name, pg_catalog.format_type(a.atttypid, a.atttypmod) AS column_type,
          CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END AS "null", pg_catalog.col_description(c.oid, a.attnum) AS comment
        FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
        JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = ${DatabaseLocation.literal(schema)} AND c.relname = ${DatabaseLocation.literal(name)} AND a.attnum > 0
          AND NOT a.attisdropped ORDER BY a.attnum`
    }
  }
  return { isOurs: false, text: /^from\b/i.test(text) ? `SELECT * ${text}` : text }
}

/** Writes a result as a Parquet file, by a DuckDB in memory, which spills beside the file. */
const writeParquet = ({ columns, rows }: Queries.QueryResult, file: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const folder = yield* temporaryFolder("sql")
      const database = yield* Database.open({ threads: 1, memory: "512MB", spill: Path.join(folder, "spill") })
      const types = columns.map(({ name, type }) => `${Column.quote(name)} ${Column.toSql(type)}`)
      yield* database.run(`CREATE TABLE answer (${types.join(", ")})`)
      const feed = yield* database.feed(columns)
      yield* Stream.runForEach(rows, (some) => {
        feed.load(some)
        return database.run(`INSERT INTO answer FROM ${feed.call}`)
      })
      yield* database.run(`COPY answer TO ${Database.literal(file)} (FORMAT parquet, COMPRESSION zstd)`)
    })
  ).pipe(Effect.mapError(failure(`cannot write ${file}`)))

/**
 * Why a query may not be asked, by the view that Postgres made of it; undefined: it may.
 *
 * It may read only tables of the schema, and call functions of Postgres that only compute. The user of the URL may be a superuser,
 * for whom functions can read files and start programs, so rights of the user do not protect: everything that is not known to be
 * harmless is refused. Views are checked too, because they read what their owner may read; so are inherited tables.
 */
const faultOf = Effect.fnUntraced(function* (
  connection: Connection.Connection,
  { schema }: Pick<DatabaseLocation.DatabaseLocation, "schema">,
  view: string
): Effect.fn.Return<string | undefined, ServerError> {
  const [first] = yield* connection.rows("SELECT $1::regclass::oid AS oid", [view])
  const waiting = [first?.["oid"] ?? ""]
  const seen = new Set(waiting)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const rules = yield* connection.rows("SELECT ev_action::text AS action FROM pg_rewrite WHERE ev_class = $1::oid", [
      next
    ])
    const tree = rows(rules)
    const foreign = yield* strange(connection, tree)
    if (foreign !== undefined)
      return `a query may not call ${foreign}: it computes, and reads the tables of this schema`
    const relations = yield* connection.rows(
      `WITH RECURSIVE reached AS (
          SELECT unnest($1::oid[]) AS oid UNION SELECT i.inhrelid FROM pg_inherits AS i JOIN reached ON i.inhparent = reached.oid
        ) SELECT c.oid, c.relname AS name, n.nspname AS schema, c.relkind AS kind FROM reached
          JOIN pg_class AS c ON c.oid = reached.oid JOIN pg_namespace AS n ON n.oid = c.relnamespace`,
      [numbersAfter(tree, ["relid"])]
    )
    for (const relation of relations) {
      const [oid, kind] = [relation["oid"] ?? "", relation["kind"] ?? ""]
      if (seen.has(oid)) continue
      seen.add(oid)
      if (relation["schema"] !== schema || !["r", "p", "v", "m"].includes(kind)) {
        return `a query may not read ${relation["schema"]}.${relation["name"]}: it reads the tables of schema ${schema} only`
      }
      if (kind === "v") waiting.push(oid)
    }
  }
  return undefined
})

const rows = (rules: ReadonlyArray<Readonly<Record<string, string | null>>>): string =>
  rules.map((row) => row["action"] ?? "").join("\n")

/** The numbers after these words in a parse tree: `:funcid 1299`. Texts of the user are byte numbers there, not words. */
const numbersAfter = (tree: string, words: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([...tree.matchAll(new RegExp(`:(?:${words.join("|")}) (\\d+)`, "g"))].map(([, number = "0"]) => number))
]

/** A function in the tree that is not known to be harmless; undefined: there is none. */
const strange = Effect.fnUntraced(function* (connection: Connection.Connection, tree: string) {
  const [found] = yield* connection.rows(
    `SELECT n.nspname || '.' || p.proname AS name FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
      WHERE (p.oid = ANY($1::oid[]) OR p.oid IN (SELECT o.oprcode FROM pg_operator AS o WHERE o.oid = ANY($2::oid[])))
        AND (n.nspname <> 'pg_catalog' OR p.oid >= 16384 OR p.prosecdef
          OR (p.provolatile = 'v' AND NOT p.proname = ANY($3::text[]))
          OR (p.proname ~ $4 AND p.proname <> 'pg_typeof'))
      UNION SELECT n.nspname || '.' || t.typname FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace
        WHERE t.oid = ANY($5::oid[]) AND t.typtype = 'd' ORDER BY 1 LIMIT 1`,
    [
      numbersAfter(tree, ["funcid", "opfuncid", "aggfnoid", "winfnoid", "tsmhandler"]),
      numbersAfter(tree, ["opno"]),
      harmless,
      reaching,
      // A cast to a domain calls the functions in its checks.
      numbersAfter(tree, ["resulttype"])
    ]
  )
  return found?.["name"]?.replace("pg_catalog.", "")
})

/** Volatile functions without side effects. */
const harmless = ["random", "clock_timestamp", "gen_random_uuid", "timeofday"]

/** Functions that read the server, its settings, or tables by name, although Postgres marks them as stable. */
const reaching =
  "^(?:pg_|lo_|binary_upgrade_|.*_to_xml|has_|row_security|current_setting|getdatabaseencoding|inet_|ts_stat|ts_rewrite|dblink|obj_description|col_description|shobj_description|txid_|currval|lastval|nextval)"
