/**
 * The webhooks of checks: who receives events, and the sending. `CheckStore` writes the events, in the transaction of what
 * they report.
 *
 * Implementations must keep two rules: `subscribe` writes in the transaction of its caller, so that no check lacks its
 * webhook; and a check never waits for a receiver.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Webhook } from "#contract/Webhook"
import type { StoreError } from "#web/StoreError"
import type { Check } from "./Monitor.ts"

export class CheckWebhooks extends Context.Service<
  CheckWebhooks,
  {
    /** Records that a webhook gets the events of a check, and that the check has started. */
    readonly subscribe: (check: Pick<Check, "id" | "teamId">, webhook: Webhook) => Effect.Effect<void, StoreError>
    /** Sends the events of a check that are not sent yet. Call it after they are committed. Returns at once. */
    readonly send: (checkId: string) => Effect.Effect<void>
  }
>()("millrace/CheckWebhooks") {}
