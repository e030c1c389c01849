/**
 * Maps every failure of the client to the one error that the engine knows.
 */
import * as Source from "#engine/Source"

export const toSourceError =
  (source: string) =>
  (error: { readonly _tag: string; readonly message: string }): Source.SourceError =>
    new Source.SourceError({
      source,
      message: hints[error._tag] === undefined ? error.message : `${error.message}; ${hints[error._tag]}`,
      retryable: retryable.has(error._tag),
      ...(over.has(error._tag) ? { over: true } : {}),
      cause: error
    })

const retryable = new Set([
  "HttpClientError",
  "RequestTimeout",
  "TooManyRequests",
  "InternalError",
  "BadGateway",
  "ServiceUnavailable",
  "GatewayTimeout"
])

/** The job has failed, was cancelled, or is gone: its results are kept for 24 hours. */
const over = new Set(["CrawlFailed", "NotFound"])

const hints: Record<string, string> = {
  Unauthorized: "check service.key in the pipeline file",
  PaymentRequired: "lower `limit`, or add credits",
  HttpClientError: "check service.url in the pipeline file, and that the service is running"
}
