/**
 * The port by which the crawler has questions about a page answered: the formats question, highlights and query.
 *
 * `src/extract` implements it. It returns passages in the words of the page.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FetchError } from "../fetch/FetchError.ts"
import type { Input } from "./SchemaFiller.ts"

export class PageAnswers extends Context.Service<
  PageAnswers,
  {
    /** The passage that answers; undefined: the page does not say. */
    readonly answer: (page: Input, question: string) => Effect.Effect<string | undefined, FetchError>
    /** The passages about this, in the order of the page. */
    readonly highlights: (page: Input, query: string) => Effect.Effect<ReadonlyArray<string>, FetchError>
  }
>()("millrace/PageAnswers") {}
