/** The error of this connector: what it was doing, and the error of DuckDB, the store or the system. */
import * as Sink from "#engine/Sink"

export const failure =
  (doing: string) =>
  (cause?: unknown): Sink.SinkError =>
    cause instanceof Sink.SinkError
      ? cause
      : new Sink.SinkError({
          sink: "parquet",
          message: cause instanceof Error ? `${doing}: ${cause.message}` : doing,
          retryable: cause instanceof Error && "retryable" in cause && cause.retryable === true,
          ...(cause === undefined ? {} : { cause })
        })
