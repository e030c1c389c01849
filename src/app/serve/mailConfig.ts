/**
 * Who hands over the letters of monitors, from flags or from `MILLRACE_SMTP_URL` and `MILLRACE_MAIL_FROM`.
 *
 * A server without a sender, or a sender without a server, is reported as a mistake. The address of the server contains
 * its password and is never printed.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { wrong } from "#see/systemFailure"
import type { ServiceConfig } from "#service/ServiceConfig"

export interface Flags {
  readonly smtp: Option.Option<Redacted.Redacted>
  readonly mailFrom: Option.Option<string>
}

export const mailConfig = Effect.fnUntraced(function* (flags: Flags) {
  const server = Option.getOrUndefined(Option.filter(flags.smtp, (url) => Redacted.value(url).trim() !== ""))
  const from = Option.getOrUndefined(Option.filter(flags.mailFrom, (text) => text.trim() !== ""))
  if ((server === undefined) !== (from === undefined)) {
    return yield* wrong("--smtp and --mail-from must be used together: the mail server, and the sender of its e-mails")
  }
  if (server === undefined || from === undefined) return {}
  const url = URL.parse(Redacted.value(server))
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    return yield* wrong("--smtp must be an address such as smtp://name:password@mail.example.com:587, or smtps://")
  }
  const config: Pick<ServiceConfig, "mail"> = { mail: { server: Redacted.make(url), from } }
  return config
})
