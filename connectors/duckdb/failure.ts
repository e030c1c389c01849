/** The errors of this connector: what it was doing, and the message of DuckDB or the system. */
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

/** The error if another writer uses the file now. */
export const busy = (message: string): Sink.SinkError =>
  new Sink.SinkError({ sink: "duckdb", message, retryable: true })
