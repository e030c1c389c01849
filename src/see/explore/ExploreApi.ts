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
  readonly rows: number
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

/** The request of GET /api/rows. */
export interface RowsQuestion {
  readonly table: string
  /** Words and "phrases" that a row must have; empty: all rows. */
  readonly find: string
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
  /** A sentence about what the answer leaves out. */
  readonly cut?: string
}

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
