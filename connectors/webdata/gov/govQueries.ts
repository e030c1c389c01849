/**
 * The queries of a search: a list, the lines or a column of a file, or the result of SQL.
 *
 * The queries keep their order, each once, trimmed; blank queries are left out. One thread reads them, so the same file
 * or SQL gives the same order again. A database is opened read only.
 */
import { readFile } from "node:fs/promises"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { quote } from "#engine/Column"
import * as Database from "#engine/Duckdb"
import { describe } from "#engine/describeDuckdb"
import * as Location from "#engine/Location"
import * as Source from "#engine/Source"
import { type TemporaryFolderError, temporaryFolder } from "#engine/temporaryFolder"

const kinds = ["queries", "file", "sql"] as const

export const queryOptions = {
  queries: Schema.optionalKey(
    Schema.NonEmptyArray(Schema.String.check(Schema.isPattern(/\S/, { message: "must not be empty" }))).annotate({
      description: "the queries: questions or terms; name jurisdiction, agency, citation and date if you know them"
    })
  ),
  file: Schema.optionalKey(
    Location.path.annotate({
      description: "a file of queries: one per line, or a column of .csv, .tsv, .json, .jsonl, .ndjson or .parquet"
    })
  ),
  sql: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1)).annotate({
      description: "a query of DuckDB whose rows are the queries, over files or over `database`"
    })
  ),
  column: Schema.optionalKey(
    Schema.String.annotate({ description: "the column of `file` or `sql` that holds the queries; default: the first" })
  ),
  database: Schema.optionalKey(
    Location.path.annotate({
      description: "a DuckDB file whose tables `sql` may name; it is opened read only"
    })
  )
}

const Options = Schema.Struct(queryOptions)
export type QueryOptions = typeof Options.Type

/** Options that exclude each other. */
export const oneList = Schema.makeFilter(
  (options: QueryOptions) => {
    const present = kinds.filter((kind) => options[kind] !== undefined)
    if (present.length !== 1) {
      const presence = present.length === 0 ? "none is there" : `${present.join(" and ")} are there`
      return { path: [present[1] ?? "queries"], issue: `needs exactly one of ${kinds.join(", ")}; ${presence}` }
    }
    if (options.column !== undefined && options.queries !== undefined) {
      return { path: ["column"], issue: "belongs to `file` or `sql`; a list has no columns" }
    }
    if (options.database !== undefined && options.sql === undefined) {
      return { path: ["database"], issue: "belongs to `sql`; select the queries in `sql`" }
    }
    return true
  },
  { toJsonSchema: () => ({}) }
)

/** Relative paths start from this folder, those in `sql` too. */
export const govQueries = Effect.fnUntraced(function* (
  options: QueryOptions,
  directory: string
): Effect.fn.Return<ReadonlyArray<string>, Source.SourceError> {
  const texts = options.queries ?? (yield* readFrom(options, directory))
  const queries = new Set(texts.map((query) => query.trim()))
  queries.delete("")
  return [...queries]
})

const readFrom = (options: QueryOptions, directory: string) => {
  const { column, sql = "" } = options
  const [file, stored] = [options.file, options.database].map((path) =>
    path === undefined ? undefined : Path.resolve(directory, path)
  )
  // The line feed keeps a comment at the end of the query from hiding the bracket.
  const table = file === undefined ? `(${sql}\n)` : tableOf(file)
  const reading: Effect.Effect<
    ReadonlyArray<string>,
    Unreadable | Database.DatabaseError | TemporaryFolderError
  > = table === undefined ? linesOf(file ?? "", column) : rowsOf(table, { column, directory, stored })
  return Effect.mapError(reading, (cause) => {
    const what = options.file ?? (options.database === undefined ? "`sql`" : `\`sql\` over ${options.database}`)
    return new Source.SourceError({
      source: "search_gov",
      message: `cannot read the queries of ${what}: ${cause.message}`,
      retryable: false,
      cause
    })
  })
}

class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

const linesOf = (file: string, column: string | undefined) =>
  column === undefined
    ? Effect.tryPromise({
        try: async () => (await readFile(file, "utf8")).replace(/^\uFEFF/, "").split(/\r?\n/),
        catch: (cause) => new Unreadable({ message: cause instanceof Error ? cause.message : String(cause) })
      })
    : Effect.fail(
        new Unreadable({
          message: `lines of text have no column ${column}; columns are those of ${endings.join(", ")}`
        })
      )

interface StoredQueries {
  readonly column: string | undefined
  readonly directory: string
  readonly stored: string | undefined
}

const rowsOf = Effect.fnUntraced(function* (table: string, { column, directory, stored }: StoredQueries) {
  const spill = yield* temporaryFolder("queries")
  const database = yield* Database.open({ threads: 1, memory: "128MB", spill })
  yield* database.run(`SET file_search_path = ${Database.literal(Path.resolve(directory))}`)
  if (stored !== undefined) {
    yield* database.run(`ATTACH ${Database.literal(stored)} AS stored (READ_ONLY)`)
    yield* database.run("USE stored")
  }
  const columns = yield* describe(database, table)
  const chosen = column === undefined ? columns[0] : columns.find(({ name }) => name === column)
  if (chosen === undefined) {
    const there = columns.map(({ name }) => name).join(", ")
    return yield* new Database.DatabaseError({ message: `there is no column ${column}; columns: ${there}` })
  }
  const value = chosen.sql === "JSON" ? `${quote(chosen.name)} ->> '$'` : `${quote(chosen.name)}::VARCHAR`
  return yield* Database.texts(database, `SELECT coalesce(${value}, '') FROM ${table}`)
}, Effect.scoped)

const endings = [".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet"]

/** How DuckDB reads a file, by its extension; undefined: as lines of text. */
const tableOf = (file: string): string | undefined => {
  const path = Database.literal(file)
  switch (Path.extname(file).toLowerCase()) {
    case ".csv":
      return `read_csv(${path}, header = true, all_varchar = true)`
    case ".tsv":
      return `read_csv(${path}, header = true, all_varchar = true, delim = '\\t')`
    case ".json":
    case ".jsonl":
    case ".ndjson":
      return `read_json(${path})`
    case ".parquet":
      return `read_parquet(${path})`
    default:
      return undefined
  }
}
