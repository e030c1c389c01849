/**
 * Places that several teams share: deficit round robin, and a place for who has none.
 *
 * All queues of a service are of this kind: the exchanges with a host and over all hosts, the pages of the browser, the
 * threads that read files, and the pages of a team (there its jobs share). Each has a turn, and pays for its place with
 * the time for which it holds it: who holds places for long gets fewer of them.
 *
 * Guarantee: no more than `places` are taken, but for one more for a moment. It is for one who has none and comes where
 * others hold all; the next place that is given back is not given away. As long as several share the places, and for ten
 * minutes afterwards, one of them takes at most all but one. So who has none does not wait for the work of others.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Who the current work is done for: a team. "": the process itself. */
export const Sharer = Context.Reference<string>("millrace/base/FairPlaces/Sharer", { defaultValue: () => "" })

export interface FairPlaces {
  /** Does work in a place of its sharer. */
  readonly during: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The same for a sharer that is named. */
  readonly duringOf: (name: string) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Does work if a place is free now; None: none is. */
  readonly ifFree: (name: string) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<A>, E, R>
  readonly taken: () => number
  /** Changes how many there are. Those who have a place keep it. */
  readonly resize: (count: number) => void
}

interface Share {
  taken: number
  /** Milliseconds of places that it may still take in this round. */
  deficit: number
  /** What a place is expected to cost it, in milliseconds. */
  cost: number
  /** When it had or wanted a place last. */
  seen: number
  readonly waiting: Set<() => void>
}

/** A place that is wanted, or taken. */
interface Seat {
  share: Share | undefined
  waits: (() => void) | undefined
  began: number
  cost: number
}

/** `keepsOne`: whether one who has none gets a place beyond the last. Default: yes, if there are several places. */
export const create = (count: number, keepsOne = count > 1): FairPlaces => {
  const places = new Places(count, keepsOne)

  const wait = (name: string, seat: Seat, clock: Clock.Clock) =>
    Effect.callback<void>((resume) => {
      places.wait(name, seat, clock, () => resume(Effect.void))
    })

  const seated = <A, E, R>(work: (seat: Seat, clock: Clock.Clock) => Effect.Effect<A, E, R>) =>
    Effect.clockWith((clock) => {
      const seat: Seat = { share: undefined, waits: undefined, began: 0, cost: 0 }
      return Effect.ensuring(
        Effect.suspend(() => work(seat, clock)),
        Effect.sync(() => places.leave(seat, millisOf(clock)))
      )
    })

  const duringOf: FairPlaces["duringOf"] = (name) => (work) =>
    seated((seat, clock) =>
      places.enter(name, seat, millisOf(clock)) ? work : Effect.andThen(wait(name, seat, clock), work)
    )

  return {
    duringOf,
    during: (work) => Effect.flatMap(Sharer, (name) => duringOf(name)(work)),
    ifFree: (name) => (work) =>
      seated((seat, clock) => (places.enter(name, seat, millisOf(clock)) ? Effect.asSome(work) : Effect.succeedNone)),
    taken: () => places.taken,
    resize: (count) => places.resize(count)
  }
}

class Places {
  taken = 0
  private waiting = 0
  /** In the order of their turns. */
  private readonly shares = new Map<string, Share>()
  private count: number
  private readonly keepsOne: boolean

  constructor(count: number, keepsOne: boolean) {
    this.count = count
    this.keepsOne = keepsOne
  }

  resize(count: number): void {
    this.count = count
    this.admit()
  }

  /** Takes a place if one is free, and nobody waits for it. */
  enter(name: string, seat: Seat, now: number): boolean {
    const share = this.shareOf(name, now)
    if (this.waiting > 0 || !this.hasRoom(share)) return false
    this.take(seat, share, now)
    return true
  }

  wait(name: string, seat: Seat, clock: Clock.Clock, begun: () => void): void {
    const share = this.shareOf(name, millisOf(clock))
    const begin = () => {
      seat.waits?.()
      this.take(seat, share, millisOf(clock))
      begun()
    }
    seat.waits = () => {
      seat.waits = undefined
      if (share.waiting.delete(begin)) this.waiting -= 1
    }
    share.waiting.add(begin)
    this.waiting += 1
    this.admit()
  }

  /** Gives the place back, or waits for it no longer. */
  leave(seat: Seat, now: number): void {
    seat.waits?.()
    const { share } = seat
    if (share === undefined) return
    seat.share = undefined
    const spent = Math.max(1, now - seat.began)
    share.deficit += seat.cost - spent
    share.cost = (share.cost + spent) / 2
    share.taken -= 1
    share.seen = now
    this.taken -= 1
    if (share.taken + share.waiting.size === 0) share.deficit = 0
    this.admit()
  }

  private shareOf(name: string, now: number): Share {
    const { shares } = this
    if (shares.size > 1) for (const [other, share] of shares) if (isForgotten(share, now)) shares.delete(other)
    const share = shares.get(name) ?? { taken: 0, deficit: 0, cost: quantum, seen: now, waiting: new Set() }
    shares.set(name, share)
    share.seen = now
    return share
  }

  private readonly hasRoom = (share: Share): boolean => {
    if (!this.keepsOne || this.shares.size === 1) return this.taken < this.count
    return this.taken < this.count + (share.taken === 0 ? 1 : -1)
  }

  private take(seat: Seat, share: Share, now: number): void {
    seat.share = share
    seat.began = now
    seat.cost = share.cost
    share.deficit -= share.cost
    share.taken += 1
    this.taken += 1
  }

  private admit(): void {
    while (this.waiting > 0) {
      const next = nextOf(this.shares, this.hasRoom)
      if (next === undefined) return
      next()
    }
  }
}

/**
 * The next who may begin. Those who have no place come before those who have one; among them each gets the same time in
 * places: a round adds the same milliseconds to all who wait, and who has enough of them begins, and goes to the end.
 */
const nextOf = (shares: Map<string, Share>, hasRoom: (share: Share) => boolean): (() => void) | undefined => {
  const all = Array.from(shares).filter(([, share]) => share.waiting.size > 0 && hasRoom(share))
  const none = all.filter(([, { taken }]) => taken === 0)
  const some = none.length > 0 ? none : all
  if (some.length === 0) return undefined
  const rounds = Math.max(0, Math.min(...some.map(([, { cost, deficit }]) => Math.ceil((cost - deficit) / quantum))))
  for (const [, share] of some) share.deficit += rounds * quantum
  const [name, share] = some.find(([, { cost, deficit }]) => deficit >= cost) ?? some[0] ?? []
  if (name === undefined || share === undefined) return undefined
  shares.delete(name)
  shares.set(name, share)
  const [first] = share.waiting
  return first
}

/** What a round adds, in milliseconds. */
const quantum = 100

/** How long one who is gone still counts: a caller who asks now and then does not come as a stranger each time. */
const rememberedMillis = 10 * 60_000

const isForgotten = ({ seen, taken, waiting }: Share, now: number): boolean =>
  taken + waiting.size === 0 && now - seen > rememberedMillis

const millisOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
