/**
 * A run's end as a mail, by the server that MILLRACE_SMTP_URL names (smtp://user:password@host:587, or smtps://) and from
 * MILLRACE_MAIL_FROM.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Mail } from "#base/Mail"
import { listOf } from "#engine/KeySchemas"
import type * as Notify from "#engine/Notify"
import { NotifyError } from "#engine/ScheduleNotifier"
import { details, headline, type Notice } from "./scheduleNews.ts"

export const notifyEmail = Effect.fnUntraced(function* (to: typeof Notify.Email.Type, message: Notice) {
  const server = URL.parse(process.env["MILLRACE_SMTP_URL"] ?? "")
  if (server === null || !/^smtps?:$/.test(server.protocol)) {
    const message = "no mail server is configured: set MILLRACE_SMTP_URL to smtp://HOST:PORT"
    return yield* new NotifyError({ message, retryable: false })
  }
  const from = process.env["MILLRACE_MAIL_FROM"] ?? "millrace@localhost"
  const letter = {
    id: message.id,
    to: listOf(to.to),
    subject: headline(message).slice(0, 200),
    text: `${details(message).join("\n")}\n`
  }
  yield* Effect.flatMap(Mail, (mail) => mail.send(letter)).pipe(
    Effect.provide(Mail.layer({ server: Redacted.make(server), from })),
    Effect.mapError((error) => new NotifyError({ message: error.message, retryable: error.retryable }))
  )
})
