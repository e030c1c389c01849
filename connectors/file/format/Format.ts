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
  | {
      readonly format: "csv"
      readonly header: boolean
      readonly delimiter: string
      /** Absent: an older version wrote the file, and no text in it was changed. */
      readonly formulas?: "text" | "keep"
    }

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
    ? a.header === b.header && a.delimiter === b.delimiter && hasShownTexts(a) === hasShownTexts(b)
    : a.format === b.format

/** Whether a file has texts as spreadsheets show them (`SpreadsheetText`). */
export const hasShownTexts = (kind: FileKind): boolean => kind.format === "csv" && kind.formulas === "text"

interface KindOptions {
  readonly format: FileKind["format"]
  readonly header?: boolean
  readonly delimiter?: string
  readonly formulas?: "text" | "keep"
}

/** The kind of the options of a sink. */
export const kindOf = ({ delimiter = ",", format, formulas = "text", header = true }: KindOptions): FileKind =>
  format === "csv" ? { format, header, delimiter, formulas } : { format }

/** Why the options contradict each other; undefined: they do not. */
export const kindFault = (options: KindOptions): string | undefined => {
  const csvOption = (["header", "delimiter", "formulas"] as const).find((name) => options[name] !== undefined)
  return options.format === "csv" || csvOption === undefined
    ? undefined
    : `${csvOption} is of format: csv, and this sink has format: ${options.format}; leave it out`
}
