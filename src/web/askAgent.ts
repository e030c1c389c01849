/**
 * A GET by undici's dispatcher, for requests that `KeptConnections` does not handle.
 *
 * It uses the dispatcher, not `fetch`: that takes a third of the CPU, and decompression can be limited (that of `fetch`
 * cannot).
 */
import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"
import { BadAnswer } from "./fetch/AnswerHead.ts"
import { TooLarge } from "./fetch/AnswerReader.ts"
import { trickles, windowOf } from "./fetch/leastRate.ts"
import type { GuardedAgent } from "./guardedAgent.ts"
import { isTooLate, NotSent } from "./SendLimit.ts"

/** An answer, unchanged. */
export interface Answered {
  readonly status: number
  /** The first field with this name; of `Link` all of them. */
  readonly header: (name: string) => string | undefined
  readonly cookies: ReadonlyArray<string>
  readonly body: Uint8Array
  /** Whether the body is valid only until this callback returns. */
  readonly isBorrowed: boolean
  /** Whether the body is shorter than its Content-Length. */
  readonly isLengthWrong: boolean
}

interface Question {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly maxBytes: number
  /** The latest time to send it (`SendLimit`). */
  readonly sendBefore?: number | undefined
  /** As that of `Connection`. */
  readonly slowAfterMillis?: number | undefined
  readonly answered: (answer: Answered) => void
  readonly failed: (cause: unknown) => void
}

/** Sends a request, and returns the function that cancels it. */
export const askAgent = (
  agent: GuardedAgent,
  { answered, failed, headers, maxBytes, sendBefore, slowAfterMillis, url }: Question
): (() => void) => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  let head: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined
  let begun: Dispatcher.DispatchController | undefined
  let isOver = false
  const windowMillis = windowOf(slowAfterMillis)
  /** The bytes that had arrived when the window began. */
  let window = { began: 0, bytes: 0 }
  const fail = (cause: unknown) => {
    if (!isOver) failed(cause)
    isOver = true
  }
  const question = { origin: url.origin, path: `${url.pathname}${url.search}`, method: "GET" as const, headers }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      if (isOver) return controller.abort(new Interrupted())
      if (isTooLate(sendBefore)) {
        fail(new NotSent())
        return controller.abort(new Interrupted())
      }
      begun = controller
    },
    onResponseStart: (_, status, headers) => {
      // A status below 200 only says that the answer will follow.
      if (status >= 200) head = { status, headers }
      window = { began: performance.now(), bytes }
    },
    onResponseData: (controller, chunk) => {
      if (maxBytes === 0) {
        handler.onResponseEnd?.(controller, {})
        return controller.abort(new Interrupted())
      }
      bytes += chunk.byteLength
      chunks.push(chunk)
      const now = performance.now()
      if (now - window.began >= windowMillis) {
        if (trickles(bytes - window.bytes, windowMillis)) {
          fail(new BadAnswer("ERR_ANSWER_SLOW"))
          return controller.abort(new Interrupted())
        }
        window = { began: now, bytes }
      }
      if (bytes <= maxBytes) return
      fail(new TooLarge(maxBytes))
      controller.abort(new TooLarge(maxBytes))
    },
    onResponseEnd: () => {
      if (isOver) return
      if (head === undefined) return fail(new Error("the host ended its answer before it began"))
      isOver = true
      const { headers, status } = head
      answered({
        status,
        header: (name) => (name === "link" ? joined(headers[name]) : single(headers[name])),
        cookies: several(headers["set-cookie"]),
        body: whole(chunks, bytes),
        isBorrowed: false,
        isLengthWrong: false
      })
    },
    onResponseError: (_, cause) => fail(cause)
  }
  agent()
    .then((dispatcher) => {
      if (!isOver) dispatcher.dispatch(question, handler)
    })
    .catch(fail)
  return () => {
    isOver = true
    begun?.abort(new Interrupted())
  }
}

class Interrupted extends Error {}

const whole = (chunks: ReadonlyArray<Uint8Array>, bytes: number): Uint8Array => {
  const [first] = chunks
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, bytes)
}

const single = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "string" ? value : value?.[0]

const joined = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  value === undefined ? undefined : several(value).join(", ")

const several = (value: string | ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : typeof value === "string" ? [value] : value
