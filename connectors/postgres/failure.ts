/** The errors of this connector: what it was doing, the message of the server or the network, and what to do. */
import * as Schema from "effect/Schema"
import * as Sink from "#engine/Sink"

/** An error of the driver. It has no `cause`, because that may contain the URL, and with it the password. */
export class ServerError extends Schema.TaggedError<ServerError>()("ServerError", {
  message: Schema.String,
  /** The SQLSTATE of the server, or the code of the system. */
  code: Schema.String,
  retryable: Schema.Boolean
}) {}

/** Makes a `SinkError` with what was being done. An error that is one already stays as it is. */
export const failure =
  (doing: string) =>
  (cause?: unknown): Sink.SinkError => {
    if (cause instanceof Sink.SinkError) return cause
    const reason = cause instanceof Error ? `: ${cause.message}` : ""
    return new Sink.SinkError({
      sink: "postgres",
      message: `${doing}${reason}`,
      retryable: cause instanceof ServerError && cause.retryable
    })
  }

/** The same for what somebody else puts into words. */
export const bare = (error: ServerError | Sink.SinkError): Sink.SinkError =>
  error._tag === "SinkError"
    ? error
    : new Sink.SinkError({ sink: "postgres", message: error.message, retryable: error.retryable })

/** The error if there is another writer now. */
export const busy = (message: string): Sink.SinkError =>
  new Sink.SinkError({ sink: "postgres", message, retryable: true })

/** Converts what the driver threw. */
export const toServerError = (thrown: unknown): ServerError => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const code = textOf(error, "code")
  const help = helps[code] ?? helpByMessage(error.message)
  const hint = help ?? textOf(error, "hint")
  const detail = textOf(error, "detail")
  const column = textOf(error, "column")
  const lacks = `a row has no ${column}, which is NOT NULL in the database; fill it, or alter the column`
  if (code === "23502" && column !== "") return new ServerError({ message: lacks, code, retryable: false })
  const message = error.message === "" ? code : error.message
  return new ServerError({
    message: [message, ...(detail === "" ? [] : [detail.replace(/\.$/, "")]), ...(hint === "" ? [] : [hint])].join(
      "; "
    ),
    code,
    retryable: isRetryable(code) || /Connection terminated|connection timeout|timeout expired/i.test(error.message)
  })
}

const textOf = (error: Error, name: string): string => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" ? value : ""
}

/** Broken or refused connections, servers that stop or start, and conflicts of transactions. */
const isRetryable = (code: string): boolean =>
  /^(08|40|53|57P0|58)/.test(code) || code === "55P03" || unreachable.includes(code)

const unreachable = [
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN"
]

const notReached = "is the server running, and are host and port of url right?"
const certificate =
  "the certificate of the server is not trusted: name its authority with ?sslrootcert=FILE, or ask for TLS without a check with ?sslmode=require"
const pooled =
  "if url is the address of a pooler (pgbouncer), it must keep one session for each client: pool_mode = session"

const helps: Readonly<Record<string, string>> = {
  ...Object.fromEntries(unreachable.map((code) => [code, notReached])),
  "28P01": "check user and password of url",
  "28000": "check user and password of url, and pg_hba.conf of the server",
  "25006":
    "the server is a standby, or the user's transactions are read-only: url has to name the server that is written to",
  "3D000": "create the database first, or correct url",
  "42501":
    "the user of url needs CREATE on the database or USAGE and CREATE on the schema, TEMPORARY on the database, and to own the tables that it alters",
  "53300": "the server has no free connection: try again, or raise max_connections",
  "53100": "the disk of the server is full",
  "55P03": "somebody holds a lock on it: try again when they are done",
  "57P01": "the server ended the connection: try again when it is up",
  "57P03": "the server starts or stops: try again",
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
  SELF_SIGNED_CERT_IN_CHAIN: certificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
  ERR_TLS_CERT_ALTNAME_INVALID: certificate
}

const helpByMessage = (message: string): string | undefined => {
  if (/^timeout expired|connection timeout/i.test(message)) return notReached
  if (/"_millrace_\w+_\d+_\w+" does not exist/.test(message)) return pooled
  if (/does not support SSL/.test(message))
    return "take sslmode out of url if the network is trusted, or turn ssl on at the server"
  if (/no pg_hba.conf entry/.test(message)) return "pg_hba.conf of the server does not let this user in from here"
  return undefined
}
