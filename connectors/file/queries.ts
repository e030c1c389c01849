/**
 * Answers SQL on the tables of a folder. DuckDB reads the files with the column types in `_millrace.json`; nothing is guessed
 * from the contents of a file.
 *
 * Guarantee: a query sees one commit, whatever is written meanwhile.
 */
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as SpreadsheetText from "#base/SpreadsheetText"
import * as Column from "#engine/Column"
import { quote, toSql } from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import * as Database from "#engine/Duckdb"
import { queries as queriesOf } from "#engine/duckdbQueries"
import type * as Queries from "#engine/Queries"
import type * as Sink from "#engine/Sink"
import { temporaryFolder } from "#engine/temporaryFolder"
import { attempt, failure } from "./failure.ts"
import { rootOf } from "./folder/openFolder.ts"
import { columnsOf, type TableState } from "./folder/State.ts"
import * as Versions from "./folder/Versions.ts"
import { hasShownTexts } from "./format/Format.ts"
import type { Options } from "./options.ts"
import { rowsFrom } from "./table/tableFile.ts"

export const queries = Effect.fn("file.queries")(function* (
  options: Options,
  directory: string,
  { asOf, file: out }: Queries.QueryRequest
): Effect.fn.Return<Queries.Queries, Sink.SinkError, Scope.Scope> {
  const root = rootOf(options, directory)
  const found = yield* attempt(`cannot read ${root}`, () =>
    asOf === undefined ? Versions.read(root) : Versions.readRun(root, asOf.runId)
  )
  if (found === undefined) {
    return yield* failure(
      asOf === undefined
        ? `${root} has no tables yet: run the pipeline first`
        : `${root} does not have run ${asOf.runId} any more: it keeps the last two commits; a lake (type: parquet) keeps more`
    )()
  }
  const within = Effect.mapError(failure(`cannot read ${root}`))
  // The folder to which DuckDB spills.
  const spill = yield* within(temporaryFolder("sql"))
  const database = yield* within(Database.open({ threads: 2, memory: "1GB", spill }))
  const files: Array<string> = []
  for (const [name, state] of Object.entries(found.state.tables)) {
    const file = Path.join(found.folder, state.file)
    const select = selectFile(state, file)
    if (select === undefined) yield* copied(database, name, { state, file })
    else {
      files.push(file)
      yield* within(database.run(`CREATE VIEW ${Column.quote(name)} AS ${select}`))
    }
  }
  return yield* queriesOf(database, { files, out }, failure)
})

/** Copies a table of a format that DuckDB does not read. */
const copied = Effect.fnUntraced(function* (
  database: Database.Database,
  name: string,
  from: { readonly state: TableState; readonly file: string }
) {
  const within = Effect.mapError(failure(`cannot read table ${name}`))
  const columns = columnsOf(from.state)
  const defined = columns.map((column) => `${Column.quote(column.name)} ${Column.toSql(column.type)}`)
  yield* within(database.run(`CREATE TABLE ${Column.quote(name)} (${defined.join(", ")})`))
  const feed = yield* within(database.feed(columns))
  const chunks = rowsFrom(from, 0)
  for (;;) {
    const next = yield* attempt(`cannot read table ${name}`, () => chunks.next())
    if (next.done === true) return
    feed.load(next.value)
    yield* within(database.run(`INSERT INTO ${Column.quote(name)} FROM ${feed.call}`))
  }
})

/**
 * The query of DuckDB for the file of a table, with the columns and types of the state; undefined: DuckDB does not read the
 * format. A column of a type that this version does not know is read as JSON or text.
 */
const selectFile = (
  { bytes, columns: stored, kind }: Pick<TableState, "bytes" | "columns" | "kind">,
  path: string
): string | undefined => {
  const file = Database.literal(path)
  const columns = stored.map(({ name, type: text }) => {
    const type = columnFromSql(text)
    return { name, tag: type?._tag, sql: type === undefined ? undefined : toSql(type) }
  })
  switch (kind.format) {
    case "parquet": {
      const cells = columns.map(({ name, sql }) => cast(quote(name), name, sql))
      return `SELECT ${cells.join(", ")} FROM read_parquet(${file}, hive_partitioning = false)`
    }
    case "jsonl":
      return `SELECT ${columns
        .map(({ name, sql, tag }) => (tag === "TIMESTAMP" ? cast(moment(name), name, sql) : quote(name)))
        .join(", ")} FROM read_json(${file}, ${argumentsSql({
        format: "'newline_delimited'",
        maximum_object_size: longest(bytes, 16_777_216),
        columns: structOf(columns.map(({ name, sql = "JSON", tag }) => [name, tag === "TIMESTAMP" ? "VARCHAR" : sql]))
      })})`
    case "csv": {
      // Nested values are JSON in the file.
      const textOf = (name: string, tag: string | undefined) => {
        if (tag === "STRUCT" || tag === "LIST") return `${quote(name)}::JSON`
        if (tag === "VARCHAR" && hasShownTexts(kind)) return SpreadsheetText.originalSql(quote(name))
        return tag === "TIMESTAMP" ? moment(name) : quote(name)
      }
      const cells = columns.map(({ name, sql, tag }) => cast(textOf(name, tag), name, sql))
      return `SELECT ${cells.join(", ")} FROM read_csv(${file}, ${argumentsSql({
        auto_detect: false,
        header: kind.header,
        delim: Database.literal(kind.delimiter),
        quote: `'"'`,
        escape: `'"'`,
        new_line: `'\\n'`,
        // Null is nothing, and an empty text is "".
        nullstr: "''",
        allow_quoted_nulls: false,
        max_line_size: longest(bytes, 2_097_152),
        // DuckDB's default is sixteen times the longest row.
        buffer_size: longest(bytes, 33_554_432),
        columns: structOf(columns.map(({ name }) => [name, "VARCHAR"]))
      })})`
    }
    case "arrow":
      return undefined
  }
}

const cast = (value: string, name: string, type: string | undefined): string =>
  type === undefined ? quote(name) : `CAST(${value} AS ${type}) AS ${quote(name)}`

/** The text of a moment without the plus before a year of more than four digits, which DuckDB cannot read. */
const moment = (name: string): string => `ltrim(${quote(name)}, '+')`

const argumentsSql = (options: Readonly<Record<string, string | number | boolean>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ")

const structOf = (columns: ReadonlyArray<readonly [name: string, type: string]>): string =>
  `{${columns.map(([name, type]) => `${Database.literal(name)}: ${Database.literal(type)}`).join(", ")}}`

/** The maximum length of a row, for DuckDB, which reserves as much memory. No row is longer than its file. */
const longest = (bytes: number, usual: number): number => Math.min(mostBytes, Math.max(usual, bytes))
const mostBytes = 100_000_000
