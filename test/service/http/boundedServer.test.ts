import * as Net from "node:net"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { boundedServer } from "#base/boundedServer"
import { served } from "../served.ts"

/** What a server answers to bytes that come one after the other, and whether it then ends the connection. */
const spoken = (port: number, ...parts: ReadonlyArray<string>) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) => {
        let answer = ""
        const socket = Net.connect(port, "127.0.0.1", () => parts.forEach((part) => socket.write(part)))
        socket.on("data", (data) => {
          answer += data.toString()
        })
        socket.on("error", () => {})
        socket.on("close", () => resolve(answer))
      })
  )

const listening = (times: { readonly idle: number; readonly total: number }) =>
  Effect.gen(function* () {
    const server = boundedServer(times)
    server.on("request", (request, response) => {
      request.resume()
      // An answer that takes longer than a body may stand still.
      request.on("end", () => setTimeout(() => response.end("late", () => request.socket.end()), times.idle * 2))
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : 0
  })

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
const errorOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))

describe("a bounded server", () => {
  it.live("ends a body that stands still, and no answer that takes its time", () =>
    Effect.gen(function* () {
      const port = yield* listening({ idle: 150, total: 60_000 })
      const still = yield* spoken(port, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf")
      const whole = yield* spoken(port, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nbody")

      expect(statusOf(still)).toBe(408)
      expect(errorOf(still)).toEqual({ success: false, error: "Request Timeout: the body has stood still for 0.15 s" })
      expect(whole).toContain("late")
    }).pipe(Effect.scoped)
  )

  it.live("says in the catalogue's form what is no HTTP, and what is too large", () =>
    Effect.gen(function* () {
      const port = yield* listening({ idle: 5000, total: 60_000 })
      const noHttp = yield* spoken(port, "lamp\r\n\r\n")
      const large = yield* spoken(port, `GET / HTTP/1.1\r\nhost: a\r\nx: ${"x".repeat(20_000)}\r\n\r\n`)
      const twice = yield* spoken(
        port,
        "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nabc"
      )

      expect([noHttp, large, twice].map(statusOf)).toEqual([400, 431, 400])
      expect(errorOf(large)).toEqual({
        success: false,
        error: "Request Header Fields Too Large: the head of a request takes at most 16 kB"
      })
      expect(errorOf(noHttp)).toEqual({ success: false, error: "Bad Request: the request is not valid HTTP" })
    }).pipe(Effect.scoped)
  )
})

describe("a body that is too large", () => {
  it.live("is refused while its sender is still sending", () =>
    Effect.gen(function* () {
      const { port } = new URL((yield* served()).url)
      const head = (length: string) =>
        `POST /v2/crawl HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\n${length}\r\n\r\n`
      const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`
      const long = yield* spoken(Number(port), head(`content-length: ${200 * 1024 * 1024}`), "x".repeat(100_000))
      const chunked = yield* spoken(Number(port), head("transfer-encoding: chunked"), ...Array(170).fill(chunk))

      expect([long, chunked].map(statusOf)).toEqual([413, 413])
    })
  )
})
