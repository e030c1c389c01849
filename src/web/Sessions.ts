/**
 * Pages that stay open between requests. A session ends when it is idle, when its time is over, when it is stopped,
 * when its page dies, and with the service.
 *
 * A session belongs to one team and is found by its id. Its live view is found by a token that cannot be guessed.
 */
import { randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { Action } from "#contract/Actions"
import * as Interact from "#contract/Interact"
import type { ActionResults } from "#contract/PageDocument"
import { Browser } from "./Browser.ts"
import type { OpenPage } from "./browser/OpenPage.ts"
import type { FetchError } from "./Fetch.ts"
import { Politeness } from "./Politeness.ts"

export interface Session {
  readonly id: string
  readonly teamId: string
  /** Identifies the live view. */
  readonly token: string
  /** Milliseconds since the epoch. */
  readonly openedAt: number
  readonly expiresAt: number
  usedAt: number
  readonly page: OpenPage
}

export interface Opening {
  readonly id: string
  readonly teamId: string
  readonly url: URL
  readonly totalMillis: number
  readonly idleMillis: number
}

/** There is no room for another session, or this one is still being opened. */
class SessionRefused {
  readonly _tag = "SessionRefused"
  readonly reason: "full" | "opening"
  readonly message: string
  constructor(reason: "full" | "opening", message: string) {
    this.reason = reason
    this.message = message
  }
}

export class Sessions extends Context.Service<
  Sessions,
  {
    readonly open: (opening: Opening, timeoutMillis: number) => Effect.Effect<Session, FetchError | SessionRefused>
    /** The session, if it belongs to this team. */
    readonly find: (teamId: string, id: string) => Session | undefined
    readonly ofTeam: (teamId: string) => ReadonlyArray<Session>
    readonly viewedBy: (token: string) => Session | undefined
    /** Performs actions, one request at a time. If they time out or the page dies, the session ends. */
    readonly act: (
      session: Session,
      actions: ReadonlyArray<Action>,
      timeoutMillis: number
    ) => Effect.Effect<ActionResults, FetchError>
    /** Ends the session and returns how many milliseconds it was open. */
    readonly stop: (session: Session) => Effect.Effect<number>
  }
>()("millrace/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.suspend(() => make)
  )
}

interface OpenSession {
  readonly session: Session
  readonly scope: Scope.Closeable
  readonly ended: Deferred.Deferred<void>
}

const make = Effect.gen(function* () {
  const browser = yield* Browser
  const politeness = yield* Politeness
  const life = yield* Effect.scope
  const openSessions = new Map<string, OpenSession>()
  /** The teams of the sessions that are being opened, by their ids. */
  const opening = new Map<string, string>()
  const sessions = () => [...openSessions.values()].map(({ session }) => session)

  const end = Effect.fnUntraced(function* (id: string) {
    const one = openSessions.get(id)
    if (one === undefined) return
    openSessions.delete(id)
    yield* Deferred.succeed(one.ended, undefined)
    yield* Scope.close(one.scope, Exit.void)
  }, Effect.uninterruptible)
  yield* Effect.addFinalizer(() =>
    Effect.forEach([...openSessions.keys()], end, { discard: true, concurrency: "unbounded" })
  )

  /** Ends a session when its time is over. */
  const watch = (one: OpenSession, idleMillis: number) =>
    Effect.flatMap(timeIsOver(one, idleMillis), (isOver) => (isOver ? end(one.session.id) : Effect.void))

  const opened = Effect.fnUntraced(function* (request: Opening, timeoutMillis: number) {
    const scope = yield* Scope.make()
    const page = yield* politeness
      .take(request.url.host, 0, Scope.provide(browser.open(request.url, timeoutMillis), scope))
      .pipe(Effect.onError(() => Scope.close(scope, Exit.void)))
    const now = yield* Clock.currentTimeMillis
    const { id, idleMillis, teamId, totalMillis } = request
    const token = randomBytes(24).toString("base64url")
    const session: Session = { id, teamId, token, openedAt: now, usedAt: now, expiresAt: now + totalMillis, page }
    const one: OpenSession = { session, scope, ended: yield* Deferred.make<void>() }
    openSessions.set(id, one)
    yield* Effect.forkIn(watch(one, idleMillis), life)
    return session
  })

  const open = (request: Opening, timeoutMillis: number) =>
    Effect.suspend((): Effect.Effect<Session, FetchError | SessionRefused> => {
      const teams = [...opening.values(), ...sessions().map(({ teamId }) => teamId)]
      const refused = opening.has(request.id)
        ? new SessionRefused("opening", "the session is being opened by another request")
        : fullFor(request.teamId, teams)
      if (refused !== undefined) return Effect.fail(refused)
      opening.set(request.id, request.teamId)
      return Effect.ensuring(
        opened(request, timeoutMillis),
        Effect.sync(() => opening.delete(request.id))
      )
    })

  const act = Effect.fnUntraced(function* (session: Session, actions: ReadonlyArray<Action>, timeoutMillis: number) {
    const use = Effect.map(Clock.currentTimeMillis, (now) => void (session.usedAt = now))
    yield* use
    return yield* session.page.act(actions, timeoutMillis).pipe(
      // After a failed action of the caller, the page stays open.
      Effect.tapError(({ code }) => (code === "SCRAPE_ACTION_ERROR" ? Effect.void : end(session.id))),
      Effect.onInterrupt(() => end(session.id)),
      Effect.ensuring(use)
    )
  })

  const stop = Effect.fnUntraced(function* ({ id, openedAt }: Session) {
    const now = yield* Clock.currentTimeMillis
    yield* end(id)
    return now - openedAt
  })

  return Sessions.of({
    open,
    find: (teamId, id) => sessions().find((one) => one.id === id && one.teamId === teamId),
    ofTeam: (teamId) => sessions().filter((one) => one.teamId === teamId),
    viewedBy: (token) => sessions().find((one) => one.token === token),
    act,
    stop
  })
})

/** Waits until the time of a session is over. False: the session has ended before. */
const timeIsOver = Effect.fnUntraced(function* ({ ended, session }: OpenSession, idleMillis: number) {
  for (;;) {
    const remainingMillis = Math.min(session.expiresAt, session.usedAt + idleMillis) - (yield* Clock.currentTimeMillis)
    if (remainingMillis <= 0) return true
    const waited = Effect.as(Effect.sleep(Duration.millis(remainingMillis)), false)
    if (yield* Effect.raceFirst(waited, Effect.as(Deferred.await(ended), true))) return false
  }
})

/** Whether there is no room for a session of a team. `teams`: those of the sessions that there are. */
const fullFor = (teamId: string, teams: ReadonlyArray<string>): SessionRefused | undefined => {
  if (teams.filter((team) => team === teamId).length >= Interact.maxOfTeam) {
    return new SessionRefused("full", `this team has ${Interact.maxOfTeam} sessions open: stop one`)
  }
  return teams.length < Interact.maxOfProcess
    ? undefined
    : new SessionRefused("full", `${Interact.maxOfProcess} sessions are open in this service: try again later`)
}
