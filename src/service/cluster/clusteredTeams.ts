/**
 * `TeamLimits` over all processes of a database: the process in which a team lives shares out its pages in flight, and the
 * database counts its requests per minute.
 *
 * Guarantee: a page waits for its permit as long as it takes. When the team moves, pages that have a permit continue, and
 * their process reports them to the new one.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import { type Lane, RateExceeded, secondsOf, TeamLimits } from "../accounts/TeamLimits.ts"
import { Cluster } from "./Cluster.ts"
import * as TeamEntity from "./TeamEntity.ts"
import * as TeamLane from "./TeamLane.ts"

export const layer = Layer.effect(
  TeamLimits,
  Effect.suspend(() => make)
)

const make = Effect.gen(function* () {
  const { address, store } = yield* Cluster
  const clock = yield* Clock.Clock
  const start = yield* FiberSet.makeRuntime()
  const isAlone = store.reports.pipe(
    Effect.map((reports) => reports.every(({ report }) => report.address === address)),
    // If the database does not answer, there may be others.
    Effect.orElseSucceed(() => false)
  )
  yield* Layer.build(TeamEntity.layer(isAlone))
  const teams = yield* TeamEntity.TeamEntity.client
  const lanes = new Map<string, Lane>()

  const lane = (teamId: string, permits: number): Lane => {
    const known = lanes.get(teamId)
    if (known !== undefined) return known
    const entity = teams(teamId)
    const team = { tell: entity.Tell, inFlightBeside: (process: string) => entity.InFlightBeside({ process }) }
    const { lane, run } = TeamLane.open(address, permits, team, clock)
    start(run)
    lanes.set(teamId, lane)
    return lane
  }

  const admit = Effect.fnUntraced(function* (teamId: string, perMinute: number) {
    const seconds = yield* store.admit(teamId, perMinute)
    if (seconds > 0) return yield* Effect.fail(new RateExceeded(secondsOf(seconds)))
  })

  return TeamLimits.of({ lane, admit })
})
