/**
 * A cluster under a clock of its own: the classes of the service decide when a page is asked for and where, and nothing is asked.
 *
 * A job reads one site, as `docs/scale.md` advises. Real are the place of a host (a hash ring of locks), its turns
 * (`Politeness`), the permits of a team in each process and where they are shared out (`TeamLane`, `TeamShares`), and the turns
 * between jobs. Simulated are the answer of a site, a time to wait for, and Postgres: a lock is with its next process after
 * `handoverMillis`, and a job goes on in another process after as long.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as HostRegistry from "#service/cluster/HostRegistry"
import * as TeamLane from "#service/cluster/TeamLane"
import * as TeamShares from "#service/cluster/TeamShares"
import { Politeness } from "#web/Politeness"
import { unpaid } from "#web/Turns"
import { type Hosts, placed } from "./Hosts.ts"
import type { VirtualTime } from "./VirtualTime.ts"
import type { Watch } from "./Watch.ts"

export interface Options {
  readonly hosts: Hosts
  readonly perHost: number
  readonly teams: ReadonlyArray<Team>
}

export interface Team {
  /** Pages in flight. */
  readonly permits: number
  /** Jobs at a time. */
  readonly jobs: number
}

export interface SimulatedCluster {
  readonly join: (address: string) => void
  /** It ends in good order: its jobs and hosts go to the others. */
  readonly leave: (address: string) => void
  /** Sites that were begun, and those that were read to the end. */
  readonly sites: () => { readonly begun: number; readonly read: number }
}

interface Process {
  readonly address: string
  readonly scope: Scope.Closeable
  readonly politeness: Politeness["Service"]
  readonly registry: HostRegistry.HostRegistry
  readonly lanes: ReadonlyArray<ReturnType<typeof TeamLane.open>["lane"]>
  readonly living: Map<string, HostRegistry.Host>
}

interface Job {
  readonly host: number
  readonly team: number
  left: number
}

export const make = (options: Options, time: VirtualTime, watch: Watch): SimulatedCluster => {
  const { hosts, perHost } = options
  const run = Effect.runForkWith(time.context)
  const now = <A>(effect: Effect.Effect<A>): A => {
    let value: { readonly of: A } | undefined
    run(Effect.map(effect, (of) => void (value = { of })))
    time.pass(0)
    if (value === undefined) throw new Error("it waits for something")
    return value.of
  }
  const clock = Context.get(time.context, Clock.Clock)
  const processes = new Map<string, Process>()
  /** Of each lock: its process, once it has it; and what opens as it leaves that process. */
  let places: Array<string | undefined> = []
  let leaving: Array<Latch.Latch> = []
  const arrival = Latch.makeUnsafe(true)
  const teams = options.teams.map(() =>
    now(Effect.provideContext(shares(true), Context.make(Scope.Scope, Scope.makeUnsafe())))
  )

  /** One exchange with a host where it lives, and again where it moves meanwhile. */
  const exchange = (host: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      const lock = hosts.lock(host)
      const process = processes.get(places[lock] ?? "")
      const moves = leaving[lock]
      if (process === undefined || moves === undefined) return Effect.andThen(arrival.await, exchange(host))
      const name = hosts.name(host)
      const delay = hosts.delayMillis(host)
      const living = process.living.get(name) ?? process.registry.enter(name, time.now())
      process.living.set(name, living)
      const fetch = Effect.andThen(
        Effect.sync(() => watch.asks(host, time.now())),
        Effect.ensuring(
          Effect.sleep(hosts.millis(host)),
          Effect.sync(() => watch.answered(host, time.now()))
        )
      )
      // As `HostEntity` does: the place before may have asked just now.
      const rested = Effect.sleep(delay === 0 ? 0 : Math.max(0, living.since + delay - time.now()))
      const turn = Effect.as(process.politeness.take(name, delay, fetch), true)
      const done = process.registry.during(living, time.now(), Effect.andThen(rested, turn))
      return Effect.flatMap(Effect.raceFirst(done, Effect.as(moves.await, false)), (isDone) =>
        isDone ? Effect.void : exchange(host)
      )
    })

  /** A site that asks for a delay is read by one. */
  const workersOf = ({ host }: Job) => (hosts.delayMillis(host) > 0 ? 1 : workersOfJob)

  /** Reads the rest of a site in a process; what was not read when the process ends is read elsewhere. */
  const work = (job: Job, lane: Process["lanes"][number]): Effect.Effect<void> => {
    const { inTurn } = unpaid(Effect.void, lane.withPermit(`${job.host}`))
    const page = Effect.suspend(() => {
      job.left -= 1
      const read = Effect.andThen(
        Effect.sync(() => watch.begins(job.team, job.host, time.now())),
        Effect.ensuring(
          exchange(job.host),
          Effect.sync(() => watch.ends(job.team, job.host, time.now()))
        )
      )
      return Effect.onInterrupt(inTurn(read, { least: 0, of: () => 0 }), () => Effect.sync(() => void (job.left += 1)))
    })
    const worker = Effect.whileLoop({ while: () => job.left > 0, body: () => page, step: () => {} })
    const workers = workersOf(job)
    return Effect.orDie(
      Effect.forEach(Array.from({ length: workers }), () => worker, { concurrency: workers, discard: true })
    )
  }

  const sites = { begun: 0, read: 0 }
  const nextOf = options.teams.map((_, team) => sitesOf(hosts, team))
  let turn = 0
  const start = (job: Job): void => {
    const alive = Array.from(processes.values())
    const process = alive[turn++ % alive.length]
    const lane = process?.lanes[job.team]
    if (process === undefined || lane === undefined) throw new Error("there is no process")
    watch.starts(job.team, job.host, workersOf(job), time.now())
    const whole = Effect.onExit(work(job, lane), (exit) =>
      Effect.sync(() => {
        watch.stops(job.host)
        if (Exit.isSuccess(exit)) {
          sites.read += 1
          startNext(job.team)
        } else
          run(
            Effect.delay(
              Effect.sync(() => start(job)),
              handoverMillis
            )
          )
      })
    )
    run(Effect.forkIn(whole, process.scope))
  }
  const startNext = (team: number): void => {
    const { value: host } = nextOf[team]?.next() ?? {}
    if (host === undefined) return
    sites.begun += 1
    start({ host, team, left: hosts.pages(host) })
  }

  /** Gives the locks to those that are there now. */
  const place = (): void => {
    const before = places
    if (before.length > 0) arrival.closeUnsafe()
    const after = placed(Array.from(processes.keys()))
    const moved = after.map((address, lock) => before[lock] !== address)
    places = after.map((address, lock) => (moved[lock] === true && before.length > 0 ? undefined : address))
    for (const [lock, latch] of leaving.entries()) if (moved[lock] === true) latch.openUnsafe()
    leaving = after.map((_, lock) =>
      moved[lock] === true ? Latch.makeUnsafe(false) : (leaving[lock] ?? Latch.makeUnsafe(false))
    )
    for (const process of processes.values()) {
      for (const [name, host] of process.living) {
        if (places[hosts.lock(numberOf(name))] === process.address) continue
        process.registry.leave(host)
        process.living.delete(name)
      }
    }
    if (before.length === 0) return
    watch.moves(moved, time.now())
    const own = leaving
    const arrived = Effect.sync(() => {
      // Another process may have come meanwhile.
      if (leaving !== own) return
      places = [...after]
      arrival.openUnsafe()
    })
    run(Effect.delay(arrived, handoverMillis))
  }

  const build = (address: string): Process => {
    const scope = Scope.makeUnsafe()
    const layer = Layer.buildWithScope(Politeness.layer({ perHost }), scope)
    const politeness = Context.get(now(layer), Politeness)
    const lanes = options.teams.map(({ permits }, at) => {
      const team = teams[at]
      if (team === undefined) throw new Error("there is no such team")
      const { lane, run: talk } = TeamLane.open(address, permits, team, clock)
      run(Effect.forkIn(talk, scope))
      return lane
    })
    return { address, scope, politeness, lanes, registry: HostRegistry.create(), living: new Map() }
  }

  return {
    join: (address) => {
      processes.set(address, build(address))
      place()
      if (processes.size > 1) return
      for (const [team, { jobs }] of options.teams.entries()) for (let at = 0; at < jobs; at++) startNext(team)
    },
    leave: (address) => {
      const process = processes.get(address)
      if (process === undefined) return
      processes.delete(address)
      place()
      run(Scope.close(process.scope, Exit.void))
    },
    sites: () => sites
  }
}

const shares = (isAlone: boolean) => TeamShares.start(Effect.succeed(isAlone))

/** The sites of a team, large ones among small ones. */
function* sitesOf({ count, team }: Hosts, own: number): Generator<number> {
  for (let at = 0; at < count; at++) {
    const host = (at * stride) % count
    if (team(host) === own) yield host
  }
}

const numberOf = (name: string): number => Number(/\d+/.exec(name)?.[0])

const workersOfJob = 4

/** Prime, and larger than any count of hosts is divided by. */
const stride = 999_983

/** Measured with real processes: a second until a process that joins or ends has its locks, or has given them away. */
export const handoverMillis = 1000
