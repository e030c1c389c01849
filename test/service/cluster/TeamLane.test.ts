/** Several processes and the place of their team, connected within the test, under a clock of its own. */
import { describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import * as TeamLane from "#service/cluster/TeamLane"
import * as TeamShares from "#service/cluster/TeamShares"

type Shares = Effect.Success<ReturnType<typeof TeamShares.start>>

/** A team with a place that can move, and its processes. */
const team = Effect.fnUntraced(function* (permits: number) {
  const clock = yield* Clock.Clock
  const own = yield* Effect.scope
  const places: Array<{ readonly scope: Scope.Closeable; readonly shares: Shares }> = []
  const told: Array<TeamShares.Statement> = []
  const processes: Array<Process> = []
  const state = { most: 0, isOver: false }

  /** The team lives elsewhere from now on, and the new place knows nothing. */
  const move = Effect.fnUntraced(function* (isAlone = false) {
    yield* Effect.forEach(places, ({ scope }) => Scope.close(scope, Exit.void))
    const scope = yield* Scope.fork(own)
    places.unshift({ scope, shares: yield* Scope.provide(TeamShares.start(Effect.succeed(isAlone)), scope) })
  })
  yield* move(true)

  const process = Effect.fnUntraced(function* (name: string) {
    const scope = yield* Scope.fork(own)
    const link = { isCut: false }
    /** What is said, and what is answered, is lost where the link is cut. */
    const over = <A>(ask: (shares: Shares) => Effect.Effect<A>): Effect.Effect<A> =>
      Effect.suspend(() => {
        const [place] = places
        // The clock stands still at the end of a test.
        if (state.isOver) return Effect.interrupt
        if (link.isCut || place === undefined) return Effect.never
        return Effect.flatMap(ask(place.shares), (answer) =>
          link.isCut || places[0] !== place ? Effect.never : Effect.succeed(answer)
        )
      })
    const made = TeamLane.open(
      name,
      permits,
      {
        tell: (said) => {
          told.push(said)
          return over(({ tell }) => tell(said))
        },
        inFlightBeside: (process) => over(({ inFlightBeside }) => inFlightBeside(process))
      },
      clock
    )
    const running = yield* Effect.forkIn(made.run, scope)
    const page = (job: string, millis: number) => {
      const begin = Effect.sync(() => {
        one.pages += 1
        const counted = processes.filter(({ isCounted }) => isCounted)
        state.most = Math.max(
          state.most,
          counted.reduce((sum, { pages }) => sum + pages, 0)
        )
      })
      const end = Effect.sync(() => {
        one.pages -= 1
        one.read.set(job, (one.read.get(job) ?? 0) + millis)
      })
      return made.lane.withPermit(job)(Effect.ensuring(Effect.andThen(begin, Effect.sleep(millis)), end))
    }
    const one: Process = {
      name,
      lane: made.lane,
      link,
      pages: 0,
      read: new Map(),
      isCounted: true,
      start: (job, millis) => Effect.asVoid(Effect.forkIn(page(job, millis), scope)),
      crawl: (job, atOnce, millis) =>
        Effect.forEach(Array.from({ length: atOnce }), () => Effect.forkIn(Effect.forever(page(job, millis)), scope), {
          discard: true
        }),
      kill: Effect.gen(function* () {
        link.isCut = true
        one.isCounted = false
        yield* Effect.forkIn(Scope.close(scope, Exit.void), own)
        yield* Effect.forkIn(Fiber.interrupt(running), own)
      })
    }
    processes.push(one)
    yield* Scope.addFinalizer(
      own,
      Effect.sync(() => void (state.isOver = true))
    )
    return one
  })
  return { process, processes, move, told, state }
})

interface Process {
  readonly name: string
  readonly lane: ReturnType<typeof TeamLane.open>["lane"]
  readonly link: { isCut: boolean }
  /** In flight now. */
  pages: number
  /** Of each job: milliseconds of pages that were read. */
  readonly read: Map<string, number>
  /** Whether its pages still count as pages of the team. */
  isCounted: boolean
  readonly start: (job: string, millis: number) => Effect.Effect<void>
  /** So many pages of a job at a time, one after the other without end. */
  readonly crawl: (job: string, atOnce: number, millis: number) => Effect.Effect<void>
  readonly kill: Effect.Effect<void>
}

/** The clock goes on in steps, so that what answers has its turn. */
const pass = (seconds: number) =>
  Effect.forEach(Array.from({ length: seconds * 20 }), () => TestClock.adjust(50), { discard: true })

describe("permits that a process holds in advance", () => {
  it.effect("need no message for a page", () =>
    Effect.gen(function* () {
      const { process, told } = yield* team(10)
      const one = yield* process("one")
      yield* one.crawl("a", 4, 100)
      yield* pass(1)
      const before = told.length
      yield* pass(10)
      expect(one.read.get("a")).toBeGreaterThan(40_000)
      expect(told.length - before).toBeLessThanOrEqual(12)
    })
  )

  it.effect("are all given back within three seconds of the last page, and are there at once for others", () =>
    Effect.gen(function* () {
      const { process, told } = yield* team(4)
      const one = yield* process("one")
      const other = yield* process("other")
      yield* Effect.forEach([1, 2, 3, 4], () => one.start("a", 100))
      yield* pass(0.2)
      expect(one.pages).toBe(0)
      yield* Effect.forEach([1, 2, 3, 4], () => other.start("b", 100))
      yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => TestClock.adjust(1))
      expect(other.pages).toBe(4)
      yield* pass(3)
      for (const name of ["one", "other"]) {
        expect(told.findLast(({ process }) => process.startsWith(name))).toMatchObject({ limit: 0, wants: [] })
      }
      const silent = told.length
      yield* pass(10)
      expect(told.length).toBe(silent)
    })
  )

  for (const [permits, millis] of [
    [8, 300],
    [4, 1000],
    [1, 200],
    [1, 5000]
  ] as const) {
    it.effect(`are shared evenly by three jobs of two processes: ${permits}, for pages of ${millis} ms`, () =>
      Effect.gen(function* () {
        const { process, state } = yield* team(permits)
        const one = yield* process("one")
        const other = yield* process("other")
        yield* one.crawl("a", 10, millis)
        yield* one.crawl("b", 10, millis)
        yield* other.crawl("c", 10, millis)
        yield* pass(300)
        const read = [one.read.get("a"), one.read.get("b"), other.read.get("c")].map((millis = 0) => millis / 300_000)
        for (const share of read) expect(Math.abs(share / (permits / 3) - 1)).toBeLessThan(0.1)
        // Little is lost as permits go from one process to the other.
        expect(read.reduce((sum, share) => sum + share, 0)).toBeGreaterThan(permits * 0.95)
        expect(state.most).toBe(permits)
      })
    )
  }

  it.effect("are a page for whoever asks only if there is room, once the others gave back what they do not use", () =>
    Effect.gen(function* () {
      const { process } = yield* team(2)
      const one = yield* process("one")
      const other = yield* process("other")
      yield* one.start("a", 100)
      yield* one.start("a", 100)
      yield* pass(0.2)
      // All permits are at a process that does not use them.
      const held = yield* Effect.forkChild(other.lane.ifFree(Effect.as(Effect.sleep("1 minute"), "read")))
      const more = yield* Effect.forkChild(one.lane.ifFree(Effect.as(Effect.sleep("1 minute"), "read")))
      yield* pass(0.5)
      expect(yield* one.lane.inFlight).toBe(2)
      expect(yield* other.lane.inFlight).toBe(2)
      const refused = yield* Effect.forkChild(one.lane.ifFree(Effect.succeed("read")))
      yield* pass(1.1)
      expect(yield* Fiber.join(refused)).toEqual(Option.none())
      yield* pass(60)
      expect(yield* Fiber.join(held)).toEqual(Option.some("read"))
      expect(yield* Fiber.join(more)).toEqual(Option.some("read"))
      expect(yield* one.lane.inFlight).toBe(0)
    })
  )

  it.effect("of a process that was killed are free for others within eight seconds", () =>
    Effect.gen(function* () {
      const { process, state } = yield* team(4)
      const one = yield* process("one")
      const other = yield* process("other")
      yield* one.crawl("a", 4, 100_000)
      yield* pass(1)
      yield* other.crawl("b", 4, 1000)
      yield* pass(1)
      expect([one.pages, other.pages]).toEqual([4, 0])
      yield* one.kill
      yield* pass(5)
      expect(other.pages).toBe(0)
      yield* pass(3)
      expect(other.pages).toBe(4)
      expect(state.most).toBe(4)
    })
  )

  it.effect("begin no page while their process cannot reach the team, and none too many after", () =>
    Effect.gen(function* () {
      const { process, state } = yield* team(4)
      const one = yield* process("one")
      const other = yield* process("other")
      yield* one.crawl("a", 4, 500)
      yield* pass(1)
      one.link.isCut = true
      yield* pass(4)
      expect(one.pages).toBe(0)
      const read = one.read.get("a")
      yield* other.crawl("b", 4, 500)
      yield* pass(18)
      expect(one.read.get("a")).toBe(read)
      expect(other.pages).toBe(4)
      one.link.isCut = false
      yield* pass(3)
      expect([one.pages, other.pages]).toEqual([2, 2])
      expect(state.most).toBe(4)
    })
  )

  it.effect("stay with their pages while the team moves, and a new place gives none before it knows of them", () =>
    Effect.gen(function* () {
      const { move, process, state } = yield* team(4)
      const one = yield* process("one")
      const other = yield* process("other")
      yield* one.crawl("a", 3, 60_000)
      yield* pass(1)
      yield* move()
      yield* other.crawl("b", 4, 100)
      yield* pass(2.5)
      expect([one.pages, other.pages]).toEqual([3, 0])
      yield* pass(3)
      expect([one.pages, other.pages]).toEqual([3, 1])
      expect(state.most).toBe(4)
    })
  )

  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it.effect(`are never more than the plan has, whatever is killed, cut off or moved: seed ${seed}`, () =>
      Effect.gen(function* () {
        const permits = yield* Random.nextIntBetween(1, 9)
        const { move, process, processes, state } = yield* team(permits)
        const begin = Effect.fnUntraced(function* (name: string) {
          const one = yield* process(name)
          for (const job of ["a", "b"]) {
            yield* one.crawl(
              `${name}${job}`,
              yield* Random.nextIntBetween(1, 6),
              yield* Random.nextIntBetween(20, 3000)
            )
          }
        })
        for (const name of ["one", "two", "three"]) yield* begin(name)
        for (let fault = 0; fault < 12; fault++) {
          yield* pass(yield* Random.nextIntBetween(1, 6))
          const alive = processes.filter(({ isCounted }) => isCounted)
          const one = alive[yield* Random.nextIntBetween(0, alive.length)]
          switch (yield* Random.nextIntBetween(0, 3)) {
            case 0: {
              if (one === undefined) break
              yield* one.kill
              yield* begin(`next${fault}`)
              break
            }
            case 1: {
              if (one === undefined) break
              one.link.isCut = true
              // Its pages end before its permits are given to others.
              yield* pass(yield* Random.nextIntBetween(1, 22))
              one.link.isCut = false
              break
            }
            default:
              yield* move()
          }
        }
        yield* pass(20)
        const alive = processes.filter(({ isCounted }) => isCounted)
        const before = alive.map(({ read }) => Array.from(read.values()).reduce((sum, millis) => sum + millis, 0))
        yield* pass(60)
        const after = alive.map(({ read }) => Array.from(read.values()).reduce((sum, millis) => sum + millis, 0))

        expect(state.most).toBeLessThanOrEqual(permits)
        expect(state.most).toBeGreaterThan(0)
        // Each process that is left goes on.
        for (const [at, millis] of after.entries()) expect(millis).toBeGreaterThan(before[at] ?? 0)
      }).pipe(Random.withSeed(seed))
    )
  }
})
