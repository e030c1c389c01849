/** A receiver on a real port, and senders that sign, forge, cut and repeat. */
import { createHmac } from "node:crypto"
import { connect } from "node:net"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Inbox } from "#engine/Inbox"
import * as Receiver from "#engine/InboxReceiver"
import * as Server from "#engine/InboxServer"

export const secret = "whsec-1"

export const sign = (body: string | Uint8Array, key = secret): string =>
  `sha256=${createHmac("sha256", key).update(body).digest("hex")}`

export const monitorId = "01a20000-0000-7000-8000-000000000001"

/** A page that has changed, as the service tells of it. */
export const pageEvent = (id: string, n = 0, of: object = {}): string =>
  JSON.stringify({
    success: true,
    type: "monitor.page",
    id: "check-1",
    webhookId: id,
    data: [
      {
        monitorId,
        checkId: "check-1",
        targetId: "t",
        status: "changed",
        url: `http://site.test/${n}`,
        statusCode: 200,
        error: null,
        metadata: { title: `Page ${n}` },
        judgment: null,
        diff: { text: "-a\n+b\n" },
        snapshot: null,
        ...of
      }
    ],
    error: null,
    metadata: {}
  })

/** The end of a check. */
export const endEvent = (id: string, of: object = {}): string =>
  JSON.stringify({
    success: true,
    type: "monitor.check.completed",
    id: "check-1",
    webhookId: id,
    data: [
      {
        monitorId,
        checkId: "check-1",
        status: "completed",
        summary: { totalPages: 2, same: 1, changed: 1, new: 0, removed: 0, error: 0 },
        ...of
      }
    ],
    error: null,
    metadata: {}
  })

/** Receives at `/` until the scope closes; `told` has the type of each event that is new. */
export const receiving = Effect.fnUntraced(function* (inbox: Inbox, key = secret) {
  const told: Array<string> = []
  const receiver = yield* Receiver.open({
    inbox,
    secret: Redacted.make(key),
    path: "/",
    accepted: (type) => Effect.sync(() => void told.push(type))
  })
  const url = yield* Server.serve(receiver, { host: "127.0.0.1", port: 0 })
  return { url, told }
})

export interface Answered {
  readonly status: number
  readonly text: string
}

/** Signed as the service does, or with these headers. */
export const post = (
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { "x-service-signature": sign(body) }
): Effect.Effect<Answered> =>
  Effect.promise(async () => {
    const response = await fetch(url, { method: "POST", headers, body })
    return { status: response.status, text: await response.text() }
  })

/** A connection that sends what it is told to, and what comes back of it. */
export const wire = Effect.fnUntraced(function* (url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ""
  let look = () => {}
  socket.on("data", (chunk) => {
    text += String(chunk)
    look()
  })
  socket.on("error", () => {})
  const closed = new Promise<void>((done) => socket.once("close", () => done()))
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
  return {
    send: (some: string) => Effect.promise(() => new Promise<void>((done) => socket.write(some, () => done()))),
    /** Waits for a text, and gives all that came. */
    until: (part: string) =>
      Effect.promise(
        () =>
          new Promise<string>((done) => {
            look = () => (text.includes(part) ? done(text) : undefined)
            look()
          })
      ),
    cut: Effect.sync(() => socket.destroy()),
    /** Until the other side has closed it. */
    closed: Effect.map(
      Effect.promise(() => closed),
      () => text
    )
  }
})
