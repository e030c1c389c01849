/**
 * A run's end as a mail, by the server that MILLRACE_SMTP_URL names (smtp://user:password@host:587, or smtps://) and from
 * MILLRACE_SMTP_FROM.
 *
 * The law: a server that says it can encrypt is spoken to encrypted; every wait has an end; a password stands in no
 * message.
 */
import * as Effect from "effect/Effect"
import { listOf } from "../pipeline/Names.ts"
import type * as Notify from "../pipeline/Notify.ts"
import { type Message, NotifyError } from "../schedule/Notifier.ts"
import { details, headline } from "./notifyText.ts"

const waitMillis = 10_000

export const notifyEmail = Effect.fnUntraced(function* (to: typeof Notify.Email.Type, message: Message) {
  const server = URL.parse(process.env["MILLRACE_SMTP_URL"] ?? "")
  if (server === null || !/^smtps?:$/.test(server.protocol)) {
    return yield* new NotifyError({ message: "there is no mail server: set MILLRACE_SMTP_URL to smtp://HOST:PORT" })
  }
  const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
  const isEncrypted = server.protocol === "smtps:"
  const user = decodeURIComponent(server.username)
  const transport = createTransport({
    host: server.hostname,
    port: server.port === "" ? (isEncrypted ? 465 : 587) : Number(server.port),
    secure: isEncrypted,
    ...(user === "" ? {} : { auth: { user, pass: decodeURIComponent(server.password) } }),
    connectionTimeout: waitMillis,
    greetingTimeout: waitMillis,
    socketTimeout: waitMillis
  })
  yield* Effect.tryPromise({
    try: () =>
      transport.sendMail({
        from: process.env["MILLRACE_SMTP_FROM"] ?? "millrace@localhost",
        to: [...listOf(to.to)],
        subject: headline(message).slice(0, 200),
        text: `${details(message).join("\n")}\n`,
        messageId: `<${message.id}@millrace>`
      }),
    catch: (cause) => new NotifyError({ message: `the mail server: ${reasonOf(cause)}` })
  }).pipe(Effect.ensuring(Effect.sync(() => transport.close())))
})

const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const answer = "response" in cause && typeof cause.response === "string" ? cause.response : undefined
  return answer ?? ("code" in cause && typeof cause.code === "string" ? cause.code : cause.message)
}
