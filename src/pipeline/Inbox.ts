/**
 * The contract of an inbox: events that came from outside, kept until a run has read them.
 *
 * The law:
 * - an event is on the disk before `accept` answers for it;
 * - an event is known by its id for ever: only bodies are removed, so an event that is sent again years later is not
 *   accepted again;
 * - events are read in the order in which they came, each with a number that no other event ever gets;
 * - bodies are removed from the front, and never one that a run may still read;
 * - several processes have it open: one accepts events, another reads them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"

export interface Event {
  readonly id: string
  /** As it was sent. */
  readonly body: string
}

export const Stored = Schema.Struct({
  /** Its number: 1 is the first. */
  seq: Schema.Int,
  id: Schema.String,
  /** When it was taken, in milliseconds since the epoch. */
  at: Schema.Int,
  body: Schema.String
})
export interface Stored extends Schema.Schema.Type<typeof Stored> {}

/** accepted: it is kept now. known: it was kept before, with this body. different: its id was, with another body. */
export type Taken = "accepted" | "known" | "different"

export interface Limit {
  readonly events: number
  /** Of bodies, together: one event is read whatever its size. */
  readonly bytes: number
}

export interface Counts {
  /** All that were ever taken, and the number of the last. */
  readonly events: number
  /** Those whose bodies are kept. */
  readonly bodies: number
}

export interface Inbox {
  /** Another one for each inbox that is made: the numbers of one say nothing of another's. */
  readonly identity: string
  /** One answer for each event, in their order. Where it fails, none of them is kept. */
  readonly accept: (events: ReadonlyArray<Event>) => Effect.Effect<ReadonlyArray<Taken>, InboxError>
  /** Events behind this number, the first ones first. */
  readonly read: (after: number, limit: Limit) => Effect.Effect<ReadonlyArray<Stored>, InboxError>
  /** Forgets the bodies up to this number that were taken before this time, and says how many. */
  readonly forget: (upTo: number, before: number) => Effect.Effect<number, InboxError>
  readonly counts: Effect.Effect<Counts, InboxError>
}

export class Inboxes extends Context.Service<
  Inboxes,
  {
    /** The inbox of this name, made where there is none. `directory` is the folder of the pipeline file. */
    readonly open: (name: string, directory: string) => Effect.Effect<Inbox, InboxError, Scope.Scope>
  }
>()("millrace/pipeline/Inboxes") {}

/** An inbox that cannot be opened, read or written. */
export class InboxError extends Schema.TaggedError<InboxError>()("InboxError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
