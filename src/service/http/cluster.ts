/**
 * `GET /cluster`: the processes that serve this database, what lives in each, and what waits there. For the operator.
 *
 * Each process writes that into the database every two seconds, so any of them answers for all. A report that is older than
 * some seconds is of a process that ended, hangs or cannot reach the database.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Redacted from "effect/Redacted"
import type { Cluster } from "../cluster/Cluster.ts"
import type { Reported } from "../cluster/ClusterStore.ts"
import { storeFailed } from "./handlers/failures.ts"
import { isForOperator, operatorOnly } from "./operator.ts"

/** `cluster`: undefined where one process has the database for itself. */
export const clusterRoute = Effect.fnUntraced(
  function* (operatorKey: Redacted.Redacted | undefined, cluster: Cluster["Service"] | undefined) {
    if (!(yield* isForOperator(operatorKey))) return operatorOnly("the cluster is")
    if (cluster === undefined) return HttpServerResponse.jsonUnsafe({ success: true, processes: [] })
    const processes = (yield* cluster.store.reports).map((reported) => processOf(reported, cluster.address))
    const total = (of: (process: (typeof processes)[number]) => number) =>
      processes.reduce((sum, process) => sum + of(process), 0)
    return HttpServerResponse.jsonUnsafe({
      success: true,
      hosts: total(({ hosts }) => hosts),
      waiting: total(({ waiting }) => waiting),
      oldestSeconds: Math.max(0, ...processes.map(({ oldestSeconds }) => oldestSeconds)),
      moves: total(({ arrivals }) => arrivals),
      silent: processes.flatMap(({ silent }) => silent),
      processes
    })
  },
  Effect.catchTag("StoreError", storeFailed)
)

const processOf = ({ ageSeconds, report }: Reported, own: string) => ({
  ...report,
  state: ageSeconds > lateSeconds ? ("late" as const) : ("serving" as const),
  reportedSecondsAgo: ageSeconds,
  answersThis: report.address === own
})

/** As long as the locks of a process last that says nothing. */
const lateSeconds = 6
