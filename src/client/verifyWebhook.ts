/**
 * Whether a webhook comes from the service: the check to make before anything else is done with it.
 *
 * The specification (Authentication 5): the signature is `sha256=<hex>`, an HMAC-SHA256 with the webhook secret over
 * the body's raw bytes; what was parsed and written again is another body. The comparison takes the same time wherever
 * the two differ. A missing or malformed header, and a secret that is empty, verify nothing.
 *
 *     createServer(async (request, response) => {
 *       const body = await buffer(request) // node:stream/consumers
 *       const signature = request.headers["x-service-signature"]
 *       if (!verifyWebhook(body, signature, secret)) return response.writeHead(401).end()
 *       const { type, id, data } = JSON.parse(body.toString()) // WebhookPayload of millrace/api
 *       response.writeHead(204).end()
 *     })
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import * as Redacted from "effect/Redacted"

/** `signature`: the header as it came, from `Headers.get` or from the headers of node:http. */
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
