/**
 * What the crawler needs of whoever fills a schema from a page: the format json, and the data of `changeTracking`.
 *
 * `src/extract` provides it. A crawl that asks for no data of pages never calls it.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Unprocessable } from "../../api/Errors.ts"
import type { Engine } from "../../api/Extract.ts"
import type * as Page from "../../html/Page.ts"
import type { Json, JsonSchema } from "../../jsonSchema/JsonSchema.ts"
import type { FetchError } from "../fetch/FetchError.ts"

export interface Input {
  readonly url: string
  /** The page as HTML text; a file has its text as HTML. */
  readonly html: string
  readonly metadata: Page.Page["metadata"]
}

/** What is wanted of a page: a schema, words, or both. */
export interface Wanted {
  readonly schema: JsonSchema | undefined
  readonly prompt: string | undefined
}

export interface Filled {
  readonly data: Json
  readonly engine: Engine
  /** What the caller should know, as a sentence. */
  readonly warning?: string
}

export class SchemaFiller extends Context.Service<
  SchemaFiller,
  {
    /** Fails where nothing can be given that fits the schema, or where the page cannot be read. */
    readonly fill: (page: Input, wanted: Wanted) => Effect.Effect<Filled, FetchError | Unprocessable>
    /** The version of its rules: another one may give other data of the same page. */
    readonly version: number
  }
>()("millrace/SchemaFiller") {}
