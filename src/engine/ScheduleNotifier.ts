/**
 * Sends a notice about the end of a run to a person or a program.
 *
 * It sends once and reports whether that succeeded, or may succeed later. It never fails the run, and stores nothing.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Event, Notify } from "./Notify.ts"
import type * as ScheduleStore from "./ScheduleStore.ts"
import type { Task } from "./ScheduleTask.ts"

export interface Message {
  /** The id of the notice: the same for each attempt to send it. */
  readonly id: string
  readonly event: Event
  readonly task: Task
  readonly run: ScheduleStore.Run
}

/** A notice could not be sent. Its run is not affected. */
export class NotifyError extends Schema.TaggedError<NotifyError>()("NotifyError", {
  message: Schema.String,
  /** Whether nothing was delivered, and a later try may succeed. */
  retryable: Schema.Boolean
}) {}

export class Notifier extends Context.Service<
  Notifier,
  { readonly send: (to: Notify, message: Message) => Effect.Effect<void, NotifyError> }
>()("millrace/schedule/Notifier") {}
