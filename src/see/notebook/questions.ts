/**
 * What one asks of loaded tables first, in the SQL of DuckDB or Postgres, for the tables that a pipeline has: what is there, how fresh, what
 * changed, what failed, which words stand where, what leads where.
 */
import * as Column from "#engine/Column"
import type * as Table from "#engine/Table"
import type { SinkTable } from "../export/tablesOfSink.ts"

export interface Question {
  readonly title: string
  /** What the answer says, in Markdown. */
  readonly text: string
  readonly sql: string
  /** Values of `$name` in the SQL, which a reader is meant to change. */
  readonly values?: Readonly<Record<string, string>>
  /** The columns of the answer that a bar chart shows: one that names, one that counts. */
  readonly chart?: { readonly names: string; readonly counts: string }
}

/** Whose SQL the questions are in. */
type Dialect = "DuckDB" | "Postgres"

/** `keepsRuns`: whether the destination has its runs as a table. */
export const questionsOf = (
  tables: ReadonlyArray<SinkTable>,
  keepsRuns: boolean,
  dialect: Dialect = "DuckDB"
): ReadonlyArray<Question> => {
  const [main] = tables
  if (main === undefined) return []
  return [
    ...whatIsThere(tables.map(({ table }) => table)),
    ...whatOneHolds(main.table, dialect),
    ...howFresh(main.table, keepsRuns),
    ...whatChanged(main),
    ...whatFailed(tables.map(({ table }) => table)),
    ...whichWords(main.table),
    ...whatLeadsWhere(
      main.table,
      tables.map(({ table }) => table)
    )
  ]
}

const q = Column.quote
const has = ({ columns }: Table.Table, name: string): boolean => Column.named(columns, name) !== undefined

const whatIsThere = (tables: ReadonlyArray<Table.Table>): ReadonlyArray<Question> => [
  {
    title: "What is there",
    text: "The tables, and how many rows each has.",
    sql: tables
      .map(({ name }) => `SELECT '${name.replaceAll("'", "''")}' AS "table", count(*) AS "rows" FROM ${q(name)}`)
      .join("\nUNION ALL "),
    chart: { names: "table", counts: "rows" }
  }
]

const whatOneHolds = (table: Table.Table, dialect: Dialect): ReadonlyArray<Question> => {
  const long = ["markdown", "html", "raw_html", "metadata", "links"].filter((name) => has(table, name))
  const short = table.columns.filter(({ name }) => !long.includes(name)).map(({ name }) => q(name))
  const without = long.length === 0 ? "*" : `* EXCLUDE (${long.map(q).join(", ")})`
  return [
    {
      title: `The first rows of ${table.name}`,
      text: `${sentence(table.description)} A row is known by ${table.key.map((name) => `\`${name}\``).join(", ") || "nothing but itself"}.`,
      sql: `SELECT ${dialect === "DuckDB" ? without : short.join(", ")}\nFROM ${q(table.name)}\nLIMIT 10`
    },
    ...(dialect === "DuckDB" ? [whatColumnsHold(table)] : []),
    ...["language", "kind", "content_type"].flatMap(
      (name): ReadonlyArray<Question> =>
        has(table, name)
          ? [
              {
                title: `Rows by ${name}`,
                text: "",
                sql: `SELECT coalesce(${q(name)}, '(none)') AS ${q(name)}, count(*) AS "rows"\nFROM ${q(table.name)}\nGROUP BY 1\nORDER BY "rows" DESC\nLIMIT 20`,
                chart: { names: name, counts: "rows" }
              }
            ]
          : []
    )
  ]
}

const whatColumnsHold = (table: Table.Table): Question => ({
  title: "What each column holds",
  text: "Its type, how much of it is empty, about how many values it has, and the least and the greatest of them.",
  sql: `SELECT column_name, column_type, null_percentage, approx_unique, left("min", 40) AS least, left("max", 40) AS greatest
FROM (SUMMARIZE ${q(table.name)})`
})

const howFresh = (table: Table.Table, keepsRuns: boolean): ReadonlyArray<Question> => {
  const newest = has(table, "_fetched_at") ? `max("_fetched_at") AS newest, ` : ""
  return [
    {
      title: "How fresh it is",
      text: "The runs whose rows are there, the last one first.",
      sql: `SELECT "_run_id", ${newest}count(*) AS "rows"\nFROM ${q(table.name)}\nGROUP BY "_run_id"\nORDER BY "_run_id" DESC\nLIMIT 20`
    },
    ...(keepsRuns
      ? [
          {
            title: "The last runs",
            text: "What each run found, loaded and could not load, and what it cost.",
            sql: `SELECT run_id, pipeline, status, started_at, committed_at, discovered, loaded, failed, blocked, credits\nFROM "_millrace_runs"\nORDER BY committed_at DESC\nLIMIT 20`
          }
        ]
      : [])
  ]
}

const whatChanged = ({ table, write }: SinkTable): ReadonlyArray<Question> => {
  if (write !== "scd2") return []
  const key = table.key.map(q).join(", ")
  return [
    {
      title: "What changed",
      text: "Each version of a row is a row: `valid_from` says when it came, `valid_to` when the next one did.",
      sql: `SELECT CAST(CAST(valid_from AS TIMESTAMP) AS DATE) AS "day", count(*) AS versions\nFROM ${q(table.name)}\nGROUP BY 1\nORDER BY "day" DESC\nLIMIT 60`,
      chart: { names: "day", counts: "versions" }
    },
    {
      title: "What changes most",
      text: "",
      sql: `SELECT ${key}, count(*) AS versions, max(valid_from) AS last_change\nFROM ${q(table.name)}\nGROUP BY ${key}\nHAVING count(*) > 1\nORDER BY versions DESC\nLIMIT 20`
    }
  ]
}

const whatFailed = (tables: ReadonlyArray<Table.Table>): ReadonlyArray<Question> =>
  tables.flatMap((table): ReadonlyArray<Question> => {
    if (has(table, "code") && has(table, "error")) {
      return [
        {
          title: "What failed",
          text: sentence(table.description),
          sql: `SELECT code, count(*) AS "rows", min(url) AS example, min(error) AS error\nFROM ${q(table.name)}\nGROUP BY code\nORDER BY "rows" DESC`,
          chart: { names: "code", counts: "rows" }
        }
      ]
    }
    if (!table.name.endsWith("__rejects")) return []
    return [
      {
        title: "What did not fit",
        text: "Rows that do not fit their table are kept beside it, with the reason. `millrace rejects` says more.",
        sql: `SELECT reason, count(*) AS "rows"\nFROM ${q(table.name)}\nGROUP BY reason\nORDER BY "rows" DESC\nLIMIT 20`
      }
    ]
  })

const whichWords = (table: Table.Table): ReadonlyArray<Question> =>
  has(table, "markdown") && has(table, "url")
    ? [
        {
          title: "Which pages say a word",
          text: "Change the word and run the cell again.",
          values: { word: "open" },
          sql: `SELECT url, ${has(table, "title") ? "title, " : ""}substr(markdown, greatest(1, strpos(lower(markdown), lower($word)) - 80), 200) AS words
FROM ${q(table.name)}
WHERE strpos(lower(markdown), lower($word)) > 0
LIMIT 20`
        }
      ]
    : []

const whatLeadsWhere = (main: Table.Table, tables: ReadonlyArray<Table.Table>): ReadonlyArray<Question> => {
  const links = tables.find((table) => has(table, "link") && has(table, "page_url"))
  if (links === undefined || !has(main, "url")) return []
  const title = has(main, "title") ? ", p.title" : ""
  return [
    {
      title: "Which pages are linked most",
      text: "Links joined with the pages that they lead to.",
      sql: `SELECT p.url${title}, count(DISTINCT l.page_url) AS linked_from
FROM ${q(links.name)} AS l
JOIN ${q(main.name)} AS p ON p.url = l.link
GROUP BY p.url${title}
ORDER BY linked_from DESC
LIMIT 20`
    },
    {
      title: "Which other sites are linked",
      text: "",
      sql: `SELECT host, count(*) AS links\nFROM ${q(links.name)}\nWHERE NOT is_internal AND host IS NOT NULL\nGROUP BY host\nORDER BY links DESC\nLIMIT 20`,
      chart: { names: "host", counts: "links" }
    }
  ]
}

const sentence = (text: string): string =>
  text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`
