import type { LookupAddress } from "node:dns"
import * as net from "node:net"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import { type Answered, askAgent } from "#web/askAgent"
import { toFetchError } from "#web/FetchError"
import { guardedConnector } from "#web/fetch/guardedConnector"
import { KeptConnections } from "#web/fetch/KeptConnections"
import { guardedAgent } from "#web/guardedAgent"
import * as SendLimit from "#web/SendLimit"
import { httpAnswer } from "../../service/rawServer.ts"
import { hosts } from "../../service/served.ts"

/** A server that does with each connection what a test says; it counts them. */
const serve = (connected: (socket: net.Socket, number: number) => void, host = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly sockets: ReadonlySet<net.Socket>; readonly count: () => number }>(
      (resume) => {
        const sockets = new Set<net.Socket>()
        let count = 0
        const server = net.createServer((socket) => {
          sockets.add(socket)
          socket.on("error", () => {})
          socket.on("close", () => sockets.delete(socket))
          connected(socket, ++count)
        })
        server.on("error", (cause) => resume(Effect.die(cause)))
        server.listen(0, host, () => {
          const address = server.address()
          const port = typeof address === "object" && address !== null ? address.port : 0
          closers.set(sockets, () => server.close())
          resume(Effect.succeed({ port, sockets, count: () => count }))
        })
      }
    ),
    ({ sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        closers.get(sockets)?.()
      })
  )
const closers = new WeakMap<ReadonlySet<net.Socket>, () => void>()

const hello = httpAnswer(["content-length: 5"], "hello")

type Limits = ConstructorParameters<typeof KeptConnections>[1]

const limits: Limits = { connections: 2, silentMillis: 60_000, keepMillis: 4000 }

/** Connections whose hosts are found at these addresses. */
const connections = (own: Partial<Limits> = {}, addresses: ReadonlyArray<string> = ["127.0.0.1"]) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const guard = {
        allowPrivate: true,
        resolve: new Map(),
        lookup: (_host: string, _options: object, done: (error: null, all: Array<LookupAddress>) => void) =>
          done(
            null,
            addresses.map((address) => ({ address, family: net.isIP(address) }))
          )
      }
      const connecting = (onread: net.OnReadOpts) => guardedConnector(guard, { rejectUnauthorized: true, onread })
      return new KeptConnections(connecting, { ...limits, ...own })
    }),
    (kept) => Effect.sync(() => kept.close())
  )

const codeOf = (cause: unknown) => (cause instanceof Error && "code" in cause ? cause.code : String(cause))

/** How one request ended: what it answered, or why not. */
const ask = (
  kept: KeptConnections,
  port: number,
  host = "site.test",
  path = "/",
  sendBefore?: number,
  slowAfterMillis?: number
) =>
  Effect.callback<string>((resume) => {
    const stop = kept.ask({
      url: new URL(`http://${host}:${port}${path}`),
      text: `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
      maxBytes: 100_000,
      sendBefore,
      slowAfterMillis,
      answered: ({ body, head }) => resume(Effect.succeed(`${head.status} ${Buffer.from(body).toString("latin1")}`)),
      failed: (cause) => resume(Effect.succeed(String(codeOf(cause)))),
      otherProtocol: () => resume(Effect.succeed("another protocol"))
    })
    return Effect.sync(stop)
  })

describe("connections that are kept", () => {
  it.live("carry one request after another, and are at most as many as a host is given", () =>
    Effect.gen(function* () {
      // Answers two at a time: with one connection nobody would ever be answered.
      const waiting: Array<net.Socket> = []
      const server = yield* serve((socket) =>
        socket.on("data", () => {
          if (waiting.push(socket) === 2) for (const one of waiting.splice(0)) one.write(hello)
        })
      )
      const kept = yield* connections()
      const answers = yield* Effect.forEach(Array.from({ length: 20 }), () => ask(kept, server.port), {
        concurrency: "unbounded"
      })

      expect(new Set(answers)).toEqual(new Set(["200 hello"]))
      expect(server.count()).toBe(2)
    })
  )

  it.live(
    "send nothing that is too late, whether the connection is new or kept, and are kept for the next request",
    () =>
      Effect.gen(function* () {
        const asked: Array<string> = []
        const server = yield* serve((socket) =>
          socket.on("data", (data) => {
            asked.push(String(data).split(" ")[1] ?? "")
            socket.write(hello)
          })
        )
        const kept = yield* connections()
        const [late, early] = [SendLimit.uptimeMillis() - 1, SendLimit.uptimeMillis() + 600_000]
        const answers = [
          yield* ask(kept, server.port, "site.test", "/late", late),
          yield* ask(kept, server.port, "site.test", "/early", early),
          yield* ask(kept, server.port, "site.test", "/late again", late)
        ]
        const agent = yield* guardedAgent(
          { allowPrivate: true, resolve: hosts(server.port) },
          { connections: 1, rejectUnauthorized: true }
        )
        const failed = yield* Effect.callback<unknown>((resume) => {
          const url = new URL("http://site.test/late by another client")
          const failed = (cause: unknown) => resume(Effect.succeed(codeOf(cause)))
          askAgent(agent, { url, headers: {}, maxBytes: 100, sendBefore: late, answered: () => {}, failed })
        })

        expect([...answers, failed]).toEqual(["ERR_NOT_SENT", "200 hello", "ERR_NOT_SENT", "ERR_NOT_SENT"])
        expect(asked).toEqual(["/early"])
        expect(toFetchError("http://site.test/", new SendLimit.NotSent()).code).toBe(SendLimit.notSentCode)
      })
  )

  it.live("ask once more where the host closed one just as it was used again, and nothing had come", () =>
    Effect.gen(function* () {
      for (const close of [(socket: net.Socket) => socket.end(), (socket: net.Socket) => socket.resetAndDestroy()]) {
        const server = yield* serve((socket, number) => {
          let asked = 0
          socket.on("data", () => (number === 1 && ++asked === 2 ? close(socket) : socket.write(hello)))
        })
        const kept = yield* connections()

        expect(yield* ask(kept, server.port)).toBe("200 hello")
        expect(yield* ask(kept, server.port)).toBe("200 hello")
        expect(server.count()).toBe(2)
      }
    })
  )

  it.live(
    "do not ask again where something had come, where it was the first request, or where it was asked twice",
    () =>
      Effect.gen(function* () {
        let asked = 0
        const server = yield* serve((socket, number) =>
          socket.on("data", () => {
            asked += 1
            if (asked === 1) socket.write(hello)
            else if (number === 1) socket.end("HTTP/1.1 200 OK\r\n")
            else socket.end()
          })
        )
        const kept = yield* connections({ connections: 1 })

        expect(yield* ask(kept, server.port)).toBe("200 hello")
        expect(yield* ask(kept, server.port)).toBe("ERR_ANSWER_CUT")
        expect(yield* ask(kept, server.port)).toBe("ERR_ANSWER_CUT")
        expect([asked, server.count()]).toEqual([3, 2])

        let first = true
        const gone = yield* serve((socket) =>
          socket.on("data", () => {
            if (first) socket.write(hello)
            else socket.end()
            first = false
          })
        )
        expect(yield* ask(kept, gone.port)).toBe("200 hello")
        expect(yield* ask(kept, gone.port)).toBe("ERR_ANSWER_CUT")
        expect(gone.count()).toBe(2)
      })
  )

  it.live("are closed where the host says so, sends more than an answer, or speaks unasked", () =>
    Effect.gen(function* () {
      const closing: ReadonlyArray<(socket: net.Socket) => void> = [
        (socket) => socket.write(httpAnswer(["content-length: 5", "connection: close"], "hello")),
        (socket) => socket.write(httpAnswer(["content-length: 5", "keep-alive: timeout=1"], "hello")),
        (socket) =>
          socket.write(httpAnswer(["content-length: 5"], "helloHTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nstolen")),
        (socket) => {
          socket.write(hello)
          setImmediate(() => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nstolen"))
        }
      ]
      for (const answer of closing) {
        const closed = Promise.withResolvers<void>()
        const server = yield* serve((socket) => {
          socket.on("close", () => closed.resolve())
          socket.on("data", () => answer(socket))
        })
        const kept = yield* connections()

        expect(yield* ask(kept, server.port)).toBe("200 hello")
        yield* Effect.promise(() => closed.promise)
        expect(yield* ask(kept, server.port)).toBe("200 hello")
        expect(server.count()).toBe(2)
      }
    })
  )

  it.live("are not believed where the host answers before it is asked", () =>
    Effect.gen(function* () {
      const server = yield* serve((socket) => socket.write(httpAnswer(["content-length: 6"], "stolen")))
      const kept = yield* connections()

      expect(yield* ask(kept, server.port)).not.toBe("200 hello")
      expect(server.count()).toBe(1)
    })
  )

  it.live("are given up where the host is silent: before its answer, in it, and afterwards", () =>
    Effect.gen(function* () {
      for (const [begin, code] of [
        ["", "ERR_ANSWER_LATE"],
        ["HTTP/1.1 200 OK\r\n", "ERR_ANSWER_LATE"],
        ["HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n<p>", "ERR_ANSWER_STALLED"]
      ] as const) {
        const closed = Promise.withResolvers<void>()
        const server = yield* serve((socket) => {
          socket.on("close", () => closed.resolve())
          socket.on("data", () => socket.write(begin))
        })
        const kept = yield* connections({ silentMillis: 500 })
        expect(yield* ask(kept, server.port)).toBe(code)
        yield* Effect.promise(() => closed.promise)
      }
      const closed = Promise.withResolvers<void>()
      const server = yield* serve((socket) => {
        socket.on("close", () => closed.resolve())
        socket.on("data", () => socket.write(hello))
      })
      const kept = yield* connections({ keepMillis: 500 })
      expect(yield* ask(kept, server.port)).toBe("200 hello")
      yield* Effect.promise(() => closed.promise)
    })
  )

  it.live("give up a body that drips, and wait for one that is slow but keeps the least rate", () =>
    Effect.gen(function* () {
      const closed = Promise.withResolvers<void>()
      const server = yield* serve((socket) =>
        socket.on("data", (data) => {
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\n")
          const isDrip = String(data).includes("/drip")
          const timer = setInterval(() => socket.write(isDrip ? "x" : "x".repeat(10)), 100)
          socket.on("close", () => {
            clearInterval(timer)
            if (isDrip) closed.resolve()
          })
        })
      )
      const kept = yield* connections()
      const slow = yield* Effect.forkChild(ask(kept, server.port, "site.test", "/slow", undefined, 500))

      expect(yield* ask(kept, server.port, "site.test", "/drip", undefined, 500)).toBe("ERR_ANSWER_SLOW")
      yield* Effect.promise(() => closed.promise)
      expect(yield* Fiber.join(slow)).toBe(`200 ${"x".repeat(200)}`)
    })
  )

  it.live("do not wait for the rest of a redirect, which its head alone says", () =>
    Effect.gen(function* () {
      const heads = (more: string) => `HTTP/1.1 302 Found\r\nlocation: /there\r\n${more}\r\n\r\n`
      const rests: Readonly<Record<string, (socket: net.Socket) => void>> = {
        "/never": (socket) => void socket.write(heads("content-length: 5000")),
        "/broken": (socket) => void socket.write(`${heads("transfer-encoding: chunked")}zz\r\n`),
        "/cut": (socket) => void socket.end(`${heads("content-length: 5000")}half`),
        "/huge": (socket) => void socket.write(heads("content-length: 5000000")),
        "/later": (socket) => {
          socket.write(heads("content-length: 5"))
          setImmediate(() => socket.write("hello"))
        }
      }
      const server = yield* serve((socket) => {
        socket.on("data", (data) => rests[String(data).split(" ")[1] ?? ""]?.(socket))
      })
      const kept = yield* connections()
      const said = yield* Effect.forEach(["/later", "/later", ...Object.keys(rests)], (path) =>
        ask(kept, server.port, "site.test", path)
      )

      expect(said).toEqual(["302 hello", "302 hello", "302 ", "302 ", "302 ", "302 ", "302 hello"])
      // What came whole leaves its connection for the next request.
      expect(server.count()).toBe(5)
    })
  )

  it.live("make room for who waits when a request is interrupted, and forget one that waits itself", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const hanging = Promise.withResolvers<void>()
      const server = yield* serve((socket) =>
        socket.on("data", (data) => {
          const path = String(data).split(" ")[1] ?? ""
          asked.push(path)
          if (path === "/hangs") hanging.resolve()
          else socket.write(hello)
        })
      )
      const kept = yield* connections({ connections: 1 })
      const hangs = yield* Effect.forkChild(ask(kept, server.port, "site.test", "/hangs"))
      yield* Effect.promise(() => hanging.promise)
      const forgotten = yield* Effect.forkChild(ask(kept, server.port, "site.test", "/forgotten"))
      const waits = yield* Effect.forkChild(ask(kept, server.port, "site.test", "/waits"))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(forgotten)
      yield* Fiber.interrupt(hangs)

      expect(yield* Fiber.join(waits)).toBe("200 hello")
      expect(asked).toEqual(["/hangs", "/waits"])
    })
  )

  it.live("reach the next address of a host where the first does not answer, and IPv6", () =>
    Effect.gen(function* () {
      const answers = (socket: net.Socket) => void socket.on("data", () => socket.write(hello))
      const server = yield* serve(answers)
      const kept = yield* connections({}, ["::1", "127.0.0.1"])
      const server6 = yield* serve(answers, "::1")

      expect(yield* ask(kept, server.port)).toBe("200 hello")
      expect(yield* ask(kept, server6.port, "[::1]")).toBe("200 hello")
    })
  )

  it.live("have by undici too the first of equal fields, and all of Link", () =>
    Effect.gen(function* () {
      const answer = "HTTP/1.1 200 OK\r\nlink: <a>\r\nlink: <b>\r\nx-a: 1\r\nx-a: 2\r\ncontent-length: 0\r\n\r\n"
      const server = yield* serve((socket) => socket.on("data", () => socket.write(answer)))
      const agent = yield* guardedAgent(
        { allowPrivate: true, resolve: new Map([["site.test", { address: "127.0.0.1", port: server.port }]]) },
        { connections: 1, rejectUnauthorized: true }
      )
      const url = new URL(`http://site.test:${server.port}/`)

      const { header } = yield* Effect.callback<Answered, unknown>((resume) => {
        const answered = (found: Answered) => resume(Effect.succeed(found))
        const failed = (cause: unknown) => resume(Effect.fail(cause))
        return Effect.sync(askAgent(agent, { url, headers: {}, maxBytes: 100, answered, failed }))
      })

      expect([header("link"), header("x-a"), header("x-b")]).toEqual(["<a>, <b>", "1", undefined])
    })
  )

  it.live("say the same as undici of every answer that is well-formed, however it comes", () =>
    Effect.gen(function* () {
      const answers: Array<Buffer> = []
      const server = yield* serve((socket) =>
        socket.on("data", (data) => {
          const [, at = "0", cut = "0"] = /^GET \/(\d+)\/(\d+)/.exec(String(data)) ?? []
          const answer = answers[Number(at)] ?? Buffer.of()
          socket.setNoDelay(true)
          socket.write(answer.subarray(0, Number(cut)))
          setImmediate(() => {
            socket.write(answer.subarray(Number(cut)))
            if (/connection: close/i.test(answer.toString("latin1"))) socket.end()
          })
        })
      )
      const kept = yield* connections({ connections: 8 })
      const agent = yield* guardedAgent(
        { allowPrivate: true, resolve: new Map([["site.test", { address: "127.0.0.1", port: server.port }]]) },
        { connections: 8, rejectUnauthorized: true }
      )
      const byAgent = (path: string) =>
        Effect.callback<string>((resume) => {
          const url = new URL(`http://site.test:${server.port}${path}`)
          const answered = ({ body, header, status }: Answered) =>
            resume(Effect.succeed(`${status} ${header("x-a") ?? ""} ${Buffer.from(body).toString("latin1")}`))
          const failed = (cause: unknown) => resume(Effect.succeed(String(codeOf(cause))))
          const stop = askAgent(agent, { url, headers: {}, maxBytes: 100_000, answered, failed })
          return Effect.sync(stop)
        })
      const byUs = (path: string) =>
        Effect.callback<string>((resume) => {
          const stop = kept.ask({
            url: new URL(`http://site.test:${server.port}${path}`),
            text: `GET ${path} HTTP/1.1\r\nhost: site.test\r\n\r\n`,
            maxBytes: 100_000,
            answered: ({ body, head }) =>
              resume(
                Effect.succeed(
                  `${head.status} ${head.headers.get("x-a") ?? ""} ${Buffer.from(body).toString("latin1")}`
                )
              ),
            failed: (cause) => resume(Effect.succeed(String(codeOf(cause)))),
            otherProtocol: () => {}
          })
          return Effect.sync(stop)
        })
      const random = numbers(7)
      const paths = Array.from({ length: 300 }, (_, at) => {
        const answer = wellFormed(random)
        answers.push(answer)
        return `/${at}/${random(answer.length + 1)}`
      })
      const [ours, theirs] = yield* Effect.all([
        Effect.forEach(paths, byUs, { concurrency: 8 }),
        Effect.forEach(paths, byAgent, { concurrency: 8 })
      ])

      expect(ours).toEqual(theirs)
      expect(ours.every((outcome) => /^\d{3} /.test(outcome))).toBe(true)
    })
  )
})

/** Numbers that look drawn and are the same each time: below `limit`, which is not among them. */
const numbers = (seed: number) => {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** An answer that HTTP permits: some fields, a body of some length, delimited in one of its ways. */
const wellFormed = (random: (limit: number) => number): Buffer => {
  const body = Array.from({ length: random(4) === 0 ? random(70_000) : random(40) }, (_, at) =>
    String.fromCharCode(random(3) === 0 ? 13 - 3 * (at % 2) : random(256))
  ).join("")
  const fields = Array.from(
    { length: random(6) },
    (_, at) => `x-${"abcdef"[at]}:${" ".repeat(random(3))}v${random(99)}`
  )
  const status = [200, 200, 404, 503, 204, 304][random(6)] ?? 200
  const early = random(5) === 0 ? "HTTP/1.1 103 Early Hints\r\nlink: </s>\r\n\r\n" : ""
  const head = (...own: ReadonlyArray<string>) =>
    `${early}HTTP/1.1 ${status} ${random(2) === 0 ? "Reason" : ""}\r\n${[...fields, ...own].join("\r\n")}\r\n\r\n`
  if (status === 204 || status === 304) return Buffer.from(head("x-z: 1"), "latin1")
  switch (random(3)) {
    case 0:
      return Buffer.from(head(`Content-Length: ${body.length}`) + body, "latin1")
    case 1:
      return Buffer.from(head("Connection: close") + body, "latin1")
    default: {
      let chunks = ""
      for (let at = 0; at < body.length; ) {
        const size = 1 + random(body.length)
        const chunk = body.slice(at, at + size)
        chunks += `${chunk.length.toString(16)}${random(3) === 0 ? ";a=b" : ""}\r\n${chunk}\r\n`
        at += size
      }
      const trailers = random(3) === 0 ? "x-t: 1\r\n" : ""
      return Buffer.from(`${head("Transfer-Encoding: chunked")}${chunks}0\r\n${trailers}\r\n`, "latin1")
    }
  }
}
