/**
 * E-mail by SMTP.
 *
 * The operator chooses the server and what is sent to it; addresses and subjects never carry a line break into a header.
 * An e-mail has an id of its own, so a duplicate can be recognised. The result only says whether the server accepted it;
 * the address and the password of the server are never part of a failure.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

export interface MailConfig {
  /** smtp://name:password@host:port, or smtps://; with a password it is a secret. */
  readonly server: URL | Redacted.Redacted<URL>
  /** Who the letters are from. */
  readonly from: string
}

export interface Letter {
  /** The same each time it is sent again. */
  readonly id: string
  readonly to: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
}

class MailFailed extends Schema.TaggedError<MailFailed>()("MailFailed", {
  message: Schema.String,
  /** Whether trying again may help. */
  retryable: Schema.Boolean
}) {}

export class Mail extends Context.Service<
  Mail,
  {
    readonly isConfigured: boolean
    readonly send: (letter: Letter) => Effect.Effect<void, MailFailed>
  }
>()("millrace/mail/Mail") {
  /** Nobody writes letters. */
  static readonly layerNone = Layer.succeed(Mail, {
    isConfigured: false,
    send: () => Effect.fail(new MailFailed({ message: "no mail server is configured", retryable: false }))
  })
  /** The driver is loaded with the first letter. */
  static readonly layer = (config: MailConfig | undefined) =>
    config === undefined ? Mail.layerNone : Layer.succeed(Mail, make(config))
}

/** All that one letter may take. */
const sendMillis = 60_000

const make = ({ from, server }: MailConfig): Mail["Service"] => {
  const send = Effect.fn("Mail.send")(function* (letter: Letter) {
    const url = Redacted.isRedacted(server) ? Redacted.value(server) : server
    yield* Effect.tryPromise({
      try: () => deliver(url, from, letter),
      catch: (cause) => failed(cause)
    }).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(sendMillis),
        orElse: () =>
          Effect.fail(new MailFailed({ message: "the mail server took longer than a minute", retryable: true }))
      })
    )
  })
  return { isConfigured: true, send }
}

const deliver = async (url: URL, from: string, { id, subject, text, to }: Letter): Promise<void> => {
  const { createTransport } = await import("nodemailer")
  const isSecure = url.protocol === "smtps:"
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    ignoreTLS: url.searchParams.get("tls") === "none",
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 40_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(url.username === ""
      ? {}
      : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } })
  })
  try {
    const messageId = `<${id}@millrace>`
    await transport.sendMail({ from, to: [...to], subject: subject.replaceAll(/[\r\n]+/g, " "), text, messageId })
  } finally {
    transport.close()
  }
}

const failed = (cause: unknown): MailFailed => {
  const code = codeOf(cause)
  const responseCode = Predicate.hasProperty(cause, "responseCode") ? cause.responseCode : undefined
  // 5xx is the server's last word; anything else may be different in a minute.
  const isFinal = typeof responseCode === "number" && responseCode >= 500
  const message =
    typeof responseCode === "number"
      ? `the mail server refused the e-mail with ${responseCode}`
      : `the mail server could not be reached${code === undefined ? "" : ` (${code})`}`
  return new MailFailed({ message, retryable: !isFinal })
}

const codeOf = (cause: unknown): string | undefined => {
  return Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined
}
