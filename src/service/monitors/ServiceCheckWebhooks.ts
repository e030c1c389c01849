/**
 * `CheckWebhooks` of the service: the events of a check go the way of every job's, as those of the group `monitor`.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CheckWebhooks } from "../../monitor/CheckWebhooks.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"

const make = Effect.map(Webhooks, ({ subscribe, wake }) =>
  CheckWebhooks.of({
    subscribe: ({ id, teamId }, webhook) => subscribe({ id, teamId, group: "monitor" }, webhook),
    send: wake
  })
)

export const layer = Layer.effect(CheckWebhooks, make)
