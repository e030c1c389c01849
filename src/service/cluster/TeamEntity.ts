/**
 * A team as an entity of the cluster: the pages that it has in flight, over all processes.
 *
 * A permit is held by a process for one page. Each process says every second which permits it holds: so a new place of the
 * team learns what is held, and the permits of a process that says nothing any more are free again. The law: a new place
 * gives nothing before the others had time to say what they hold, unless no other process is there.
 */
import * as Clock from "effect/Clock"
import * as Entity from "effect/cluster/Entity"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import * as Rpc from "effect/rpc/Rpc"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"

const Permit = { id: Schema.String, job: Schema.String }
const permits = Schema.Number

/** `permits`: what the plan of the team has. */
export const TeamEntity = Entity.make("Team", [
  /** Waits for the turn of the job, unless it must not: then it says whether there was room. */
  Rpc.make("Acquire", {
    payload: { ...Permit, permits, process: Schema.String, waits: Schema.Boolean },
    success: Schema.Boolean
  }),
  Rpc.make("Release", { payload: { id: Schema.String } }),
  /** What a process holds now. */
  Rpc.make("Hold", { payload: { permits, process: Schema.String, held: Schema.Array(Schema.Struct(Permit)) } }),
  Rpc.make("InFlight", { success: Schema.Number })
])

interface Held {
  readonly process: string
  /** When the process has said so last; undefined: it waits for it. */
  at: number | undefined
  readonly released: Deferred.Deferred<void>
}

/** `isAlone`: whether no other process is there. */
export const layer = (isAlone: Effect.Effect<boolean>) =>
  TeamEntity.toLayer(
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const held = new Map<string, Held>()
      const isOpen = yield* Latch.make(false)
      let lane: PartitionedSemaphore.PartitionedSemaphore<string> | undefined
      const laneOf = (most: number) => (lane ??= PartitionedSemaphore.makeUnsafe<string>({ permits: most }))

      /** Holds a permit for a process until it is released; it ends when the permit is there. */
      const hold = Effect.fnUntraced(function* (
        { id, job, process }: { readonly id: string; readonly job: string; readonly process: string },
        most: number,
        waits: boolean
      ) {
        const granted = yield* Deferred.make<boolean>()
        const released = yield* Deferred.make<void>()
        const own: Held = { process, at: undefined, released }
        held.set(id, own)
        const given = Effect.map(Clock.currentTimeMillis, (now) => void (own.at = now))
        const work = Effect.andThen(Effect.andThen(given, Deferred.succeed(granted, true)), Deferred.await(released))
        const lane = laneOf(most)
        const holding = waits
          ? lane.withPermit(job)(work)
          : Effect.andThen(lane.withPermitsIfAvailable(1)(work), Deferred.succeed(granted, false))
        const forget = Effect.sync(() => void held.delete(id))
        const gone = Deferred.await(released)
        yield* Effect.forkIn(Effect.ensuring(Effect.raceFirst(holding, gone), forget), scope)
        return yield* Deferred.await(granted)
      })
      const release = (id: string) =>
        Effect.suspend(() => {
          const one = held.get(id)
          return one === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(one.released, undefined))
        })

      /** What a process has not confirmed for long is free: it ended, or has lost the answer that gave it the permit. */
      const expire = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.forEach(
          Array.from(held).filter(([, { at }]) => at !== undefined && now - at > silentMillis),
          ([id]) => release(id)
        )
      )
      yield* Effect.forkScoped(Effect.repeat(expire, Schedule.spaced("1 second")))
      const opening = Effect.andThen((yield* isAlone) ? Effect.void : Effect.sleep(graceMillis), isOpen.open)
      yield* Effect.forkScoped(opening)

      return TeamEntity.of({
        Acquire: ({ payload: { permits: most, waits, ...permit } }) =>
          Effect.andThen(isOpen.await, hold(permit, most, waits)).pipe(Effect.onInterrupt(() => release(permit.id))),
        Release: ({ payload: { id } }) => release(id),
        Hold: ({ payload: { held: own, permits: most, process } }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.forEach(
              own,
              (permit): Effect.Effect<void> => {
                const known = held.get(permit.id)
                if (known !== undefined) return Effect.sync(() => void (known.at = now))
                return Effect.asVoid(Effect.forkIn(hold({ ...permit, process }, most, true), scope))
              },
              { discard: true }
            )
          ),
        InFlight: () => (lane === undefined ? Effect.succeed(0) : inFlight(lane))
      })
    }),
    { concurrency: "unbounded", mailboxCapacity: "unbounded", disableFatalDefects: true, maxIdleTime: "1 hour" }
  )

const inFlight = (lane: PartitionedSemaphore.PartitionedSemaphore<string>) =>
  Effect.map(lane.available, (free) => lane.capacity - free)

/** Processes say what they hold every second: whoever says nothing for so long holds nothing. */
const silentMillis = 6000

/** In this time each living process has said what it holds. */
const graceMillis = 2500
