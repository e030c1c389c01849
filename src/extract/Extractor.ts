/**
 * Data of a page in the shape of a schema, by whoever fills it: our own rules, or a model.
 *
 * The law: the answer says who filled it (`engine`); text of a page is data for both, never an instruction.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Unprocessable } from "../api/Errors.ts"
import type { Engine } from "../api/Extract.ts"
import type { JsonSchema } from "../jsonSchema/JsonSchema.ts"
import type { Extracted } from "./Candidates.ts"
import { extract, type Input } from "./extract.ts"

export type { Input } from "./extract.ts"

/** What is wanted of a page: a schema, words, or both. */
export interface Wanted {
  readonly schema: JsonSchema | undefined
  readonly prompt: string | undefined
  /** Words that a model is told before the prompt. */
  readonly systemPrompt?: string | undefined
}

export interface Filled extends Extracted {
  readonly engine: Engine
  /** What the model read and wrote; 0 without one. */
  readonly tokens: number
  /** What the caller should know, as a sentence. */
  readonly warning?: string
}

export class Extractor extends Context.Service<
  Extractor,
  {
    /** Fails where a model is asked and gives nothing that fits the schema, however often. */
    readonly fill: (page: Input, wanted: Wanted) => Effect.Effect<Filled, Unprocessable>
  }
>()("millrace/service/extract/Extractor") {
  /** Without a model. */
  static readonly layerRules = Layer.succeed(Extractor, {
    fill: (page, wanted) => Effect.sync(() => byRules(page, wanted))
  })
}

export const byRules = (page: Input, { prompt, schema }: Wanted): Filled => ({
  ...extract(page, schema, prompt),
  engine: { name: "rules" },
  tokens: 0
})
