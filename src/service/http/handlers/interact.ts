/**
 * The handlers of the interact group: they open sessions from a scrape or a URL, run their actions, list and stop them.
 */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Api } from "#contract/Api"
import { Caller } from "#contract/Authorization"
import { Conflict, Forbidden, NotFound, TooManyRequests } from "#contract/Errors"
import * as Interact from "#contract/Interact"
import { Metadata } from "#contract/PageDocument"
import { uuid7 } from "#contract/uuid7"
import { ScrapeStore } from "#web/ScrapeStore"
import { type Opening, type Session, Sessions } from "#web/Sessions"
import { Accounts } from "../../accounts/Accounts.ts"
import { fetchFailed, storeFailed } from "../failures.ts"
import { requestOrigin } from "../requestHeaders.ts"

/** The cost of a session, because it opens a page. Actions are free, as in a scrape. */
const sessionCredits = 1
const openMillis = 30_000

interface Services {
  readonly sessions: Sessions["Service"]
  readonly accounts: Accounts["Service"]
  readonly store: ScrapeStore["Service"]
}

export const layer = HttpApiBuilder.group(
  Api,
  "interact",
  Effect.fnUntraced(function* (handlers) {
    const services: Services = { sessions: yield* Sessions, accounts: yield* Accounts, store: yield* ScrapeStore }
    return handlers
      .handle("interact", ({ params, payload }) => interact(services, params.id, payload))
      .handle("stopInteraction", ({ params }) => stop(services, params.id))
      .handle("open", ({ payload }) => start(services, payload))
      .handle("sessions", ({ query }) => list(services, query.status))
      .handle("execute", ({ params, payload }) => execute(services, params.id, payload))
      .handle("stop", ({ params }) => stop(services, params.id))
  })
)

const open = ({ accounts, sessions }: Services, opening: Opening) =>
  accounts
    .spend(
      opening.teamId,
      sessionCredits,
      Effect.map(sessions.open(opening, openMillis), (value) => ({ value, credits: sessionCredits }))
    )
    .pipe(
      Effect.catchTag("SessionRefused", ({ message, reason }) =>
        Effect.fail(
          reason === "opening"
            ? new Conflict({ message: `Conflict: ${message}` })
            : new TooManyRequests({ message: `Concurrency limit reached: ${message}` })
        )
      )
    )

/** The session of a scrape. The first call opens it at the page of the scrape. */
const ofScrape = Effect.fnUntraced(function* (services: Services, teamId: string, id: string) {
  const known = services.sessions.find(teamId, id)
  if (known !== undefined) return known
  const document = yield* services.store.result(teamId, id)
  const url = Option.isNone(document) ? undefined : urlOf(document.value)
  if (url === undefined) {
    return yield* new NotFound({
      message: `no scrape has the id ${id}; results are kept for 24 hours after the end`
    })
  }
  const totalMillis = Interact.defaultSeconds * 1000
  return yield* open(services, { id, teamId, url, totalMillis, idleMillis: Interact.defaultIdleSeconds * 1000 })
})

const find = ({ sessions }: Services, teamId: string, id: string): Effect.Effect<Session, NotFound> => {
  const session = sessions.find(teamId, id)
  return session === undefined
    ? Effect.fail(new NotFound({ message: `no session has the id ${id}; it was stopped, or its time is over` }))
    : Effect.succeed(session)
}

const act = Effect.fnUntraced(function* (
  { sessions }: Services,
  session: Session,
  { actions, timeout = 60 }: Interact.InteractRequest
) {
  const results = actions === undefined ? undefined : yield* sessions.act(session, actions, timeout * 1000)
  return yield* answer(session, results === undefined ? {} : { actions: results })
})

const interact = Effect.fnUntraced(
  function* (services: Services, id: string, payload: Interact.InteractRequest) {
    const { teamId } = yield* Caller
    yield* actionsOnly(payload)
    return yield* act(services, yield* ofScrape(services, teamId, id), payload)
  },
  Effect.catchTag("StoreError", storeFailed),
  Effect.catchTag("FetchError", fetchFailed)
)

const execute = Effect.fnUntraced(
  function* (services: Services, id: string, payload: Interact.InteractRequest) {
    const { teamId } = yield* Caller
    const session = yield* find(services, teamId, id)
    yield* actionsOnly(payload)
    return yield* act(services, session, payload)
  },
  Effect.catchTag("FetchError", fetchFailed)
)

const start = Effect.fnUntraced(
  function* (services: Services, payload: Interact.BrowserRequest) {
    const { teamId } = yield* Caller
    const { activityTtl = Interact.defaultIdleSeconds, ttl = Interact.defaultSeconds, url } = payload
    const times = { totalMillis: ttl * 1000, idleMillis: activityTtl * 1000 }
    return yield* answer(yield* open(services, { id: uuid7(), teamId, url: new URL(url.trim()), ...times }), {})
  },
  Effect.catchTag("StoreError", storeFailed),
  Effect.catchTag("FetchError", fetchFailed)
)

const list = Effect.fnUntraced(function* ({ sessions }: Services, status: string | undefined) {
  const { teamId } = yield* Caller
  const origin = requestOrigin(yield* HttpServerRequest.HttpServerRequest)
  const open = status === "destroyed" ? [] : sessions.ofTeam(teamId)
  return {
    success: true as const,
    sessions: open.map((session) => ({
      id: session.id,
      status: "active" as const,
      liveViewUrl: liveViewUrl(origin, session),
      streamWebView: false,
      createdAt: isoOf(session.openedAt),
      lastActivity: isoOf(session.usedAt)
    }))
  }
})

const stop = Effect.fnUntraced(function* (services: Services, id: string) {
  const { teamId } = yield* Caller
  const sessionDurationMs = yield* services.sessions.stop(yield* find(services, teamId, id))
  return { success: true as const, status: "stopped" as const, sessionDurationMs, creditsBilled: sessionCredits }
})

const answer = Effect.fnUntraced(function* (session: Session, more: Pick<Answered, "actions">) {
  const origin = requestOrigin(yield* HttpServerRequest.HttpServerRequest)
  const { expiresAt, id, page } = session
  const answered: Answered = {
    success: true,
    id,
    url: page.url(),
    liveViewUrl: liveViewUrl(origin, session),
    expiresAt: isoOf(expiresAt),
    ...more
  }
  return answered
})
type Answered = Extract<Interact.InteractAnswer, { readonly success: true }>

const liveViewUrl = (origin: string, { token }: Session): string => `${origin}/live/${token}`

const isoOf = (millis: number): string => new Date(millis).toISOString()

/** Refuses code and prompts: this service runs no code of callers, and does not guess the actions that a prompt means. */
const actionsOnly = ({ code, prompt }: Interact.InteractRequest): Effect.Effect<void, Forbidden> => {
  if (code === undefined && prompt === undefined) return Effect.void
  const what = code === undefined ? "a prompt is not carried out" : "code is not executed"
  return new Forbidden({
    code: "INTERACT_ACTIONS_ONLY",
    message: `Forbidden: ${what} in a session; send actions (click, write, press, scroll, wait, scrape, screenshot, pdf)`
  })
}

/** The URL of the page of a stored document. */
const urlOf = (document: string): URL | undefined =>
  Option.match(decodeStored(document), {
    onNone: () => undefined,
    onSome: ({ metadata }) => URL.parse(metadata.url) ?? undefined
  })

const decodeStored = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ metadata: Metadata })))
