/**
 * A POST behind the address guard. Redirects are not followed, and an answer is read only up to the caller's limit.
 */
import * as Effect from "effect/Effect"
import { request } from "undici"
import type * as AddressGuard from "./AddressGuard.ts"
import { toFetchError } from "./FetchError.ts"
import { TooLarge } from "./fetch/AnswerReader.ts"
import { type GuardedAgent, guardedAgent, type Limits } from "./guardedAgent.ts"

interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The maximum size of the answer. */
  readonly maxBytes: number
}

export interface Answered {
  readonly status: number
  /** Empty if the status is not 2xx: then the answer is not read. */
  readonly text: string
}

/** Returns the function that posts, until the scope closes. */
export const open = (guard: AddressGuard.Options, limits: Limits) =>
  Effect.map(
    guardedAgent(guard, limits),
    (agent) => (url: URL, message: Message) =>
      Effect.tryPromise({
        try: (signal) => exchange(agent, url, message, signal),
        catch: (cause) => toFetchError(url.href, cause)
      })
  )

const exchange = async (
  agent: GuardedAgent,
  url: URL,
  { body: sent, headers, maxBytes }: Message,
  signal: AbortSignal
): Promise<Answered> => {
  const dispatcher = await agent()
  const { body, statusCode } = await request(url, { dispatcher, signal, method: "POST", headers, body: sent })
  if (statusCode < 200 || statusCode > 299) {
    // An answer that is not read would hold its connection.
    body.on("error", () => {}).destroy()
    return { status: statusCode, text: "" }
  }
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("the body of an answer is not made of bytes")
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new TooLarge(maxBytes)
    chunks.push(chunk)
  }
  return { status: statusCode, text: Buffer.concat(chunks, bytes).toString("utf8") }
}
