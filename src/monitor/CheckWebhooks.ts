/**
 * The webhooks of checks. The events of a webhook are written by `CheckStore`, in the transaction of what they report; here
 * is who receives it, and that it is sent.
 *
 * Who implements this keeps two things: `subscribe` writes in the transaction of its caller, so a check is never without
 * its webhook; and a check never waits for a receiver, however slow that is.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Webhook } from "../api/Webhook.ts"
import type { StoreError } from "../crawler/StoreError.ts"
import type { Check } from "./Monitor.ts"

export class CheckWebhooks extends Context.Service<
  CheckWebhooks,
  {
    /** Records that a webhook gets the events of a check, and that the check has started. */
    readonly subscribe: (check: Pick<Check, "id" | "teamId">, webhook: Webhook) => Effect.Effect<void, StoreError>
    /** Sends what a check has told since, after that is committed. Returns at once. */
    readonly send: (checkId: string) => Effect.Effect<void>
  }
>()("millrace/CheckWebhooks") {}
