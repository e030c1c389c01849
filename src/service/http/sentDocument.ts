/**
 * The answer that has one page document, of its JSON text.
 *
 * A large one is made in turns: to store a text of megabytes, to write it as bytes and to hand the bytes over each takes a
 * while, and others are answered in between.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

export const sentDocument = (document: string): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  document.length < largeLength ? Effect.sync(() => answerOf(document)) : inTurns(document)

const answerOf = (document: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(encoder.encode(`${before}${document}${after}`), { contentType: json })

/** Without one text of both: that would be a copy more. */
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

/** A shorter one takes a few milliseconds in all. */
const largeLength = 1_000_000
