/**
 * `AgentModel` with a model at an endpoint of chat completions, which drives runs.
 */
import * as LanguageModel from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AgentModel } from "#web/AgentModel"
import * as ChatModel from "#web/ChatModel"

export const layerModel = (config: ChatModel.ModelConfig) =>
  Layer.effect(
    AgentModel,
    Effect.map(LanguageModel.LanguageModel, (language) =>
      AgentModel.of({
        thinking: Option.some({ model: config.model, language, keepsUnsupported: config.keepsUnsupported })
      })
    )
  ).pipe(Layer.provide(ChatModel.layer(config)), Layer.provide(FetchHttpClient.layer))
