/**
 * The port by which the crawler has a schema filled from a page: for the format json, and the data of `changeTracking`.
 *
 * `src/extract` implements it. A crawl that requests no data never calls it.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Unprocessable } from "#contract/Errors"
import type { Engine, Unsupported, ValueSource } from "#contract/Extract"
import type { Json, JsonSchema } from "#contract/JsonSchema"
import type * as Page from "#page/Page"
import type { FetchError } from "./FetchError.ts"

export interface Input {
  readonly url: string
  /** The page as HTML text; a file has its text as HTML. */
  readonly html: string
  readonly metadata: Page.Page["metadata"]
}

/** What is wanted from a page: a schema, a prompt, or both. */
export interface Wanted {
  readonly schema: JsonSchema | undefined
  readonly prompt: string | undefined
  /** Whether facts of a model that no page says stay in the data, marked. Undefined: as the operator of the service decides. */
  readonly keepsUnsupported?: boolean | undefined
}

export interface Filled {
  readonly data: Json
  readonly engine: Engine
  /** Where each value stands on the page, by its JSON pointer. */
  readonly sources?: ReadonlyMap<string, Omit<ValueSource, "url">>
  /** Of a model: the facts that the page does not say, and JSON pointers of its judgements. */
  readonly unsupported?: ReadonlyArray<Unsupported>
  readonly inferred?: ReadonlyArray<string>
  /** A message for the caller, as a sentence. */
  readonly warning?: string
}

/** What the caller should know of facts that a model gave and no page says, as a sentence. */
export const unsupportedWarning = (facts: ReadonlyArray<Unsupported>): string => {
  const isKept = facts.some(({ kept }) => kept === true)
  return facts.length === 1
    ? `one value that the model gave is on no page that was read: ${isKept ? "it stays in the data, and `unsupported` names it" : "it is left out, and `unsupported` has it"}`
    : `${facts.length} values that the model gave are on no page that was read: ${isKept ? "they stay in the data, and `unsupported` names them" : "they are left out, and `unsupported` has them"}`
}

export class SchemaFiller extends Context.Service<
  SchemaFiller,
  {
    /** Fails if no value fits the schema, or if the page cannot be read. */
    readonly fill: (page: Input, wanted: Wanted) => Effect.Effect<Filled, FetchError | Unprocessable>
    /** The version of its rules: another version may extract other data from the same page. */
    readonly version: number
  }
>()("millrace/SchemaFiller") {}
