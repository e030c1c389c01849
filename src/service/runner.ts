/**
 * This process as a runner of Effect Cluster: its address, its locks in Postgres, and how quickly others notice its end.
 *
 * A process that is killed loses its locks with its connection; one that is stopped or cut off loses them after
 * `lockMillis`. The others look every second. So hosts move 2 to 8 seconds after their process died, and at once if it
 * ends normally.
 */
import { createServer } from "node:net"
import { layerSocketServer } from "@effect/platform-node/NodeClusterSocket"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as MessageStorage from "effect/cluster/MessageStorage"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SocketRunner from "effect/cluster/SocketRunner"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as RpcClient from "effect/rpc/RpcClient"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import { Socket } from "effect/socket/Socket"
import * as exchangeBytes from "#web/exchangeBytes"

export interface Address {
  readonly host: string
  readonly port: number
}

export interface Options {
  /** The address at which other processes reach this one; port 0: a free port. */
  readonly advertise: Address
  /** The address of this machine to listen on. Default: the advertised host. */
  readonly listen?: string | undefined
}

/** The address with its port; for port 0, a free port that the system chooses. */
export const addressOf = ({ advertise, listen }: Options): Effect.Effect<Address> =>
  advertise.port !== 0
    ? Effect.succeed(advertise)
    : Effect.callback<Address>((resume) => {
        const server = createServer()
        server.once("error", (cause) => resume(Effect.die(cause)))
        server.listen(0, listen ?? advertise.host, () => {
          const address = server.address()
          const port = typeof address === "object" && address !== null ? address.port : 0
          server.close(() => resume(Effect.succeed({ host: advertise.host, port })))
        })
      })

export const layer = ({ host, port }: Address, { listen }: Options) => {
  const config = ShardingConfig.layer({
    runnerAddress: Option.some(RunnerAddress.make(host, port)),
    runnerListenAddress: Option.some(RunnerAddress.make(listen ?? host, port)),
    shardsPerGroup: shards,
    // Also the time limit of an operation on the locks: a busy machine needs more than a second for a hundred of them.
    shardLockRefreshInterval: "2 seconds",
    shardLockExpiration: lockMillis,
    refreshAssignmentsInterval: "1 second",
    runnerHealthCheckInterval: "2 seconds",
    sendRetryInterval: "100 millis",
    entityTerminationTimeout: "5 seconds",
    maxResidentEntities: "unbounded",
    simulateRemoteSerialization: false
  })
  const serialization = RpcSerialization.layerSchemaBinary({ maxFrameSize: maxFrameBytes })
  const health = RunnerHealth.layerPing.pipe(Layer.provide(Runners.layerRpc), Layer.provide(clientProtocol))
  return SocketRunner.layer.pipe(
    Layer.provide([layerSocketServer, clientProtocol, health]),
    Layer.provide([MessageStorage.layerNoop, SqlRunnerStorage.layerWith({ prefix })]),
    Layer.provide([config, serialization]),
    // Warnings about its own retries are not logged. A host that is not served is (`joinCluster.ts`).
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "Error"))
  )
}

/** The same as in Effect, but a process that does not answer is given up sooner. */
const clientProtocol = Layer.effect(
  Runners.RpcClientProtocol,
  Effect.gen(function* () {
    const serialization = yield* RpcSerialization.RpcSerialization
    return {
      codecFor: serialization.codecFor,
      make: Effect.fnUntraced(function* ({ host, port }: RunnerAddress.RunnerAddress) {
        const socket = yield* NodeSocket.makeNet({ openTimeout: 1000, host, port })
        return yield* RpcClient.makeProtocolSocket({ pingInterval: "1 second", pingTimeout: "4 seconds" }).pipe(
          Effect.provideService(Socket, socket),
          Effect.provideService(RpcSerialization.RpcSerialization, serialization)
        )
      }, Effect.orDie)
    }
  })
)

/** When the locks of a process go to others, after its last refresh. */
const lockMillis = 6000

/**
 * Hosts are spread over the shards, and each shard is a lock. The number must be the same in every process: to change it,
 * change the version too. More shards take longer to hand over, one by one; fewer are shared out less evenly.
 */
export const shards = 96

/** Processes with different messages form separate clusters, without shared politeness: `ClusterStore.alone` refuses that. */
const prefix = `cluster_v${exchangeBytes.version}`

/** Enough for the largest page. */
const maxFrameBytes = 64 * 1024 * 1024
