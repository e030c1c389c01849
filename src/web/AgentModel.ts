/**
 * The language model that drives agent runs, where one is configured.
 */
import type * as LanguageModel from "effect/ai/LanguageModel"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

export interface Thinking {
  /** The name of the model in answers. */
  readonly model: string
  readonly language: LanguageModel.LanguageModel
  /** Whether facts that no page says stay in the data, marked, where a request does not say. */
  readonly keepsUnsupported?: boolean | undefined
}

export class AgentModel extends Context.Service<AgentModel, { readonly thinking: Option.Option<Thinking> }>()(
  "millrace/model/AgentModel"
) {
  /** Without a model: runs follow rules. */
  static readonly layerRules = Layer.succeed(AgentModel, { thinking: Option.none() })
}
