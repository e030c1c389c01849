/**
 * The JSON of the requests and answers between the server of `millrace explore` and its page.
 *
 * This file has only types, so that the page can import it without any code of the server.
 */

/** A value of a grid: lists and objects are JSON text. */
export type CellValue = string | number | boolean | null

export interface ColumnInfo {
  readonly name: string
  /** The SQL type. */
  readonly type: string
  /** What the column holds, if the pipeline file defines the column. */
  readonly description?: string
}

export interface TableInfo {
  readonly name: string
  readonly description: string
  readonly key: ReadonlyArray<string>
  /** Whether the pipeline file defines the table; otherwise it is one that the destination keeps for itself. */
  readonly isOwn: boolean
  /** Whether it is what Millrace writes down about its runs: loads, profiles, jobs, errors, rejects. */
  readonly isRecord: boolean
  readonly rows: number
  /** Only of a history: how many of its rows are current. */
  readonly current?: number
  /** Only of the view with the current rows of a history: the name of the history. */
  readonly currentOf?: string
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly evidence?: EvidencePlace
  /** The column with the version of the reader that made the row. */
  readonly reading?: string
}

/** The table with the evidence for the values of another table. */
interface EvidencePlace {
  readonly sources: string
  /** The table that the evidence belongs to. */
  readonly main: string
  /** The columns of `sources` that name a row, each with the column of this table that has its value. */
  readonly on: Readonly<Record<string, string>>
}

export interface Question {
  readonly title: string
  readonly sql: string
}

/** A question that somebody has saved, as a file beside the pipeline. */
export interface SavedQuestion {
  readonly name: string
  readonly sql: string
}

/** GET /api/question: what the SQL view begins with; null: there is no table yet. */
export interface FirstQuestion {
  readonly first: Question | null
}

/** GET, POST and DELETE /api/questions: those that are there after it. */
export interface SavedQuestions {
  /** Where their files are, beside the pipeline file. */
  readonly folder: string
  readonly questions: ReadonlyArray<SavedQuestion>
  /** Why none can be saved; absent: they can. */
  readonly refusal?: string
}

/** GET /api/tables */
export interface TablesAnswer {
  readonly pipeline: string
  readonly sink: string
  /** The SQL dialect of the sink. */
  readonly dialect: "DuckDB" | "Postgres"
  readonly tables: ReadonlyArray<TableInfo>
  readonly questions: ReadonlyArray<Question>
  /** Only in an exported folder: why some evidence has no surrounding text. */
  readonly contexts?: ReadonlyArray<string>
}

/** What the value of a column must be: this value, any value, or a number or a time in a range. */
export type Filter =
  | { readonly column: string; readonly kind: "is"; readonly value: CellValue }
  | { readonly column: string; readonly kind: "filled" }
  | {
      readonly column: string
      readonly kind: "range"
      readonly from: number | string
      readonly to: number | string
      /** Whether `to` itself is in the range. */
      readonly isClosed: boolean
    }

/** The request of GET /api/rows. */
export interface RowsQuestion {
  readonly table: string
  /** Words and "phrases" that a row must have; empty: all rows. */
  readonly find: string
  /** All of them hold for a row; empty: all rows. In the URL this is JSON. */
  readonly where: ReadonlyArray<Filter>
  /** The column to sort by: `name`, or `-name` for descending; empty: the stored order. */
  readonly order: string
  readonly offset: number
  readonly limit: number
  /** Whether the answer has the total number of rows. */
  readonly count?: boolean
  /** Whether long texts are not cut; only with `limit` 1. */
  readonly whole?: boolean
}

/** GET /api/rows, POST /api/sql */
export interface RowsAnswer {
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly rows: ReadonlyArray<ReadonlyArray<CellValue>>
  /** Only with `count`: the number of all rows that match the search. */
  readonly total?: number
  /** Only with `count`: the columns that have no value in any row of the table. */
  readonly empty?: ReadonlyArray<string>
  /** A sentence about what the answer leaves out. */
  readonly cut?: string
}

/** The request of GET /api/profile: columns of a table, of its rows that filters leave. */
export interface ProfileQuestion {
  readonly table: string
  readonly where: ReadonlyArray<Filter>
  readonly columns: ReadonlyArray<string>
}

/** A part of the values of a column, with how many of them are in it. Times are seconds since 1970. */
export interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** What the values of a column are. */
export interface ColumnSummary {
  readonly name: string
  /** The rows that were looked at, and those of them that have a value. */
  readonly rows: number
  readonly filled: number
  /** How many values are different among those of the rows whose values were compared; null: they are not, for this type. */
  readonly distinct: number | null
  readonly compared: number
  readonly isDistinctExact: boolean
  /** Of numbers. */
  readonly mean: number | null
  readonly median: number | null
  /** Of numbers and times. */
  readonly bins: ReadonlyArray<Bin>
  /** The most frequent values, the first of them first; empty: each value is rare. */
  readonly top: ReadonlyArray<{ readonly value: string; readonly count: number }>
}

/** GET /api/profile */
export interface ProfileAnswer {
  /** Where the figures are from, as a sentence. */
  readonly basis: string
  readonly columns: ReadonlyArray<ColumnSummary>
}

/** GET /download/TABLE.csv and TABLE.parquet, with the rows of such a question. */
export type DownloadQuestion = Pick<RowsQuestion, "table" | "find" | "order" | "where">

export interface RunInfo {
  readonly run_id: string
  readonly status: string
  readonly started_at: string
  readonly seconds: number | null
  readonly rows: Readonly<Record<string, number>>
  readonly facts: Readonly<Record<string, number>>
  readonly sinks: ReadonlyArray<string>
  readonly message: string | null
}

/** GET /api/runs: the newest first. */
export interface RunsAnswer {
  readonly runs: ReadonlyArray<RunInfo>
  readonly notes: ReadonlyArray<string>
  /** The pairs of runs that can be compared; absent: any two. */
  readonly pairs?: ReadonlyArray<RunPair>
}

export interface RunPair {
  readonly from: string
  readonly to: string
}

/** The request of GET /api/diff. */
export interface DiffQuestion extends RunPair {
  readonly table: string
  /** Only rows in which a number moved, those that moved furthest first: `price` became larger, `-price` smaller. */
  readonly by?: string
}

/** A piece of the difference between two texts. */
export interface DiffPiece {
  readonly kind: "same" | "removed" | "added" | "gap"
  readonly text: string
}

export interface DiffChange {
  readonly kind: "added" | "removed" | "changed" | "written"
  readonly key: ReadonlyArray<readonly [column: string, value: string]>
  /** What people call the row, if a column of the table says it. */
  readonly name?: string
  readonly fields: ReadonlyArray<DiffField>
}

/** Two short values, or a text with its pieces. */
export type DiffField =
  | { readonly name: string; readonly old: CellValue; readonly new: CellValue }
  | { readonly name: string; readonly pieces: ReadonlyArray<DiffPiece> }

/** GET /api/diff */
export interface DiffAnswer {
  readonly sink: string
  readonly from: string
  readonly to: string
  readonly basis: string
  /** Whether the sink still has both loads; if not, only the rows that were written are known. */
  readonly whole: boolean
  readonly counts: Readonly<Record<string, number>>
  /** In how many changed rows each field differs. */
  readonly fields: Readonly<Record<string, number>>
  /** Only with `by`: in how many rows the number moved. */
  readonly moved?: number
  readonly changes: ReadonlyArray<DiffChange>
}

/** POST /api/why; the answer is a `WhyModel`. */
export interface WhyQuestion {
  readonly table: string
  readonly key: Readonly<Record<string, CellValue>>
  readonly column: string
  /** Whether pages whose HTML is not stored are fetched again. */
  readonly fetch: boolean
}

export interface Failure {
  readonly error: string
  /** Where in the SQL of the request it is. */
  readonly place?: TextPlace
}

/** Of a text, from one character to before another. */
export interface TextPlace {
  readonly from: number
  readonly to: number
}
