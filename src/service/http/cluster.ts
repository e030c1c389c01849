/**
 * `GET /cluster`: the processes that serve this database, the hosts of each, and what waits there. For the operator.
 *
 * Each process writes its report to the database every two seconds, so any process answers for all. If a report is older
 * than some seconds, its process has ended, hangs or cannot reach the database.
 */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Redacted from "effect/Redacted"
import type { Cluster } from "../cluster/Cluster.ts"
import type { Reported } from "../cluster/ClusterStore.ts"
import { storeFailed } from "./failures.ts"
import { isForOperator, operatorOnly } from "./operator.ts"

/** `cluster`: undefined if only one process serves the database. */
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

/** The age from which a report is late: after as long, the locks of a silent process go to others. */
const lateSeconds = 6
