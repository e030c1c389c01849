/**
 * Teams, their plans, and what they have used.
 *
 * The law (specification, Authentication, Errors, Limits): an unknown key has no account; a request beyond the plan's
 * rate is answered with 429 and the seconds to wait, in the header and in the text; work that the remaining credits do
 * not cover is 402 before it starts; pages in flight are shared out by turns between the jobs of a team.
 */

import { createHash, timingSafeEqual } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Forbidden, PaymentRequired } from "../../api/Errors.ts"
import { uuid7 } from "../../api/uuid7.ts"
import type { Job } from "../../crawler/crawl/Job.ts"
import type { StoreError } from "../../crawler/StoreError.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import { AccountStore } from "../store/AccountStore.ts"
import * as JobCredits from "./JobCredits.ts"
import * as Plan from "./Plan.ts"
import { type RateExceeded, TeamLimits } from "./TeamLimits.ts"

export { RateExceeded } from "./TeamLimits.ts"

export interface Account {
  readonly teamId: string
  readonly plan: Plan.Plan
}

/** Everybody, where no keys are asked for; and callers without a key, where they are. */
export const everybody: Account = { teamId: "local", plan: Plan.open }
export const keylessTeam = "keyless"

export class Accounts extends Context.Service<
  Accounts,
  {
    /** Who sent this credential; "" stands for none, undefined: nobody. */
    readonly identify: (credential: string) => Account | undefined
    readonly of: (teamId: string) => Account
    /** Takes one request off the plan's minute. */
    readonly admit: (account: Account) => Effect.Effect<void, RateExceeded | StoreError>
    readonly cover: (teamId: string, credits: number) => Effect.Effect<void, PaymentRequired | StoreError>
    readonly usage: (teamId: string) => Effect.Effect<Usage, StoreError>
    /** Runs one page's work in the team's turn, `job` by `job`. */
    readonly inTurn: (teamId: string, job: string) => <A, E, R>(page: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs one page's work if the team has room for it now; none: it has not. */
    readonly ifFree: (
      teamId: string
    ) => <A, E, R>(page: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<A>, E, R>
    /**
     * Does work that belongs to no job, and takes what it cost. `credits` are reserved meanwhile; where they do not remain it is
     * not begun, and where it has cost more than remains it is 402 and costs nothing.
     */
    readonly spend: <A, E, R>(
      teamId: string,
      credits: number,
      work: Effect.Effect<Spent<A>, E, R>
    ) => Effect.Effect<A, E | PaymentRequired | StoreError, R>
    /** What is reserved and charged for one job; undefined: its team pays nothing for it, or its credits have no end. */
    readonly ofJob: (job: Job) => JobCredits.JobCredits | undefined
    /** Runs work that takes at most these credits of the team itself; none: they do not remain. */
    readonly reserving: <A, E, R>(
      teamId: string,
      credits: number,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<Option.Option<A>, E | StoreError, R>
    /** What the team may still begin: what it has not used, and what is not reserved. */
    readonly available: (teamId: string) => Effect.Effect<number, StoreError>
    /** Takes what a page cost that belongs to no job. */
    readonly charge: (teamId: string, credits: number) => Effect.Effect<void, StoreError>
    /** Pages of the team in flight now. */
    readonly inFlight: (teamId: string) => Effect.Effect<number>
  }
>()("millrace/service/Accounts") {
  /** With the limits of teams kept by this process. */
  static readonly layer = (config: ServiceConfig) => Accounts.layerShared(config).pipe(Layer.provide(TeamLimits.layer))
  /** With the limits that are provided. */
  static readonly layerShared = (config: ServiceConfig) => Layer.effect(Accounts, make(config))
}

/** What work gave, and what it cost. */
export interface Spent<out A> {
  readonly value: A
  readonly credits: number
}

export interface Usage {
  readonly used: number
  readonly remaining: number
  readonly plan: number
}

/** Whether the plan has the operation; 403 says what is missing. */
export const permit = (account: Account, scope: Plan.Scope): Effect.Effect<void, Forbidden> =>
  account.plan.scopes === undefined || account.plan.scopes.includes(scope)
    ? Effect.void
    : new Forbidden({
        message: `Forbidden: this key may not call ${scope}; its plan has ${account.plan.scopes.join(", ")}`
      })

const make = Effect.fnUntraced(function* (config: ServiceConfig) {
  const limits = yield* TeamLimits
  const store = yield* AccountStore
  const digests = config.keys.map(({ key, teamId, plan = Plan.standard }) => ({
    digest: sha256(Redacted.value(key)),
    account: { teamId, plan }
  }))
  const keyless: Account = { teamId: keylessTeam, plan: config.keyless }
  const accounts = new Map(
    [everybody, keyless, ...digests.map(({ account }) => account)].map((account) => [account.teamId, account])
  )

  const of = (teamId: string): Account => accounts.get(teamId) ?? { teamId, plan: Plan.standard }

  const identify = (credential: string): Account | undefined => {
    if (config.keys.length === 0) return everybody
    if (credential === "") return keyless
    const digest = sha256(credential)
    return digests.find((known) => timingSafeEqual(known.digest, digest))?.account
  }

  const admit = Effect.fnUntraced(function* ({ teamId, plan }: Account) {
    if (!Number.isFinite(plan.requestsPerMinute)) return
    yield* limits.admit(teamId, plan.requestsPerMinute)
  })

  const spend: Accounts["Service"]["spend"] = (teamId, credits, work) =>
    Effect.suspend(() => {
      const { credits: plan } = of(teamId).plan
      if (!Number.isFinite(plan)) {
        return Effect.flatMap(work, (spent) => Effect.as(store.charge(teamId, spent.credits), spent.value))
      }
      const id = uuid7()
      const reserve = Effect.fnUntraced(function* (more: number) {
        if (more <= 0 || (yield* store.hold({ id, teamId, credits: more, millis: holdMillis }, plan))) return
        return yield* insufficient(credits, yield* available(teamId))
      })
      const paid = Effect.gen(function* () {
        yield* reserve(credits)
        const spent = yield* work
        yield* reserve(spent.credits - credits)
        yield* store.settle(teamId, id, spent.credits)
        return spent.value
      })
      return Effect.onError(paid, () => Effect.ignore(store.settle(teamId, id, 0)))
    })

  const ofJob = (job: Job) =>
    job.isFree === true || !Number.isFinite(of(job.teamId).plan.credits)
      ? undefined
      : JobCredits.make(job, of(job.teamId).plan.credits, store, laneOf(job.teamId).withPermit(job.id))

  const reserving: Accounts["Service"]["reserving"] = (teamId, credits, work) =>
    Effect.suspend(() => {
      const { credits: plan } = of(teamId).plan
      if (credits <= 0 || !Number.isFinite(plan)) return Effect.asSome(work)
      const id = uuid7()
      return Effect.acquireUseRelease(
        store.hold({ id, teamId, credits, millis: holdMillis }, plan),
        (isHeld) => (isHeld ? Effect.asSome(work) : Effect.succeedNone),
        () => Effect.ignore(store.settle(teamId, id, 0))
      )
    })

  /** What a team may still begin: what it has not used, and what is not reserved. */
  const available = (teamId: string) =>
    Effect.map(Effect.all([store.used(teamId), store.held(teamId)]), ([used, held]) =>
      Math.max(0, of(teamId).plan.credits - used - held)
    )

  const usage = Effect.fnUntraced(function* (teamId: string) {
    const used = yield* store.used(teamId)
    const { credits } = of(teamId).plan
    return { used, plan: credits, remaining: Math.max(0, credits - used) }
  })

  const cover = Effect.fnUntraced(function* (teamId: string, credits: number) {
    const remaining = yield* available(teamId)
    if (remaining < credits) return yield* insufficient(credits, remaining)
  })

  const laneOf = (teamId: string) => limits.lane(teamId, of(teamId).plan.concurrency)

  return Accounts.of({
    identify,
    of,
    admit,
    cover,
    usage,
    ifFree: (teamId) => laneOf(teamId).ifFree,
    spend,
    charge: store.charge,
    ofJob,
    reserving,
    available,
    inTurn: (teamId, job) => laneOf(teamId).withPermit(job),
    inFlight: (teamId) => laneOf(teamId).inFlight
  })
})

/** Work of one request ends long before: credits of a process that died are free again then. */
const holdMillis = 10 * 60_000

const insufficient = (credits: number, remaining: number) =>
  new PaymentRequired({
    message: `Payment Required: Insufficient credits: this may cost ${credits}, and ${remaining} remain; lower the limit, or add credits`
  })

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()
