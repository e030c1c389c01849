/**
 * The limits of a team over all its work: pages in flight, for which its jobs take turns, and requests per minute.
 *
 * Here one process keeps them, which is right if it is the only one; `../cluster/clusteredTeams.ts` keeps them over all
 * processes of a database.
 */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as FairPlaces from "#base/FairPlaces"
import type { StoreError } from "#web/StoreError"

/** The team has made too many requests in this minute. `seconds`: how long to wait. */
export class RateExceeded {
  readonly _tag = "RateExceeded"
  readonly seconds: number
  constructor(seconds: number) {
    this.seconds = seconds
  }
}

/** The pages in flight of one team. */
export interface Lane {
  /** Runs work when it is the turn of its job. */
  readonly withPermit: (job: string) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs work if there is room for it now; None: there is not. */
  readonly ifFree: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<A>, E, R>
  readonly inFlight: Effect.Effect<number>
}

export class TeamLimits extends Context.Service<
  TeamLimits,
  {
    readonly lane: (teamId: string, permits: number) => Lane
    /** Counts one request against the team's rate. */
    readonly admit: (teamId: string, perMinute: number) => Effect.Effect<void, RateExceeded | StoreError>
  }
>()("millrace/service/TeamLimits") {
  /** Limits that hold in this process only. */
  static readonly layer = Layer.effect(
    TeamLimits,
    Effect.suspend(() => make)
  ).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))
}

const make = Effect.gen(function* () {
  const limiter = yield* RateLimiter.RateLimiter
  const lanes = new Map<string, { readonly lane: Lane; readonly resize: (permits: number) => void; permits: number }>()

  const lane = (teamId: string, permits: number): Lane => {
    const known = lanes.get(teamId)
    if (known !== undefined) {
      if (known.permits !== permits) known.resize(permits)
      known.permits = permits
      return known.lane
    }
    const places = FairPlaces.create(permits, false)
    const made: Lane = {
      withPermit: places.duringOf,
      ifFree: places.ifFree(""),
      inFlight: Effect.sync(places.taken)
    }
    lanes.set(teamId, { lane: made, resize: places.resize, permits })
    return made
  }

  const admit = (teamId: string, perMinute: number) =>
    limiter
      .consume({ key: teamId, limit: perMinute, window: "1 minute", algorithm: "token-bucket", onExceeded: "fail" })
      .pipe(
        Effect.asVoid,
        Effect.catch(
          (error) =>
            error.reason._tag === "RateLimitExceeded"
              ? Effect.fail(new RateExceeded(secondsOf(Duration.toSeconds(error.reason.retryAfter))))
              : Effect.die(error) // the memory store cannot fail
        )
      )

  return TeamLimits.of({ lane, admit })
})

/** The seconds that an answer asks the caller to wait: whole, at least one. */
export const secondsOf = (seconds: number): number => Math.max(1, Math.ceil(seconds))
