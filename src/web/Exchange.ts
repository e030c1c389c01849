/**
 * One exchange with a host, as plain data: the request that is sent to the host's place, and the answer.
 *
 * A host belongs to one place: its turns are kept there, its pages are fetched there, and plain pages are read there.
 * In a single process that place is the process itself, and `PoliteFetch` is called directly. Between processes, the
 * request and the answer are sent as bytes (`exchangeBytes.ts`). Guarantee: the crawler cannot tell which place answered.
 */
import * as Effect from "effect/Effect"
import { Sharer } from "#base/FairPlaces"
import { FetchError, type FetchResult, type Options } from "./Fetch.ts"
import * as MachineFault from "./fetch/MachineFault.ts"
import { forOthers, LongPage, readRequested } from "./PageReader.ts"
import type { PoliteFetch } from "./PoliteFetch.ts"

export interface FetchRequest {
  readonly url: string
  readonly options: Options
  readonly delayMillis: number
  /** The team for which it is made (`FairPlaces.Sharer`). */
  readonly sharer: string
}

export type ExchangeAnswer =
  | { readonly _tag: "Fetched"; readonly fetched: FetchResult }
  | {
      readonly _tag: "Failed"
      readonly url: string
      readonly code: string
      readonly message: string
      readonly retryable: boolean
    }
  /** The machine of the place has a fault, which is not a failure of the page. */
  | { readonly _tag: "Fault"; readonly code: string; readonly message: string }
  /** The host does not belong to this place any more: the caller asks again. */
  | { readonly _tag: "Moved" }

/** The failure of a fetch at a place that does not know whether the host still belongs to it. */
export const moved = (url: string): FetchError =>
  new FetchError({ url, code: movedCode, message: "the host moves to another process", retryable: true })

const movedCode = "PLACE_MOVED"

/** The name of a host's place: `example.com:8080`. */
export const placeOf = (url: URL): string => url.host

/** Answers an exchange for another process. `polite`: the one of this place. */
export const answer =
  (polite: PoliteFetch["Service"]) =>
  ({ delayMillis, options, sharer, url: href }: FetchRequest): Effect.Effect<ExchangeAnswer> => {
    const url = new URL(href)
    return polite.get(url, options, delayMillis).pipe(
      Effect.flatMap((fetched) => readRequested(url, fetched, options.order)),
      Effect.provideService(LongPage, forOthers),
      Effect.provideService(Sharer, sharer),
      Effect.map((fetched): ExchangeAnswer => ({ _tag: "Fetched", fetched: withoutBody(fetched) })),
      Effect.catch((error) => Effect.succeed(refusal(error))),
      Effect.catchDefect((defect) => {
        const fault = MachineFault.of(defect)
        return fault === undefined
          ? Effect.die(defect)
          : Effect.succeed<ExchangeAnswer>({ _tag: "Fault", code: fault.code, message: fault.message })
      })
    )
  }

/** What an answer means for the caller; undefined: it has to ask again. */
export const outcome = (answer: ExchangeAnswer): Effect.Effect<FetchResult, FetchError> | undefined => {
  switch (answer._tag) {
    case "Fetched":
      return Effect.succeed(answer.fetched)
    case "Failed": {
      const { _tag: _, ...error } = answer
      return Effect.fail(new FetchError(error))
    }
    case "Fault":
      return Effect.die(new MachineFault.MachineFault({ code: answer.code, message: answer.message }))
    case "Moved":
      return undefined
  }
}

const refusal = ({ code, message, retryable, url }: FetchError): ExchangeAnswer =>
  code === movedCode ? { _tag: "Moved" } : { _tag: "Failed", url, code, message, retryable }

/** Its own thread may have read the page already. What was read is sent without the bytes that it was read from. */
const withoutBody = (fetched: FetchResult): FetchResult =>
  fetched.page === undefined ? fetched : { ...fetched, body: nothing }

const nothing = new Uint8Array()
