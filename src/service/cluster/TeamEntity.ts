/**
 * A team as an entity of the cluster: it lives in one process at a time, which shares out its permits.
 */
import * as ClusterSchema from "effect/cluster/ClusterSchema"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import * as TeamShares from "./TeamShares.ts"

export const TeamEntity = Entity.make("Team", [
  Rpc.make("Tell", { payload: TeamShares.Statement.fields, success: Schema.Number }),
  /** The number of pages in flight in the other processes. */
  Rpc.make("InFlightBeside", { payload: { process: Schema.String }, success: Schema.Number })
]).annotate(ClusterSchema.ClientTracingEnabled, false)

/** `isAlone`: whether this is the only process. */
export const layer = (isAlone: Effect.Effect<boolean>) =>
  TeamEntity.toLayer(
    Effect.map(TeamShares.start(isAlone), (shares) =>
      TeamEntity.of({
        Tell: ({ payload }) => shares.tell(payload),
        InFlightBeside: ({ payload: { process } }) => shares.inFlightBeside(process)
      })
    ),
    { concurrency: "unbounded", mailboxCapacity: "unbounded", disableFatalDefects: true, maxIdleTime: "1 hour" }
  )
