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

/** An event as its sender named it. */
export interface Event {
  /** The name by which its sender knows it: a second event of this id is not kept. */
  readonly id: string
  /** As it was sent. */
  readonly body: string
}

/**
 * An event that an inbox keeps, with its number and the time at which it was taken.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Inbox } from "millrace"
 *
 * const decode = Schema.decodeUnknownSync(Inbox.Stored)
 * console.log(decode({ seq: 1, id: "a", at: 0, body: "{}" }).seq) // 1
 * ```
 */
export const Stored = Schema.Struct({
  /** Its number: 1 is the first. */
  seq: Schema.Int,
  /** The name by which its sender knows it. */
  id: Schema.String,
  /** When it was taken, in milliseconds since the epoch. */
  at: Schema.Int,
  /** As it was sent. */
  body: Schema.String
})
export interface Stored extends Schema.Schema.Type<typeof Stored> {}

/** accepted: it is kept now. known: it was kept before, with this body. different: its id was, with another body. */
export type Taken = "accepted" | "known" | "different"

/** How much one reading of an inbox may give. */
export interface Limit {
  /** The maximum number of events. */
  readonly events: number
  /** Of bodies, together: one event is read whatever its size. */
  readonly bytes: number
}

/** How many events an inbox has taken, and how many of them it still holds. */
export interface Counts {
  /** All that were ever taken, and the number of the last. */
  readonly events: number
  /** Those whose bodies are kept. */
  readonly bodies: number
}

/** An open inbox. Its methods fail with `InboxError`. */
export interface Inbox {
  /** Another one for each inbox that is made: the numbers of one say nothing of another's. */
  readonly identity: string
  /** One answer for each event, in their order. Where it fails, none of them is kept. */
  readonly accept: (events: ReadonlyArray<Event>) => Effect.Effect<ReadonlyArray<Taken>, InboxError>
  /** Events behind this number, the first ones first. */
  readonly read: (after: number, limit: Limit) => Effect.Effect<ReadonlyArray<Stored>, InboxError>
  /** Forgets the bodies up to this number that were taken before this time, and says how many. */
  readonly forget: (upTo: number, before: number) => Effect.Effect<number, InboxError>
  /** How many events it has taken, and how many it still has. */
  readonly counts: Effect.Effect<Counts, InboxError>
}

/**
 * The inboxes of this program, as a service. `open` makes an inbox that does not exist, and closes it with the scope.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Inbox, Inboxes } from "millrace"
 *
 * const taken = Effect.gen(function* () {
 *   const inbox = yield* (yield* Inbox.Inboxes).open("orders", process.cwd())
 *   return yield* inbox.accept([{ id: "order-1", body: '{"total":12}' }])
 * })
 * console.log(await Effect.runPromise(Effect.scoped(taken).pipe(Effect.provide(Inboxes.layerMemory)))) // ["accepted"]
 * ```
 */
export class Inboxes extends Context.Service<
  Inboxes,
  {
    /** The inbox of this name, made where there is none. `directory` is the folder of the pipeline file. */
    readonly open: (name: string, directory: string) => Effect.Effect<Inbox, InboxError, Scope.Scope>
  }
>()("millrace/pipeline/Inboxes") {}

/**
 * An inbox that cannot be opened, read or written.
 *
 * @example
 * ```ts
 * import { Inbox } from "millrace"
 *
 * const full = new Inbox.InboxError({ message: "the disk is full; make room, then send the event again" })
 * console.log(full.message) // "the disk is full; make room, then send the event again"
 * ```
 */
export class InboxError extends Schema.TaggedError<InboxError>()("InboxError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
