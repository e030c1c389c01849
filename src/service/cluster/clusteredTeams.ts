/**
 * `TeamLimits` over all processes of a database: the process in which a team lives shares out its pages in flight, and the
 * database counts its requests per minute.
 *
 * Guarantee: a page waits for its permit as long as it takes. When the team moves, pages that have a permit continue, and
 * their process reports them to the new one.
 */
import * as Clock from "effect/Clock"
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { type Lane, RateExceeded, secondsOf, TeamLimits } from "../accounts/TeamLimits.ts"
import { Cluster } from "./Cluster.ts"
import * as TeamLane from "./TeamLane.ts"
import * as TeamShares from "./TeamShares.ts"

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
  yield* Layer.build(layerEntity(isAlone))
  const teams = yield* TeamEntity.client
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

/** A team as an entity of the cluster: it lives in one process at a time, which shares out its permits. */
const TeamEntity = Entity.make("Team", [
  Rpc.make("Tell", { payload: TeamShares.Statement.fields, success: Schema.Number }),
  /** The number of pages in flight in the other processes. */
  Rpc.make("InFlightBeside", { payload: { process: Schema.String }, success: Schema.Number })
]).annotate(ClusterSchema.ClientTracingEnabled, false)

/** `isAlone`: whether this is the only process. */
const layerEntity = (isAlone: Effect.Effect<boolean>) =>
  TeamEntity.toLayer(
    Effect.map(TeamShares.start(isAlone), (shares) =>
      TeamEntity.of({
        Tell: ({ payload }) => shares.tell(payload),
        InFlightBeside: ({ payload: { process } }) => shares.inFlightBeside(process)
      })
    ),
    { concurrency: "unbounded", mailboxCapacity: "unbounded", disableFatalDefects: true, maxIdleTime: "1 hour" }
  )
