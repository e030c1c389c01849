/**
 * A run's end as a POST: signed JSON for programs, or a message for a channel.
 *
 * The raw bytes of the body are signed, as in every webhook of Millrace; redirects are not followed; a receiver has ten
 * seconds; an address is a secret and is never in a message.
 */
import { createHmac } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { escapeText } from "#base/HtmlPage"
import { version } from "#contract/version"
import { signatureHeaders } from "#contract/Webhook"
import type * as Notify from "#engine/Notify"
import { NotifyError } from "#engine/ScheduleNotifier"
import { details, headline, type Notice, payload } from "./scheduleNews.ts"

const answerMillis = 10_000

export const notifyWebhook = (to: typeof Notify.Webhook.Type, message: Notice) => {
  const body = Buffer.from(JSON.stringify(payload(message)))
  const own = Object.entries(to.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), Redacted.value(value)] as const
  )
  const signed = to.secret === undefined ? [] : signatureHeaders.map((name) => [name, sign(body, to.secret)] as const)
  return post(to.url, body, { ...Object.fromEntries(own), ...Object.fromEntries(signed) })
}

export const notifySlack = (to: typeof Notify.Slack.Type, message: Notice) => {
  const text = [`*${escapeText(headline(message))}*`, ...details(message).map(escapeText)].join("\n")
  return post(to.url, Buffer.from(JSON.stringify({ text: text.slice(0, 3500) })), {})
}

const post = (url: Redacted.Redacted, body: Uint8Array, headers: Readonly<Record<string, string>>) =>
  Effect.tryPromise({
    try: async () => {
      const answer = await fetch(Redacted.value(url), {
        method: "POST",
        redirect: "manual",
        signal: AbortSignal.timeout(answerMillis),
        headers: { "user-agent": `millrace/${version}`, ...headers, "content-type": "application/json" },
        body: new Uint8Array(body)
      })
      await answer.body?.cancel()
      return answer.status
    },
    catch: (cause) => new NotifyError({ message: reasonOf(cause), retryable: wasRefused(cause) })
  }).pipe(
    Effect.flatMap((status) =>
      status >= 200 && status <= 299
        ? Effect.void
        : Effect.fail(
            new NotifyError({
              message: `the receiver answered ${status}, not 2xx`,
              retryable: status === 429 || status >= 500
            })
          )
    )
  )

const sign = (body: Uint8Array, secret: Redacted.Redacted | undefined): string =>
  `sha256=${createHmac("sha256", secret === undefined ? "" : Redacted.value(secret))
    .update(body)
    .digest("hex")}`

/** The three characters that mean something to Slack. */

/** No connection was made, so the message has not arrived. If a connection broke, that is unknown. */
const wasRefused = (cause: unknown): boolean =>
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/.test(codeOf(cause))

/** The code of what happened, never its text: that has the address. */
const reasonOf = (cause: unknown): string => {
  if (cause instanceof Error && cause.name === "TimeoutError") return `no answer within ${answerMillis / 1000} s`
  const code = codeOf(cause)
  if (/^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code)) return `the connection broke before an answer came (${code})`
  return `the receiver cannot be reached${code === "" ? "" : ` (${code})`}`
}

const codeOf = (cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return inner instanceof Error && "code" in inner && typeof inner.code === "string" ? inner.code : ""
}
