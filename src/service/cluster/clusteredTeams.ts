/**
 * `TeamLimits` over all processes of a database: the pages in flight of a team are counted where the team lives, its requests
 * a minute in the database.
 *
 * The law: a page waits for its permit as long as it takes. A process that loses the place of the team goes on with the pages
 * that have a permit, and tells the next place of them.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { uuid7 } from "../../api/uuid7.ts"
import { type Lane, RateExceeded, secondsOf, TeamLimits } from "../accounts/TeamLimits.ts"
import { Cluster } from "./Cluster.ts"
import * as TeamEntity from "./TeamEntity.ts"

/** What this process holds of one team. */
interface Held {
  readonly permits: number
  /** The jobs of the permits, by their ids. */
  readonly jobs: Map<string, string>
}

export const layer = Layer.effect(
  TeamLimits,
  Effect.suspend(() => make)
)

const make = Effect.gen(function* () {
  const { address, store } = yield* Cluster
  const isAlone = store.reports.pipe(
    Effect.map((reports) => reports.every(({ report }) => report.address === address)),
    // If the database cannot be asked, there may be others.
    Effect.orElseSucceed(() => false)
  )
  yield* Layer.build(TeamEntity.layer(isAlone))
  const teams = yield* TeamEntity.TeamEntity.client
  const heldOf = new Map<string, Held>()

  const tell = Effect.suspend(() =>
    Effect.forEach(
      heldOf,
      ([teamId, { jobs, permits }]) => {
        if (jobs.size === 0) return Effect.void
        const held = Array.from(jobs, ([id, job]) => ({ id, job }))
        return Effect.ignoreCause(
          Effect.timeoutOption(teams(teamId).Hold({ permits, process: address, held }), "2 seconds")
        )
      },
      { concurrency: "unbounded", discard: true }
    )
  )
  yield* Effect.forkScoped(Effect.repeat(tell, Schedule.spaced("1 second")))

  const lane = (teamId: string, permits: number): Lane => {
    const held = heldOf.get(teamId) ?? { permits, jobs: new Map<string, string>() }
    heldOf.set(teamId, held)
    const acquire = (id: string, job: string, waits: boolean): Effect.Effect<boolean> =>
      Effect.matchCauseEffect(teams(teamId).Acquire({ id, job, permits, process: address, waits }), {
        onSuccess: Effect.succeed,
        onFailure: () => Effect.delay(acquire(id, job, waits), againMillis)
      })
    const release = (id: string) =>
      Effect.andThen(
        Effect.sync(() => void held.jobs.delete(id)),
        Effect.ignoreCause(teams(teamId).Release({ id }, { discard: true }))
      )
    /** Runs work with a permit, if it is given. */
    const run = <A, B, E, R>(job: string, waits: boolean, work: Effect.Effect<A, E, R>, full: Effect.Effect<B, E, R>) =>
      Effect.uninterruptibleMask((restore): Effect.Effect<A | B, E, R> => {
        const id = uuid7()
        return Effect.flatMap(restore(acquire(id, job, waits)), (isGranted): Effect.Effect<A | B, E, R> => {
          if (!isGranted) return full
          held.jobs.set(id, job)
          return Effect.ensuring(restore(work), release(id))
        })
      })
    return {
      withPermit: (job) => (work) => run(job, true, work, Effect.never),
      ifFree: (work) => run("", false, Effect.asSome(work), Effect.succeedNone),
      inFlight: Effect.orDie(teams(teamId).InFlight())
    }
  }

  const admit = Effect.fnUntraced(function* (teamId: string, perMinute: number) {
    const seconds = yield* store.admit(teamId, perMinute)
    if (seconds > 0) return yield* Effect.fail(new RateExceeded(secondsOf(seconds)))
  })

  return TeamLimits.of({ lane, admit })
})

/** How soon a permit is asked for again whose place has moved. */
const againMillis = 200
