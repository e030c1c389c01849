/** What is wanted of a page, and what was made of it. */
import type * as SchemaFiller from "#web/SchemaFiller"
import type { Extracted } from "./Candidates.ts"

/** A schema, words, or both. */
export interface Wanted extends SchemaFiller.Wanted {
  /** Words that a model gets before the prompt. */
  readonly systemPrompt?: string | undefined
}

export interface Filled extends SchemaFiller.Filled, Extracted {
  /** What the model read and wrote; 0 without one. */
  readonly tokens: number
}
