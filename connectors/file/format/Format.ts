/**
 * A kind of file that holds the rows of one table, as the sink needs it: written from its beginning to its end, and read
 * back.
 *
 * Rows go in and come out in chunks: neither way holds a whole table.
 */
import type * as Column from "../../../src/pipeline/Column.ts"
import type * as Table from "../../../src/pipeline/Table.ts"

/** What a file is, as `_millrace.json` keeps it: enough to read the file. */
export type FileKind =
  | { readonly format: "jsonl" | "arrow" | "parquet" }
  | { readonly format: "csv"; readonly header: boolean; readonly delimiter: string }

/** A file that grows. It is only of use once it is finished. */
export interface RowFile {
  readonly path: string
  /** Rows that it has. */
  readonly rows: number
  /** Takes rows of its columns. Throws an error with the column where a cell is not of its type. */
  readonly add: (rows: ReadonlyArray<Table.Row>) => Promise<void>
  /** Takes all rows of a finished file of the same kind and the same columns, as they stand there. */
  readonly take: (file: string, rows: number) => Promise<void>
  /** Writes what is left and the end of the file. */
  readonly finish: () => Promise<void>
}

export interface Format {
  readonly create: (path: string, columns: ReadonlyArray<Column.Column>) => RowFile
  readonly read: (path: string, columns: ReadonlyArray<Column.Column>) => AsyncIterable<ReadonlyArray<Table.Row>>
}

/** Whether files of two kinds can be joined as they are. */
export const isSame = (a: FileKind, b: FileKind): boolean =>
  a.format === "csv" && b.format === "csv"
    ? a.header === b.header && a.delimiter === b.delimiter
    : a.format === b.format

/** What a pipeline file says of the format, as a kind. */
export const kindOf = (options: {
  readonly format: FileKind["format"]
  readonly header?: boolean
  readonly delimiter?: string
}): FileKind =>
  options.format === "csv"
    ? { format: "csv", header: options.header ?? true, delimiter: options.delimiter ?? "," }
    : { format: options.format }

/** Why the options contradict each other, if so. */
export const kindFault = (options: {
  readonly format: FileKind["format"]
  readonly header?: boolean
  readonly delimiter?: string
}): string | undefined => {
  const said = (["header", "delimiter"] as const).find((name) => options[name] !== undefined)
  return options.format === "csv" || said === undefined
    ? undefined
    : `${said} is of format: csv, and this sink has format: ${options.format}; leave it out`
}
