/** How this connector fails: what it was doing, and what DuckDB or the system said about it. */
import * as Sink from "../../src/pipeline/Sink.ts"

/** What failed as an error of a sink already says what it was: it stays as it is. */
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

/** The message without the file that it begins with, if `doing` ends with that file. */
const saidOnce = (doing: string, message: string): string => {
  const end = message.indexOf(": ")
  return end > 0 && doing.endsWith(` ${message.slice(0, end)}`) ? message.slice(end + 2) : message
}

/** The file is another writer's for now. */
export const busy = (message: string): Sink.SinkError =>
  new Sink.SinkError({ sink: "duckdb", message, retryable: true })
