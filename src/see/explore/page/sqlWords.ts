/** The words of a database's SQL, as it lists them itself: for completion and for highlighting. */
import type { CellValue, TablesAnswer } from "../ExploreApi.ts"
import type { Answers } from "./Answers.ts"

export interface SqlWords {
  readonly keywords: ReadonlyArray<string>
  /** Those that are no names of columns without quotes. */
  readonly reserved: ReadonlySet<string>
  readonly types: ReadonlyArray<string>
  readonly functions: ReadonlyArray<{
    readonly name: string
    readonly parameters: string
    readonly description: string
  }>
}

/** Undefined: the database does not say them. */
export const sqlWords = async (
  answers: Answers,
  dialect: TablesAnswer["dialect"],
  signal: AbortSignal
): Promise<SqlWords | undefined> => {
  if (dialect === "Postgres") return undefined
  const { rows } = await answers.sql(query, signal)
  const of = (kind: string) => rows.filter((row) => row[0] === kind)
  const keywords = of("keyword")
  return {
    keywords: keywords.map(([, name]) => text(name)),
    reserved: new Set(keywords.flatMap(([, name, category]) => (category === "reserved" ? [text(name)] : []))),
    types: of("type").map(([, name]) => text(name)),
    functions: of("function").map(([, name, parameters, description]) => ({
      name: text(name),
      parameters: text(parameters),
      description: text(description)
    }))
  }
}

const text = (cell: CellValue | undefined): string => String(cell ?? "")

/** Names that are operators, and what DuckDB has for itself, are not for people. */
const query = `SELECT 'keyword' AS kind, keyword_name AS name, keyword_category AS more, '' AS description FROM duckdb_keywords()
UNION ALL
SELECT DISTINCT 'type', lower(type_name), '', '' FROM duckdb_types() WHERE regexp_matches(type_name, '^[A-Za-z][A-Za-z0-9_]*$')
UNION ALL
SELECT 'function', function_name, coalesce(any_value(array_to_string(parameters, ', ')), ''), coalesce(any_value(description), '')
FROM duckdb_functions()
WHERE regexp_matches(function_name, '^[a-z][a-z0-9_]*$') AND function_type IN ('scalar', 'aggregate', 'macro')
GROUP BY function_name`
