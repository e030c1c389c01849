/** The index of a service that has no texts. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { GovIndex } from "../GovIndex.ts"

export const layerNone = Layer.succeed(
  GovIndex,
  GovIndex.of({ sections: Effect.succeed(0), search: () => Effect.succeed([]) })
)
