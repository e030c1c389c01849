/**
 * Why a page could not be fetched, in words for the caller.
 */
import * as Schema from "effect/Schema"
import { notSentCode } from "./SendLimit.ts"

export class FetchError extends Schema.TaggedError<FetchError>()("FetchError", {
  url: Schema.String,
  /** The code for public clients, such as SCRAPE_DNS_RESOLUTION_ERROR. */
  code: Schema.String,
  message: Schema.String,
  /** Whether the same request may succeed soon. */
  retryable: Schema.Boolean,
  /** Whether the host had begun to answer, and was only too slow. */
  isAnswering: Schema.optionalKey(Schema.Literal(true))
}) {}

/** The host did not accept a connection in time. */
export const notAccepted = (url: string): FetchError =>
  toFetchError(url, Object.assign(new Error(), { code: "ETIMEDOUT" }))

/** The time limit of the exchange is over. */
export const timedOut = (url: string, millis: number): FetchError =>
  new FetchError({ url, code: "SCRAPE_TIMEOUT", message: `no complete answer within ${millis} ms`, retryable: true })

/** Reading the page costs more than a page may. */
export const tooCostly = (url: string, message: string): FetchError =>
  new FetchError({ url, code: "SCRAPE_PAGE_TOO_COSTLY", message, retryable: false })

const closedEarly = [
  "SCRAPE_CONNECTION_ERROR",
  "the host closed the connection before the answer was whole",
  true
] as const
const late = ["SCRAPE_TIMEOUT", "the host does not answer in time", true] as const
const stalled = ["SCRAPE_TIMEOUT", "the answer stalled", true] as const
const slow = ["SCRAPE_TIMEOUT", "the answer is too slow: it only trickles", true] as const
const invalid = ["SCRAPE_INVALID_RESPONSE", "the answer is not valid HTTP", false] as const
const overflow = ["SCRAPE_INVALID_RESPONSE", "the answer's headers are larger than 256 kB", false] as const

/** How each network error is reported to the caller. */
const failures: Record<string, readonly [code: string, message: string | undefined, retryable: boolean]> = {
  ENOTFOUND: ["SCRAPE_DNS_RESOLUTION_ERROR", "the host name does not resolve", false],
  EAI_AGAIN: ["SCRAPE_DNS_RESOLUTION_ERROR", "the host name does not resolve at the moment", true],
  ERR_ADDRESS_BLOCKED: ["SCRAPE_ADDRESS_BLOCKED", undefined, false],
  ENOTFOUND_BEFORE_PROXY: ["SCRAPE_DNS_RESOLUTION_ERROR", undefined, false],
  ERR_PROXY_CREDENTIALS: ["SCRAPE_PROXY_ERROR", undefined, false],
  ERR_PROXY_REFUSED: ["SCRAPE_PROXY_ERROR", undefined, false],
  ERR_PROXY_FAILED: ["SCRAPE_CONNECTION_ERROR", undefined, true],
  ERR_PROXY_UNREACHABLE: ["SCRAPE_PROXY_ERROR", undefined, true],
  ERR_UNKNOWN_CODING: ["SCRAPE_INVALID_RESPONSE", undefined, false],
  ERR_BODY_CUT: ["SCRAPE_CONNECTION_ERROR", undefined, true],
  ERR_BODY_TOO_LARGE: ["SCRAPE_PAGE_TOO_LARGE", undefined, false],
  ERR_BUFFER_TOO_LARGE: ["SCRAPE_PAGE_TOO_LARGE", "the page is larger than the limit once it is decompressed", false],
  ECONNREFUSED: ["SCRAPE_CONNECTION_ERROR", "the host refuses the connection", true],
  ECONNRESET: ["SCRAPE_CONNECTION_ERROR", "the host closed the connection before it answered", true],
  ETIMEDOUT: ["SCRAPE_TIMEOUT", "the host does not accept the connection in time", true],
  EHOSTUNREACH: ["SCRAPE_CONNECTION_ERROR", "the host cannot be reached", true],
  ENETUNREACH: ["SCRAPE_CONNECTION_ERROR", "the host cannot be reached", true],
  EPIPE: ["SCRAPE_CONNECTION_ERROR", "the host closed the connection before it answered", true],
  ERR_NOT_SENT: [notSentCode, undefined, true],
  ERR_ANSWER_CUT: closedEarly,
  ERR_ANSWER_LATE: late,
  ERR_ANSWER_SLOW: slow,
  ERR_ANSWER_STALLED: stalled,
  ERR_ANSWER_INVALID: invalid,
  ERR_ANSWER_HEADERS: overflow,
  UND_ERR_SOCKET: closedEarly,
  UND_ERR_CONNECT_TIMEOUT: ["SCRAPE_TIMEOUT", "the host does not accept the connection in time", true],
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_BODY_TIMEOUT: stalled,
  UND_ERR_HEADERS_OVERFLOW: overflow,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    "SCRAPE_INVALID_RESPONSE",
    "the answer does not have the length that it declares",
    true
  ]
}

/** A network error, as the failure of this page. */
export const toFetchError = (url: string, cause: unknown): FetchError => {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const [ours, message, retryable] =
    failures[code] ??
    (error.name === "HTTPParserError"
      ? invalid
      : code.startsWith("Z_") ||
          code.startsWith("ERR__ERROR_") ||
          code.startsWith("ERR_BROTLI") ||
          code.startsWith("ZSTD_")
        ? (["SCRAPE_INVALID_RESPONSE", "the answer's compression is broken", false] as const)
        : /CERT|TLS|SSL|SELF_SIGNED|EPROTO|UNABLE_TO_VERIFY/.test(code)
          ? (["SCRAPE_TLS_ERROR", `the host's certificate or TLS is not valid (${code})`, false] as const)
          : (["SCRAPE_FETCH_ERROR", undefined, false] as const))
  const isAnswering = code === "ERR_ANSWER_SLOW" ? { isAnswering: true as const } : {}
  return new FetchError({ url, code: ours, message: message ?? error.message, retryable, ...isAnswering })
}
