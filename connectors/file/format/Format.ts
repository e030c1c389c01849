/**
 * A format of files that hold the rows of one table: how they are written and read.
 *
 * Rows are written and read in chunks, so a whole table is never in memory.
 */
import type * as Column from "#engine/Column"
import type * as Table from "#engine/Table"

/** The kind of a file in `_millrace.json`, which is enough to read the file. */
export type FileKind =
  | { readonly format: "jsonl" | "arrow" | "parquet" }
  | { readonly format: "csv"; readonly header: boolean; readonly delimiter: string }

/** A file that is being written. It is valid only after `finish`. */
export interface RowFile {
  readonly path: string
  /** The number of its rows. */
  readonly rows: number
  /** Adds rows. It throws an error with the column if a cell is not of its type. */
  readonly add: (rows: ReadonlyArray<Table.Row>) => Promise<void>
  /** Adds all rows of a finished file of the same kind and columns, without reading them. */
  readonly take: (file: string, rows: number) => Promise<void>
  /** Writes the remaining rows and the end of the file. */
  readonly finish: () => Promise<void>
}

export interface Format {
  readonly create: (path: string, columns: ReadonlyArray<Column.Column>) => RowFile
  readonly read: (path: string, columns: ReadonlyArray<Column.Column>) => AsyncIterable<ReadonlyArray<Table.Row>>
}

/** Whether files of two kinds can be joined without reading their rows. */
export const isSame = (a: FileKind, b: FileKind): boolean =>
  a.format === "csv" && b.format === "csv"
    ? a.header === b.header && a.delimiter === b.delimiter
    : a.format === b.format

/** The kind of the options of a sink. */
export const kindOf = (options: {
  readonly format: FileKind["format"]
  readonly header?: boolean
  readonly delimiter?: string
}): FileKind =>
  options.format === "csv"
    ? { format: "csv", header: options.header ?? true, delimiter: options.delimiter ?? "," }
    : { format: options.format }

/** Why the options contradict each other; undefined: they do not. */
export const kindFault = (options: {
  readonly format: FileKind["format"]
  readonly header?: boolean
  readonly delimiter?: string
}): string | undefined => {
  const csvOption = (["header", "delimiter"] as const).find((name) => options[name] !== undefined)
  return options.format === "csv" || csvOption === undefined
    ? undefined
    : `${csvOption} is of format: csv, and this sink has format: ${options.format}; leave it out`
}
