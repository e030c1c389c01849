/**
 * What rules make of a page: they fill schemas, they answer questions, and they say what of a model's data the page supports.
 * They do it in threads of their own and in limited time: a page that takes long stops nobody else, and one that takes too long
 * fails alone.
 *
 * The threads have nothing but the page and the question; they end when nobody has asked for a while, and with the scope.
 */
import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Gate } from "#base/Gate"
import * as Threads from "#base/Threads"
import type { Json } from "#contract/JsonSchema"
import { FileProblem } from "#web/FileProblem"
import type { PassageAnswer } from "#web/PageAnswers"
import type * as SchemaFiller from "#web/SchemaFiller"
import type { Extracted, Filled, Wanted } from "./Candidates.ts"
import type { Support } from "./Support.ts"

/** Plain data, because it crosses between threads, and between processes. */
export type Request =
  | { readonly kind: "fill"; readonly page: SchemaFiller.Input; readonly wanted: Wanted }
  | { readonly kind: "answer"; readonly page: SchemaFiller.Input; readonly question: string }
  | { readonly kind: "highlights"; readonly page: SchemaFiller.Input; readonly query: string }
  | { readonly kind: "support"; readonly page: SchemaFiller.Input; readonly claim: Claim }

/** What a model says of a page: the data, the text that it was given, and what rules have found. */
export interface Claim {
  readonly data: Json
  readonly text: string
  readonly found: Extracted
}

/** What each kind of question is answered with. */
export interface Answers {
  readonly fill: Filled
  readonly answer: PassageAnswer
  readonly highlights: ReadonlyArray<string>
  readonly support: Support
}

type AnswerOf<Asked extends Request> = Answers[Asked["kind"]]

/** What a thread posts: the answer, or why there is none. */
export type Posted = { readonly answer: Answers[keyof Answers] } | { readonly problem: string }

interface Rules {
  /** Fails where a page takes too long, or more memory than a page may take; and where the rules fail, which is a fault of theirs. */
  readonly ask: <Asked extends Request>(request: Asked) => Effect.Effect<AnswerOf<Asked>, FileProblem>
}

/** One page may not take longer. A table of 20,000 rows with ten columns takes a tenth to a half of it. */
const mostMillis = 60_000

/** Each thread learns the rules anew, and takes 100 MB: on two cores one reads pages, beside the thread that crawls. Others help where it is held up. */
const places = Math.min(4, Math.max(1, availableParallelism() - 1))
const spare = 2
const patienceMillis = 1000

export const start = (millis = mostMillis): Effect.Effect<Rules, never, Scope.Scope> =>
  Effect.map(
    Threads.pool<Request, Posted>({
      file: "./rulesWorker",
      beside: import.meta.url,
      threads: places + spare,
      idleMillis: 30_000,
      mostMillis: millis,
      heapMegabytes: 512,
      bufferMegabytes: 256,
      restMegabytes: 128
    }),
    ({ ask }) => {
      const gate = new Gate({ places, spare, patienceMillis })
      return {
        ask: <Asked extends Request>(request: Asked) =>
          Effect.flatMap(Effect.mapError(gate.within(ask(request)), problemOf), (posted) =>
            "answer" in posted
              ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `rulesWorker` answers each kind of question with its own kind
                Effect.succeed(posted.answer as AnswerOf<Asked>)
              : Effect.fail(unsearched(posted.problem))
          )
      }
    }
  )

/** A thread that ends for any other reason says nothing about the page. */
const problemOf = ({ isMemory, isTime = false, message }: Threads.ThreadEnded): FileProblem =>
  isMemory || isTime
    ? new FileProblem("SCRAPE_PAGE_TOO_COSTLY", `the page is too costly to search: ${message}`)
    : unsearched(message)

const unsearched = (why: string) => new FileProblem("SCRAPE_EXTRACTION_ERROR", `the page cannot be searched: ${why}`)
