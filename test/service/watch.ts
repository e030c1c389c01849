/** A watcher of a crawl or batch over a real WebSocket. */
import * as Effect from "effect/Effect"
import type { Service } from "./served.ts"

export interface Watched {
  // A frame is JSON of any shape.
  readonly frames: Array<any>
  readonly closed: Effect.Effect<{ readonly code: number; readonly reason: string }>
  readonly opened: Effect.Effect<string>
  readonly first: Effect.Effect<void>
  /** Titles of the pages that it was sent, in that order. */
  readonly titles: () => ReadonlyArray<string>
  readonly leave: Effect.Effect<void>
}

/** Watches with Node's own client, the key as subprotocol, as the public client does. */
export const watch = (service: Service, path: string, protocol?: string): Watched => {
  const frames: Array<any> = []
  const opened = Promise.withResolvers<string>()
  const closed = Promise.withResolvers<{ readonly code: number; readonly reason: string }>()
  const first = Promise.withResolvers<void>()
  const socket = new WebSocket(service.url.replace("http", "ws") + path, protocol === undefined ? [] : [protocol])
  socket.addEventListener("open", () => opened.resolve(socket.protocol))
  socket.addEventListener("close", ({ code, reason }) => closed.resolve({ code, reason }))
  socket.addEventListener("message", ({ data }) => {
    frames.push(JSON.parse(String(data)))
    first.resolve()
  })
  return {
    frames,
    closed: Effect.promise(() => closed.promise),
    opened: Effect.promise(() => opened.promise),
    first: Effect.promise(() => first.promise),
    titles: () =>
      frames
        .flatMap(({ type, data }) => (type === "catchup" ? data.data : [data]))
        .map(({ metadata }) => metadata.title),
    leave: Effect.sync(() => socket.close())
  }
}
