/**
 * What the server of `millrace explore` and its page say to each other, as JSON.
 *
 * The law: only types are here, so that the page can import them and nothing of the server comes along.
 */

/** A value as a grid shows it: lists and objects are JSON text. */
export type CellValue = string | number | boolean | null

export interface ColumnInfo {
  readonly name: string
  /** As SQL has it. */
  readonly type: string
  /** What it holds, where the pipeline file knows it. */
  readonly description?: string
}

export interface TableInfo {
  readonly name: string
  readonly description: string
  readonly key: ReadonlyArray<string>
  /** Whether the pipeline file defines it; otherwise it is one that the destination keeps for itself. */
  readonly isOwn: boolean
  readonly rows: number
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly evidence?: EvidencePlace
  /** The column with the version of the program that read the row. */
  readonly reading?: string
}

/** Where the evidence of the values of a table is. */
export interface EvidencePlace {
  readonly sources: string
  /** The table that the evidence belongs to. */
  readonly main: string
  /** The columns of `sources` that name a row, each with the column of this table that has its value. */
  readonly on: Readonly<Record<string, string>>
}

export interface Question {
  readonly title: string
  readonly sql: string
  /** The columns of the answer that a bar chart shows. */
  readonly chart?: { readonly names: string; readonly counts: string }
}

/** GET /api/tables */
export interface TablesAnswer {
  readonly pipeline: string
  readonly sink: string
  /** Whose SQL the sink is asked in. */
  readonly dialect: "DuckDB" | "Postgres"
  readonly tables: ReadonlyArray<TableInfo>
  readonly questions: ReadonlyArray<Question>
  /** Of an exported folder: why a place of evidence may be here without the text around it. */
  readonly contexts?: ReadonlyArray<string>
}

/** What `/api/rows` is asked. */
export interface RowsQuestion {
  readonly table: string
  /** Words and "phrases" that the rows have; empty: all rows. */
  readonly find: string
  /** `name` or `-name` of a column; empty: as they are stored. */
  readonly order: string
  readonly offset: number
  readonly limit: number
  /** Whether the answer says how many rows there are. */
  readonly count?: boolean
  /** Whether long texts come whole, for one row. */
  readonly whole?: boolean
}

/** GET /api/rows, POST /api/sql */
export interface RowsAnswer {
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly rows: ReadonlyArray<ReadonlyArray<CellValue>>
  /** Of `/api/rows` with `count`: how many rows there are with the search. */
  readonly total?: number
  /** What the answer leaves out, as a sentence. */
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
  /** Which runs can be compared; absent: any two. */
  readonly pairs?: ReadonlyArray<RunPair>
}

export interface RunPair {
  readonly from: string
  readonly to: string
}

/** What `/api/diff` is asked. */
export interface DiffQuestion extends RunPair {
  readonly table: string
}

/** A piece of a text that is compared with another. */
export interface DiffPiece {
  readonly kind: "same" | "removed" | "added" | "gap"
  readonly text: string
}

export interface DiffChange {
  readonly kind: "added" | "removed" | "changed" | "written"
  readonly key: ReadonlyArray<readonly [column: string, value: string]>
  readonly fields: ReadonlyArray<{ readonly name: string; readonly pieces: ReadonlyArray<DiffPiece> }>
}

/** GET /api/diff */
export interface DiffAnswer {
  readonly sink: string
  readonly from: string
  readonly to: string
  readonly basis: string
  /** Whether both states are there; if not, only what was written is known. */
  readonly whole: boolean
  readonly counts: Readonly<Record<string, number>>
  readonly changes: ReadonlyArray<DiffChange>
}

/** POST /api/why; the answer is a `WhyModel`. */
export interface WhyQuestion {
  readonly table: string
  readonly key: Readonly<Record<string, CellValue>>
  readonly column: string
  /** Whether pages whose HTML is not kept are read again. */
  readonly fetch: boolean
}

export interface Failure {
  readonly error: string
}
