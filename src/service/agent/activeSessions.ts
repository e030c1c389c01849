/**
 * Browser sessions of a run that have started and not ended, and the page that each shows.
 *
 * A session's view is the address that it reads: this service keeps no picture of it that moves.
 */
import type { Trace, TraceEvent } from "../../api/Trace.ts"

export const activeSessions = (events: ReadonlyArray<TraceEvent>): NonNullable<Trace["activeBrowserSessions"]> => {
  const addresses = new Map<string, string>()
  const open = new Set<string>()
  for (const event of events) {
    const { parameters, sessionId, toolCallId, type } = event
    if (type === "tool_call.started" && typeof toolCallId === "string") addresses.set(toolCallId, addressOf(parameters))
    else if (type === "browser.session.started" && typeof sessionId === "string") open.add(sessionId)
    else if (type === "browser.session.finished" && typeof sessionId === "string") open.delete(sessionId)
    else if (type === "run.finished") open.clear()
  }
  return [...open].map((id) => ({ id, liveViewUrl: addresses.get(id) ?? "about:blank", viewport }))
}

const viewport = { width: 1280, height: 800 }

const addressOf = (parameters: TraceEvent[string] | undefined): string =>
  typeof parameters === "object" && parameters !== null && "url" in parameters && typeof parameters.url === "string"
    ? parameters.url
    : "about:blank"
