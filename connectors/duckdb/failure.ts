/** The errors of this connector: what it was doing, and the message of DuckDB or the system. */
import type { DatabaseError } from "#engine/DuckdbError"
import * as Sink from "#engine/Sink"

/** Makes a `SinkError` with what was being done. An error that is one already stays as it is. */
export const failure =
  (doing: string) =>
  (cause?: unknown): Sink.SinkError =>
    cause instanceof Sink.SinkError
      ? cause
      : new Sink.SinkError({
          sink: "duckdb",
          message: cause instanceof Error ? `${doing}: ${saidOnce(doing, cause.message)}` : doing,
          retryable: false,
          ...(cause === undefined ? {} : { cause })
        })

/** The message without the file at its beginning, if `doing` already ends with that file. */
const saidOnce = (doing: string, message: string): string => {
  const end = message.indexOf(": ")
  return end > 0 && doing.endsWith(` ${message.slice(0, end)}`) ? message.slice(end + 2) : message
}

/** The error of a statement, in its own words. `table`: the table whose rows it writes. */
export const failed = (error: DatabaseError, table?: string): Sink.SinkError => {
  const column = /NOT NULL constraint failed: .*\.(.*)$/.exec(error.message)?.[1]
  const message =
    column === undefined
      ? error.message
      : `a row has no ${column}, which is NOT NULL in the database; fill it, or alter the column`
  const text = table === undefined ? message : `table ${table}: ${message}`
  return new Sink.SinkError({ sink: "duckdb", message: text, retryable: false, cause: error })
}

export const asSinkError = (error: DatabaseError | Sink.SinkError): Sink.SinkError =>
  error._tag === "SinkError" ? error : failed(error)

/** Says what was being done, if an error has only the words of a statement. */
export const within = (doing: string, error: Sink.SinkError): Sink.SinkError =>
  error.cause instanceof Error && error.cause.message === error.message ? failure(doing)(error.cause) : error

/** The error if another writer uses the file now. */
export const busy = (message: string): Sink.SinkError =>
  new Sink.SinkError({ sink: "duckdb", message, retryable: true })
