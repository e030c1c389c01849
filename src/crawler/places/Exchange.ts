/**
 * One exchange with a host, as plain data: what is asked for where the host lives, and what comes back.
 *
 * A host lives in one place: there its turns are kept, its pages are fetched, and plain pages are read. In one process that
 * place is this process, and `PoliteFetch` is asked directly; over several processes the request and the answer cross as
 * bytes (`exchangeBytes.ts`). The law: the crawler cannot tell from an answer which place gave it.
 */
import * as Effect from "effect/Effect"
import * as Page from "../../html/Page.ts"
import { FetchError, type Fetched, type Options } from "../fetch/Fetch.ts"
import * as MachineFault from "../fetch/MachineFault.ts"
import type { PoliteFetch } from "../politeness/PoliteFetch.ts"
import type { PageOrder } from "../scrape/PageOrder.ts"
import { readPage } from "../scrape/readPage.ts"

export interface Request {
  readonly url: string
  readonly options: Options
  readonly delayMillis: number
}

export type Answer =
  | { readonly _tag: "Fetched"; readonly fetched: Fetched }
  | {
      readonly _tag: "Failed"
      readonly url: string
      readonly code: string
      readonly message: string
      readonly retryable: boolean
    }
  /** The machine of the place is at its end: no failure of the page. */
  | { readonly _tag: "Fault"; readonly code: string; readonly message: string }
  /** The host does not live here now: ask again. */
  | { readonly _tag: "Moved" }

/** What a fetch at a place fails with that does not know whether the host still lives there. */
export const moved = (url: string): FetchError =>
  new FetchError({ url, code: movedCode, message: "the host moves to another process", retryable: true })

const movedCode = "PLACE_MOVED"

/** The place that hosts are known by: `example.com:8080`. */
export const placeOf = (url: URL): string => url.host

/** Does an exchange for whoever asked. `polite`: of this place. */
export const answer =
  (polite: PoliteFetch["Service"]) =>
  ({ delayMillis, options, url: href }: Request): Effect.Effect<Answer> => {
    const url = new URL(href)
    return polite.get(url, options, delayMillis).pipe(
      Effect.map((fetched): Answer => ({ _tag: "Fetched", fetched: readHere(url, fetched, options.order) })),
      Effect.catch((error) => Effect.succeed(refusal(error))),
      Effect.catchDefect((defect) => {
        if (defect instanceof Page.TooCostly) return Effect.succeed(tooCostly(href, defect.message))
        const fault = MachineFault.of(defect)
        return fault === undefined
          ? Effect.die(defect)
          : Effect.succeed<Answer>({ _tag: "Fault", code: fault.code, message: fault.message })
      })
    )
  }

/** What an answer means to who asked; undefined: it has to ask again. */
export const outcome = (answer: Answer): Effect.Effect<Fetched, FetchError> | undefined => {
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

const refusal = ({ code, message, retryable, url }: FetchError): Answer =>
  code === movedCode ? { _tag: "Moved" } : { _tag: "Failed", url, code, message, retryable }

/** A page that was ordered is read here; a large one by who asked, who has threads for it and counts what it ends. */
const readHere = (url: URL, fetched: Fetched, order: PageOrder | undefined): Fetched => {
  if (order === undefined || fetched.page !== undefined || fetched.body.length > mostBytes) return fetched
  const page = readPage(url, fetched, order)
  return page === undefined ? fetched : { ...fetched, body: nothing, page }
}

const tooCostly = (url: string, message: string): Answer => ({
  _tag: "Failed",
  url,
  code: "SCRAPE_PAGE_TOO_COSTLY",
  message,
  retryable: false
})

/** What takes longer to read would hold up the other hosts of the place. */
const mostBytes = 256 * 1024

const nothing = new Uint8Array()
