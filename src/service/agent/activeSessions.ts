/**
 * The open browser sessions of a run, and the page that each shows.
 *
 * The `liveViewUrl` of a session is the URL of the page that it reads: this service has no live picture of it.
 */
import type { AgentIdentity, Trace, TraceEvent } from "#contract/Trace"

export const activeSessions = (events: ReadonlyArray<TraceEvent>): NonNullable<Trace["activeBrowserSessions"]> => {
  const addresses = new Map<string, string>()
  for (const { parameters, toolCallId, type } of events) {
    if (type === "tool_call.started" && typeof toolCallId === "string") addresses.set(toolCallId, addressOf(parameters))
  }
  return openSessions(events).map(({ id }) => ({ id, liveViewUrl: addresses.get(id) ?? "about:blank", viewport }))
}

interface OpenSession {
  readonly id: string
  readonly agent: AgentIdentity
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

export const openSessions = (events: ReadonlyArray<TraceEvent>): ReadonlyArray<OpenSession> => {
  const open = new Map<string, OpenSession>()
  for (const { agent, occurredAt, sessionId: id, type } of events) {
    if (type === "run.finished") open.clear()
    else if (typeof id !== "string") continue
    else if (type === "browser.session.started") open.set(id, { id, agent, startedAt: Date.parse(occurredAt) })
    else if (type === "browser.session.finished") open.delete(id)
  }
  return [...open.values()]
}

const viewport = { width: 1280, height: 800 }

const addressOf = (parameters: TraceEvent[string] | undefined): string =>
  typeof parameters === "object" && parameters !== null && "url" in parameters && typeof parameters.url === "string"
    ? parameters.url
    : "about:blank"
