/** Receivers of webhooks: one that takes all, one that takes connections and never answers, one that fails as its caller says. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface Event {
  readonly type: string
  readonly jobId: string
  /** The pages that it tells of. */
  readonly urls: ReadonlyArray<string>
  /** Milliseconds from when it was written down to its arrival. */
  readonly late: number
}

export interface Receiver {
  readonly port: number
  readonly events: Array<Event>
  readonly close: () => void
}

/** `answer`: the status of each; undefined: it is never answered. */
export const receiver = (answer: (count: number) => number | undefined): Promise<Receiver> => {
  const events: Array<Event> = []
  let count = 0
  const server = createServer(async (request, response) => {
    request.on("error", () => {})
    const status = answer(count++)
    if (status === undefined) return void request.resume()
    let text = ""
    for await (const chunk of request.setEncoding("utf8")) text += String(chunk)
    if (status < 300) events.push(eventOf(text))
    response.writeHead(status).end("{}")
  })
  server.keepAliveTimeout = 60_000
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () =>
      done({
        port: (server.address() as AddressInfo).port,
        events,
        close: () => {
          server.closeAllConnections()
          server.close()
        }
      })
    )
  )
}

interface Body {
  readonly type: string
  readonly id: string
  readonly webhookId: string
  readonly data: ReadonlyArray<{ readonly metadata?: { readonly sourceURL?: string } }>
}

const eventOf = (text: string): Event => {
  const { data, id, type, webhookId } = JSON.parse(text) as Body
  // The first 48 bits of the id of an event are the milliseconds when it was made (UUID, version 7).
  const made = Number.parseInt(webhookId.replaceAll("-", "").slice(0, 12), 16)
  return { type, jobId: id, urls: data.flatMap(({ metadata }) => metadata?.sourceURL ?? []), late: Date.now() - made }
}
