/**
 * The contract of an inbox: events that were received over HTTP, kept until a run has read them.
 *
 * Guarantee:
 * - an event is on the disk before `accept` returns;
 * - ids of events are kept for ever: only bodies are removed, so an event that is sent again years later is not accepted
 *   again;
 * - events are read in the order in which they arrived, each with a number that no other event gets;
 * - bodies are removed from the oldest on, and never a body that a run may still read;
 * - several processes can have it open: one accepts events, another reads them.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"

/** An event as its sender sent it. */
export interface Event {
  /** The sender's id of the event: a second event with this id is not kept. */
  readonly id: string
  /** The body, unchanged. */
  readonly body: string
}

/**
 * An event that an inbox keeps, with its number and the time at which it was accepted.
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
  /** The sender's id of the event. */
  id: Schema.String,
  /** When it was accepted, in milliseconds since the epoch. */
  at: Schema.Int,
  /** The body, unchanged. */
  body: Schema.String
})
export interface Stored extends Schema.Schema.Type<typeof Stored> {}

/** accepted: the event is new and is kept. known: it was accepted before. different: its id was, with another body. */
export type Taken = "accepted" | "known" | "different"

/** The maximum that one `read` of an inbox returns. */
export interface Limit {
  /** The maximum number of events. */
  readonly events: number
  /** The maximum size of all bodies together. The first event is returned whatever its size. */
  readonly bytes: number
}

/** How many events an inbox has accepted, and how many bodies it still has. */
export interface Counts {
  /** All events that were ever accepted. It is also the number of the last event. */
  readonly events: number
  /** The events whose bodies are still kept. */
  readonly bodies: number
}

/** An open inbox. Its methods fail with `InboxError`. */
export interface Inbox {
  /** Unique for each inbox that is created, because event numbers of different inboxes cannot be compared. */
  readonly identity: string
  /** Keeps events, and returns one result for each event, in order. If it fails, none of the events is kept. */
  readonly accept: (events: ReadonlyArray<Event>) => Effect.Effect<ReadonlyArray<Taken>, InboxError>
  /** Events with greater numbers than `after`, in order. */
  readonly read: (after: number, limit: Limit) => Effect.Effect<ReadonlyArray<Stored>, InboxError>
  /** Removes bodies up to number `upTo` that were accepted before `before`, and returns how many it removed. */
  readonly forget: (upTo: number, before: number) => Effect.Effect<number, InboxError>
  /** How many events it has accepted, and how many bodies it still has. */
  readonly counts: Effect.Effect<Counts, InboxError>
}

/**
 * The inboxes of this program, as a service. `open` creates an inbox that does not exist, and closes it with the scope.
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
    /** Opens the inbox of this name; creates it if it does not exist. `directory` is the folder of the pipeline file. */
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
