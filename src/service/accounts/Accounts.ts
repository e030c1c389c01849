/**
 * Teams, their plans, and the credits they have used.
 *
 * Guarantee (specification, Authentication, Errors, Limits): an unknown key has no account; a request beyond the plan's
 * rate is answered with 429 and the seconds to wait, in the header and in the text; work that the remaining credits do
 * not cover is refused with 402 before it starts; the jobs of a team take turns for its pages in flight.
 */

import { createHash, timingSafeEqual } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Forbidden, PaymentRequired } from "#contract/Errors"
import { uuid7 } from "#contract/uuid7"
import type { Job } from "#web/Job"
import type { StoreError } from "#web/StoreError"
import * as Plan from "../AccountPlan.ts"
import type { Keys } from "../KeyRing.ts"
import type { ServiceConfig } from "../ServiceConfig.ts"
import { AccountStore } from "../store/AccountStore.ts"
import * as JobCredits from "./JobCredits.ts"
import { type RateExceeded, TeamLimits } from "./TeamLimits.ts"

export { RateExceeded } from "./TeamLimits.ts"

export interface Account {
  readonly teamId: string
  readonly plan: Plan.Plan
}

/** `everybody`: all callers of a service without keys. `keylessTeam`: callers without a key of a service that has keys. */
export const everybody: Account = { teamId: "local", plan: Plan.open }
export const keylessTeam = "keyless"

export class Accounts extends Context.Service<
  Accounts,
  {
    /** The account of a credential; "": the request has none. Returns undefined if no account has it. */
    readonly identify: (credential: string) => Account | undefined
    readonly of: (teamId: string) => Account
    /** Counts one request against the plan's rate. */
    readonly admit: (account: Account) => Effect.Effect<void, RateExceeded | StoreError>
    /** Fails if fewer credits are available. Reserves nothing. */
    readonly cover: (teamId: string, credits: number) => Effect.Effect<void, PaymentRequired | StoreError>
    readonly usage: (teamId: string) => Effect.Effect<Usage, StoreError>
    /** Runs the work of one page when it is its turn: the jobs of a team take turns. */
    readonly inTurn: (teamId: string, job: string) => <A, E, R>(page: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Runs the work of one page if the team has room for it now; None: it does not. */
    readonly ifFree: (
      teamId: string
    ) => <A, E, R>(page: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<A>, E, R>
    /**
     * Runs work that belongs to no job, and charges its cost. `credits` are reserved while it runs: if fewer remain, it fails
     * with 402 before it starts. If it cost more than `credits` and the rest does not remain, it fails with 402 and is free.
     */
    readonly spend: <A, E, R>(
      teamId: string,
      credits: number,
      work: Effect.Effect<Spent<A>, E, R>
    ) => Effect.Effect<A, E | PaymentRequired | StoreError, R>
    /** Reserves and charges the credits of one job; undefined: the job is free, or its team has unlimited credits. */
    readonly ofJob: (job: Job) => JobCredits.JobCredits | undefined
    /** Runs work while these credits are reserved, then releases them; None: fewer remain. */
    readonly reserving: <A, E, R>(
      teamId: string,
      credits: number,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<Option.Option<A>, E | StoreError, R>
    /** The credits that the team has neither used nor reserved. */
    readonly available: (teamId: string) => Effect.Effect<number, StoreError>
    /** Charges a page that belongs to no job. */
    readonly charge: (teamId: string, credits: number) => Effect.Effect<void, StoreError>
    /** The number of the team's pages in flight. */
    readonly inFlight: (teamId: string) => Effect.Effect<number>
  }
>()("millrace/service/Accounts") {
  /** This process keeps the limits of teams. */
  static readonly layer = (config: ServiceConfig) => Accounts.layerShared(config).pipe(Layer.provide(TeamLimits.layer))
  /** The limits of teams are provided from outside. */
  static readonly layerShared = (config: ServiceConfig) => Layer.effect(Accounts, make(config))
}

/** The result of work, and its cost. */
interface Spent<out A> {
  readonly value: A
  readonly credits: number
}

interface Usage {
  readonly used: number
  readonly remaining: number
  readonly plan: number
}

/** Fails with 403 if the plan does not have the operation. */
export const permit = (account: Account, scope: Plan.Scope): Effect.Effect<void, Forbidden> =>
  account.plan.scopes === undefined || account.plan.scopes.includes(scope)
    ? Effect.void
    : new Forbidden({
        message: `Forbidden: this key may not call ${scope}; its plan has ${account.plan.scopes.join(", ")}`
      })

const make = Effect.fnUntraced(function* (config: ServiceConfig) {
  const limits = yield* TeamLimits
  const store = yield* AccountStore
  const { identify, of } = accountsOf(config)

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
      : JobCredits.ofJob(job, of(job.teamId).plan.credits, store, laneOf(job.teamId).withPermit(job.id))

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

  const available = (teamId: string) =>
    Effect.map(Effect.all([store.used(teamId), store.heldCredits(teamId)]), ([used, heldCredits]) =>
      Math.max(0, of(teamId).plan.credits - used - heldCredits)
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
    admit: ({ plan: { requestsPerMinute }, teamId }) =>
      Number.isFinite(requestsPerMinute) ? limits.admit(teamId, requestsPerMinute) : Effect.void,
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

/** The accounts that the configuration names now. */
const accountsOf = (config: ServiceConfig): Pick<Accounts["Service"], "identify" | "of"> => {
  let known = indexOf(config)
  const now = () => {
    const keys = config.keyRing?.current() ?? config
    if (known.keys !== keys.keys) known = indexOf(keys)
    return known
  }
  return {
    of: (teamId) => now().accounts.get(teamId) ?? { teamId, plan: Plan.standard },
    identify: (credential) => {
      const { digests, keyless, keys } = now()
      if (keys.length === 0) return everybody
      if (credential === "") return keyless
      const digest = sha256(credential)
      return digests.find((known) => timingSafeEqual(known.digest, digest))?.account
    }
  }
}

const indexOf = ({ keyless: plan, keys }: Keys) => {
  const digests = keys.map(({ key, teamId, plan = Plan.standard }) => ({
    digest: sha256(Redacted.value(key)),
    account: { teamId, plan }
  }))
  const keyless: Account = { teamId: keylessTeam, plan }
  const named = [everybody, keyless, ...digests.map(({ account }) => account)]
  return { keys, keyless, digests, accounts: new Map(named.map((account) => [account.teamId, account])) }
}

/** How long a reservation lasts if its process dies: longer than the work of any request. */
const holdMillis = 10 * 60_000

const insufficient = (credits: number, remaining: number) =>
  new PaymentRequired({
    message:
      `Payment Required: Insufficient credits: this may cost ${credits}, and ${remaining} remain; ` +
      "lower the limit, or add credits"
  })

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()
