/**
 * Reads a request to a receiver of webhooks: it is forged, signed without an event, or an event (`readWebhook`). Checks its
 * signature (`verifyWebhook`).
 *
 * Nothing of a body is read before its signature is verified, over its raw bytes; if both signature headers are
 * sent, both must verify, because one that does not was added by someone else. A signed body is still data: it may not
 * be text or JSON, or be nested until its reader breaks.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { jsonOf } from "#base/readableText"
import { signatureHeaders, WebhookPayload } from "./Webhook.ts"

/**
 * A request to a receiver of webhooks: not signed by the service, signed without an event, or an event. `text` is the body
 * as it was sent, `json` the same parsed.
 */
export type ReadWebhook =
  | { readonly _tag: "Forged"; readonly reason: string }
  | { readonly _tag: "NoEvent"; readonly reason: string }
  | { readonly _tag: "Event"; readonly type: string; readonly text: string; readonly json: unknown }

/**
 * Verifies a webhook, and reads its event. `body` is the raw bytes, the names of `headers` are lower case. Nothing of the
 * body is read before its signature is verified.
 *
 * @example
 * ```ts
 * import { createHmac } from "node:crypto"
 * import * as Redacted from "effect/Redacted"
 * import { readWebhook } from "millrace/client"
 *
 * const body = new TextEncoder().encode('{"type":"crawl.completed","id":"job-1"}')
 * const signature = `sha256=${createHmac("sha256", "the webhook secret").update(body).digest("hex")}`
 * const read = readWebhook(body, { "x-service-signature": signature }, Redacted.make("the webhook secret"))
 * console.log(read._tag, readWebhook(body, {}, Redacted.make("the webhook secret"))._tag) // "Event" "Forged"
 * ```
 */
export const readWebhook = (
  body: Uint8Array,
  headers: Readonly<Record<string, string | undefined>>,
  secret: Redacted.Redacted
): ReadWebhook => {
  const sent = signatureHeaders.flatMap((name) => headers[name] ?? [])
  if (sent.length === 0) return { _tag: "Forged", reason: `there is no signature: ${signatureHeaders[0]} is missing` }
  if (!sent.every((signature) => verifyWebhook(body, signature, secret))) {
    return { _tag: "Forged", reason: "the signature does not match this body and the secret of this receiver" }
  }
  const text = textOf(body)
  if (text === undefined) return noEvent("the body is not UTF-8")
  if (isDeep(text)) return noEvent(`the body is nested deeper than ${deepest}`)
  const json = jsonOf(text)
  if (json === undefined) return noEvent("the body is not JSON")
  if (!hasType(json)) return noEvent("the body is not an event: it has no type")
  return { _tag: "Event", type: json.type, text, json }
}

/** The fields of every event of the contract. The items of `data` depend on the type. */
export const WebhookEvent = Schema.Struct({
  type: WebhookPayload.fields.type,
  id: WebhookPayload.fields.id,
  webhookId: Schema.String.check(
    Schema.isPattern(/^[\x21-\x7e]{1,200}$/, { expected: "an id of at most 200 characters, without blanks" })
  ),
  data: Schema.Array(Schema.Unknown)
})
export type WebhookEvent = typeof WebhookEvent.Type

const deepest = 100

const noEvent = (reason: string): ReadWebhook => ({ _tag: "NoEvent", reason })

const textOf = (body: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Whether the JSON is nested deeper than any real event. Brackets in strings do not count. */
const isDeep = (text: string): boolean => {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++
    } else if (sign === "[" || sign === "{") depth += 1
    else if (sign === "]" || sign === "}") depth -= 1
    if (depth > deepest) return true
  }
  return false
}

const hasType = Schema.is(Schema.Struct({ type: Schema.NonEmptyString }))

/**
 * Whether a webhook comes from the service: check this before anything else.
 *
 * The signature is `sha256=<hex>`, an HMAC-SHA256 with the webhook secret over the raw bytes of the body, not over a body
 * that was parsed and encoded again. The comparison takes constant time. Returns false if the header is missing or
 * malformed, or the secret is empty.
 *
 * `signature`: the unchanged header, from `Headers.get` or from the headers of node:http.
 *
 * @see RFC 2104 (HMAC)
 * @example
 * ```ts
 * import { createHmac } from "node:crypto"
 * import * as Redacted from "effect/Redacted"
 * import { verifyWebhook } from "millrace/client"
 *
 * const body = new TextEncoder().encode('{"type":"crawl.completed","id":"job-1"}')
 * const signature = `sha256=${createHmac("sha256", "the webhook secret").update(body).digest("hex")}`
 * console.log(verifyWebhook(body, signature, Redacted.make("the webhook secret"))) // true
 * console.log(verifyWebhook(body, signature, Redacted.make("another secret"))) // false
 * ```
 */
export const verifyWebhook = (
  body: Uint8Array,
  signature: string | ReadonlyArray<string> | null | undefined,
  secret: Redacted.Redacted
): boolean => {
  const key = Redacted.value(secret)
  const hex = typeof signature === "string" ? /^sha256\s*=\s*([\da-f]{64})$/i.exec(signature.trim())?.[1] : undefined
  if (hex === undefined || key === "") return false
  return timingSafeEqual(Buffer.from(hex, "hex"), createHmac("sha256", key).update(body).digest())
}
