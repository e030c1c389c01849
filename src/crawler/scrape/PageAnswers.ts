/**
 * What the crawler needs of whoever answers questions about a page: the formats question, highlights and query.
 *
 * `src/extract` provides it. What it gives are passages as the page says them.
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
    /** The passages that speak of this, in the order of the page. */
    readonly highlights: (page: Input, query: string) => Effect.Effect<ReadonlyArray<string>, FetchError>
  }
>()("millrace/PageAnswers") {}
