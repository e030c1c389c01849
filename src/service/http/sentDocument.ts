/**
 * The answer with one page document, from its JSON text.
 *
 * For a large document, storing the text, encoding it and sending the bytes each take a while: the fiber yields in between,
 * so that other callers are answered.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

export const sentDocument = (document: string): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  document.length < largeLength ? Effect.sync(() => answerOf(document)) : inTurns(document)

const answerOf = (document: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(encoder.encode(`${before}${document}${after}`), { contentType: json })

/** Encodes the parts into one array: joining the texts first would copy them once more. */
const inTurns = Effect.fnUntraced(function* (document: string) {
  yield* Effect.yieldNow
  const bytes = new Uint8Array(before.length + Buffer.byteLength(document) + after.length)
  encoder.encodeInto(before, bytes)
  const { written } = encoder.encodeInto(document, bytes.subarray(before.length))
  encoder.encodeInto(after, bytes.subarray(before.length + written))
  yield* Effect.yieldNow
  return HttpServerResponse.uint8Array(bytes, { contentType: json })
})

const encoder = new TextEncoder()
const json = "application/json"
const before = `{"success":true,"data":`
const after = "}"

/** A shorter text takes only a few milliseconds in all. */
const largeLength = 1_000_000
