/**
 * The port by which the crawler has questions about a page answered: the formats question, highlights and query.
 *
 * `src/extract` implements it. It returns passages in the words of the page.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FetchError } from "./FetchError.ts"
import type { Input } from "./SchemaFiller.ts"

export interface PassageAnswer {
  /** The passage that answers. Undefined: none does, or the question was not understood. */
  readonly text?: string
  readonly isUnderstood: boolean
}

export class PageAnswers extends Context.Service<
  PageAnswers,
  {
    readonly answer: (page: Input, question: string) => Effect.Effect<PassageAnswer, FetchError>
    /** The passages about this, in the order of the page. */
    readonly highlights: (page: Input, query: string) => Effect.Effect<ReadonlyArray<string>, FetchError>
  }
>()("millrace/PageAnswers") {}
