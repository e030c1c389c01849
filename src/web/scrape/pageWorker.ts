/**
 * A thread that fetches pages and reads them. It returns the bytes of a document and a short list of links, never the
 * text of a page.
 *
 * The caller handles turns, redirects, tries and time. A page that the thread does not read is returned as it was
 * answered.
 */

import { answering, startData } from "#base/answering"
import * as Page from "#page/Page"
import type * as AddressGuard from "../AddressGuard.ts"
import type { PageRequest, PageResult } from "../PageRequest.ts"
import * as PlainGet from "../PlainGet.ts"
import { readPage } from "./readPage.ts"

export interface Request {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly maxBytes: number
  readonly rejectUnauthorized: boolean
  readonly sendBefore: number | undefined
  readonly slowAfterMillis: number | undefined
  readonly order: PageRequest
}

export type PageAnswer =
  | { readonly _tag: "Fetched"; readonly fetched: PlainGet.FetchResult; readonly page?: PageResult | undefined }
  | { readonly _tag: "Failed"; readonly cause: Cause }
  | { readonly _tag: "TooCostly"; readonly message: string }
  /** It cannot be fetched here. */
  | { readonly _tag: "Elsewhere" }

/** The parts of an error that are sent to another thread. */
export interface Cause {
  readonly name: string
  readonly message: string
  readonly code: string
  readonly causes: ReadonlyArray<Cause>
}

export type Guard = Pick<
  AddressGuard.Options,
  "allowPrivate" | "resolve" | "connectTimeoutMillis" | "acceptsWrongLength" | "connections"
>

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `PageWorkers` starts the thread, and says this
const guard = startData() as Guard
const verifying = PlainGet.connections(guard, true)
const trusting = PlainGet.connections(guard, false)

answering<Request, PageAnswer>(
  ({ headers, maxBytes, order, rejectUnauthorized, sendBefore, slowAfterMillis, url: href }, { answer, working }) => {
    const began = Date.now()
    const url = new URL(href)
    const text = PlainGet.requestText(url, PlainGet.headersOf(headers))
    if (text === undefined) {
      answer({ _tag: "Elsewhere" })
      return () => {}
    }
    const read = (fetched: PlainGet.FetchResult): void => {
      try {
        const page = working(() => readPage(url, fetched, order))
        if (page === undefined) return answer({ _tag: "Fetched", fetched: { ...fetched, body: own(fetched.body) } })
        const { buffer } = page.document
        answer(
          { _tag: "Fetched", fetched: { ...fetched, body: nothing }, page },
          buffer instanceof ArrayBuffer ? [buffer] : []
        )
      } catch (cause) {
        if (!(cause instanceof Page.TooCostly)) throw cause
        answer({ _tag: "TooCostly", message: cause.message })
      }
    }
    return (rejectUnauthorized ? verifying : trusting).ask({
      url,
      text,
      maxBytes,
      sendBefore,
      slowAfterMillis,
      answered: (answered) => {
        let fetched: PlainGet.FetchResult
        try {
          fetched = PlainGet.fetchedOf(PlainGet.answeredOf(answered), maxBytes)
        } catch (cause) {
          return answer({ _tag: "Failed", cause: causeOf(cause) })
        }
        read({ ...fetched, elapsedMillis: Date.now() - began })
      },
      failed: (cause) => answer({ _tag: "Failed", cause: causeOf(cause) }),
      otherProtocol: () => answer({ _tag: "Elsewhere" })
    })
  }
)

const nothing = new Uint8Array()

/** A copy, because a view would be sent with its whole buffer. */
const own = (body: Uint8Array): Uint8Array =>
  body.byteLength === body.buffer.byteLength ? body : Uint8Array.from(body)

const causeOf = (cause: unknown): Cause => {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause]
  return { name: error.name, message: error.message, code, causes: inner.map(causeOf) }
}
