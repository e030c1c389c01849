import { createHash } from "node:crypto"
import * as zlib from "node:zlib"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { expect } from "vitest"
import { millrace } from "#base/CrawlerName"
import { Fetch, maxPageBytes, type Options } from "#web/Fetch"
import { httpAnswer, rawServer } from "../../service/rawServer.ts"
import { file, scriptedSite } from "../../service/scriptedSite.ts"
import { selfSigned } from "../../service/selfSigned.ts"
import { hosts } from "../../service/served.ts"

const get = (port: number, path = "/", options: Partial<Options> = {}, scheme = "http") =>
  Effect.flatMap(Fetch, (fetch) =>
    fetch.get(`${scheme}://site.test${path}`, { timeoutMillis: 300_000, ...options })
  ).pipe(Effect.provide(Fetch.layer({ allowPrivate: false, resolve: hosts(port) })))

const textOf = ({ body }: { readonly body: Uint8Array }) => new TextDecoder().decode(body)

const html = "<p>Grüße</p>".repeat(2000)

const encoded = (encoding: string, body: Uint8Array) =>
  httpAnswer([`content-encoding: ${encoding}`, `content-length: ${body.byteLength}`], body)

describe("an exchange", () => {
  it.live("undoes every content encoding it asks for, one in another too, and leaves as they are what means none", () =>
    Effect.gen(function* () {
      const bodies: Readonly<Record<string, readonly [encoding: string, body: Uint8Array]>> = {
        "/gzip": ["gzip", zlib.gzipSync(html)],
        "/x-gzip": ["X-GZIP", zlib.gzipSync(html)],
        "/deflate": ["deflate", zlib.deflateSync(html)],
        "/raw-deflate": ["deflate", zlib.deflateRawSync(html)],
        "/br": ["br", zlib.brotliCompressSync(html)],
        "/twice": ["gzip, br", zlib.brotliCompressSync(zlib.gzipSync(html))],
        "/zstd": ["zstd", zlib.zstdCompressSync(html)],
        "/identity": ["identity", Buffer.from(html)],
        "/chunks": ["aws-chunked", Buffer.from(html)],
        "/none": ["none", Buffer.from(html)]
      }
      const site = yield* scriptedSite(
        Object.fromEntries(
          Object.entries(bodies).map(([path, [encoding, body]]) => [
            path,
            (_request, response) => {
              response.writeHead(path === "/br" ? 404 : 200, { "content-encoding": encoding })
              response.end(body)
            }
          ])
        )
      )
      for (const path of Object.keys(bodies)) {
        expect([path, textOf(yield* get(site.port, path))]).toEqual([path, html])
      }
    })
  )

  it.live("takes no page for text whose content encoding nobody knows, and none that is encoded over and over", () =>
    Effect.gen(function* () {
      for (const encoding of ["compress", "br, x-secret", "gzip, gzip, gzip, gzip"]) {
        const server = yield* rawServer((socket) => socket.end(encoded(encoding, Buffer.from(html))))
        const error = yield* Effect.flip(get(server.port))
        expect(error).toMatchObject({ code: "SCRAPE_INVALID_RESPONSE", retryable: false })
        expect(error.message).toMatch(/^the answer's content-encoding is ".*", which is not supported$/)
      }
    })
  )

  it.live("does not take half a compressed page for the page where the length of the answer is right", () =>
    Effect.gen(function* () {
      const text = Array.from({ length: 20_000 }, (_, index) =>
        createHash("md5").update(String(index)).digest("hex")
      ).join()
      const cut = (body: Uint8Array) => body.subarray(0, body.byteLength / 2)
      const bodies = {
        gzip: zlib.gzipSync(text),
        deflate: zlib.deflateSync(text),
        br: zlib.brotliCompressSync(text),
        zstd: zlib.zstdCompressSync(text)
      }
      for (const [encoding, body] of Object.entries(bodies)) {
        const server = yield* rawServer((socket) => socket.end(encoded(encoding, cut(body))))
        const error = yield* Effect.flip(get(server.port))
        expect([encoding, error]).toMatchObject([encoding, { code: "SCRAPE_CONNECTION_ERROR", retryable: true }])
      }
    })
  )

  it.live(
    "is not whole where the host closes in the middle of a compressed page, and is where only its checksum is missing",
    () =>
      Effect.gen(function* () {
        const body = zlib.gzipSync(
          Array.from({ length: 2000 }, (_, at) => createHash("md5").update(`${at}`).digest("hex")).join()
        )
        const sent = (bytes: Uint8Array) =>
          Buffer.concat([Buffer.from("HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), bytes])
        for (const end of [0.1, 0.5, 0.9]) {
          const server = yield* rawServer((socket) => socket.end(sent(body.subarray(0, body.byteLength * end))))
          const error = yield* Effect.flip(get(server.port))
          expect(error).toMatchObject({ code: "SCRAPE_CONNECTION_ERROR", retryable: true })
        }
        for (const missing of [0, 3, 8]) {
          const server = yield* rawServer((socket) => socket.end(sent(body.subarray(0, body.byteLength - missing))))
          expect((yield* get(server.port)).body.byteLength).toBe(2000 * 33 - 1)
        }
      })
  )

  it.live("is whole where its host closes before its length says, if that is accepted, and its data is not cut", () =>
    Effect.gen(function* () {
      const text = Array.from({ length: 2000 }, (_, at) => createHash("md5").update(`${at}`).digest("hex")).join()
      const html = Buffer.from(text)
      const gzip = zlib.gzipSync(text)
      const sent = (body: Uint8Array, head = "") =>
        Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}Content-Length: 99999\r\n\r\n`), body])
      const guard = { allowPrivate: true, resolve: new Map() }
      const ask = Effect.fnUntraced(function* (answer: Uint8Array, acceptsWrongLength: boolean) {
        const { port } = yield* rawServer((socket) => socket.end(answer))
        return yield* Effect.flatMap(Fetch, (fetch) =>
          fetch.get(`http://127.0.0.1:${port}/`, { timeoutMillis: 300_000 })
        ).pipe(Effect.provide(Fetch.layer({ ...guard, acceptsWrongLength })))
      })
      const coded = "Content-Encoding: gzip\r\n"
      const plain = yield* ask(sent(html), true)
      const packed = yield* ask(sent(gzip, coded), true)
      const refused = [
        yield* Effect.flip(ask(sent(html), false)),
        yield* Effect.flip(ask(sent(gzip.subarray(0, gzip.byteLength / 2), coded), true)),
        yield* Effect.flip(ask(Buffer.from("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nhello"), true))
      ]

      for (const { body, isLengthWrong } of [plain, packed]) {
        expect([Buffer.from(body).toString(), isLengthWrong]).toEqual([text, true])
      }
      for (const error of refused) expect(error).toMatchObject({ code: "SCRAPE_CONNECTION_ERROR", retryable: true })
    })
  )

  it.live("gives an empty body for an empty one, whatever its encoding", () =>
    Effect.gen(function* () {
      for (const encoding of ["gzip", "deflate", "br", "zstd"]) {
        const server = yield* rawServer((socket) => socket.end(encoded(encoding, new Uint8Array())))
        expect([encoding, (yield* get(server.port)).body.byteLength]).toEqual([encoding, 0])
      }
    })
  )

  it.live("refuses bombs, broken compression and bodies that are too large, with the reason", () =>
    Effect.gen(function* () {
      const bomb = Buffer.alloc(maxPageBytes + 1)
      const endless = Buffer.alloc(64 * 1024, "x")
      const cases: ReadonlyArray<readonly [string, Uint8Array | "endless", string]> = [
        ["gzip bomb", encoded("gzip", zlib.gzipSync(bomb)), "SCRAPE_PAGE_TOO_LARGE"],
        ["deflate bomb", encoded("deflate", zlib.deflateSync(bomb)), "SCRAPE_PAGE_TOO_LARGE"],
        ["br bomb", encoded("br", zlib.brotliCompressSync(bomb)), "SCRAPE_PAGE_TOO_LARGE"],
        ["bomb in a bomb", encoded("gzip, gzip", zlib.gzipSync(zlib.gzipSync(bomb))), "SCRAPE_PAGE_TOO_LARGE"],
        ["not gzip", encoded("gzip", Buffer.from("plain text")), "SCRAPE_INVALID_RESPONSE"],
        ["not brotli", encoded("br", Buffer.from("<html>not brotli")), "SCRAPE_INVALID_RESPONSE"],
        ["endless", "endless", "SCRAPE_PAGE_TOO_LARGE"]
      ]
      for (const [what, answer, code] of cases) {
        const server = yield* rawServer((socket) => {
          if (answer !== "endless") return socket.end(answer)
          const more = () => {
            while (!socket.destroyed && socket.write(endless)) continue
          }
          socket.on("drain", more)
          socket.write(httpAnswer(["content-type: text/html", "connection: close"]))
          more()
        })
        expect([what, (yield* Effect.flip(get(server.port))).code]).toEqual([what, code])
      }
    })
  )

  it.live("takes a body of just the limit and not one byte more", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({
        "/just": file("text/html", Buffer.alloc(maxPageBytes, "x")),
        "/over": file("text/html", Buffer.alloc(maxPageBytes + 1, "x"))
      })

      expect((yield* get(site.port, "/just")).body.byteLength).toBe(maxPageBytes)
      expect(yield* Effect.flip(get(site.port, "/over"))).toMatchObject({
        code: "SCRAPE_PAGE_TOO_LARGE",
        message: "the page is larger than 20 MB"
      })
      expect(yield* Effect.flip(get(site.port, "/just", { maxBytes: 10 }))).toMatchObject({
        code: "SCRAPE_PAGE_TOO_LARGE"
      })
    })
  )

  it.live("tells broken answers apart: no HTTP, too many headers, too short, reset", () =>
    Effect.gen(function* () {
      const answers: ReadonlyArray<readonly [string, Uint8Array | undefined, string, boolean]> = [
        ["no HTTP", Buffer.from("SSH-2.0-OpenSSH_9.2\r\n\r\n"), "SCRAPE_INVALID_RESPONSE", false],
        [
          "two lengths",
          httpAnswer(["content-length: 5", "content-length: 6"], "hello"),
          "SCRAPE_INVALID_RESPONSE",
          false
        ],
        ["300 kB of headers", httpAnswer([`x: ${"y".repeat(300_000)}`], "hello"), "SCRAPE_INVALID_RESPONSE", false],
        ["half an answer", httpAnswer(["content-length: 50"], "hello"), "SCRAPE_CONNECTION_ERROR", true],
        ["a bad chunk", httpAnswer(["transfer-encoding: chunked"], "zz\r\nhello"), "SCRAPE_INVALID_RESPONSE", false],
        ["no answer", undefined, "SCRAPE_CONNECTION_ERROR", true]
      ]
      for (const [what, answer, code, retryable] of answers) {
        const server = yield* rawServer((socket) =>
          answer === undefined ? socket.resetAndDestroy() : socket.end(answer)
        )
        const error = yield* Effect.flip(get(server.port))
        expect([what, error.code, error.retryable]).toEqual([what, code, retryable])
      }
    })
  )

  it.live("says that a host refuses the connection", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(rawServer(() => {}))

      expect(yield* Effect.flip(get(port))).toMatchObject({ code: "SCRAPE_CONNECTION_ERROR", retryable: true })
    })
  )

  it.live("ends at its timeout, and closes the connection, where the answer never comes or never ends", () =>
    Effect.gen(function* () {
      for (const begin of ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p>"]) {
        const closed = Promise.withResolvers<void>()
        const server = yield* rawServer((socket) => {
          socket.on("close", () => closed.resolve())
          socket.write(begin)
        })
        const error = yield* Effect.flip(get(server.port, "/", { timeoutMillis: 50 }))
        yield* Effect.promise(() => closed.promise)

        expect(error).toMatchObject({ code: "SCRAPE_TIMEOUT", message: "no complete answer within 50 ms" })
      }
    })
  )

  it.live("closes its connection when it is interrupted", () =>
    Effect.gen(function* () {
      const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const server = yield* rawServer((socket) => {
        socket.on("close", () => closed.resolve())
        asked.resolve()
      })
      const fiber = yield* Effect.forkChild(get(server.port))
      yield* Effect.promise(() => asked.promise)
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => closed.promise)

      expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
    })
  )

  it.live("refuses a certificate that does not verify, unless it is told not to look", () =>
    Effect.gen(function* () {
      const answer = httpAnswer(["content-length: 6"], "secret")
      const server = yield* rawServer((socket) => socket.end(answer), selfSigned("site.test"))
      const error = yield* Effect.flip(get(server.port, "/", {}, "https"))
      const trusting = yield* get(server.port, "/", { skipTlsVerification: true }, "https")

      expect(error).toMatchObject({
        code: "SCRAPE_TLS_ERROR",
        message: "the host's certificate or TLS is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)",
        retryable: false
      })
      expect(textOf(trusting)).toBe("secret")
    })
  )

  it.live("speaks plain HTTP with a mapped https host that speaks only that, and remembers it", () =>
    Effect.gen(function* () {
      const site = yield* scriptedSite({ "/a": file("text/plain", "a"), "/b": file("text/plain", "b") })
      const bodies = yield* Effect.forEach(["/a", "/b"], (path) =>
        Effect.map(get(site.port, path, {}, "https"), textOf)
      )

      expect(bodies).toEqual(["a", "b"])
    })
  )

  it.live("says who it is, sends the headers it is told, and gives status, type, location and Retry-After", () =>
    Effect.gen(function* () {
      const seen: Array<Readonly<Record<string, unknown>>> = []
      const site = yield* scriptedSite({
        "/": (request, response) => {
          seen.push(request.headers)
          response.writeHead(503, { "content-type": "text/plain", location: "/x", "retry-after": "7" })
          response.end("later")
        }
      })
      const { body, elapsedMillis, ...answer } = yield* get(site.port, "/", { headers: { "accept-language": "de" } })

      expect(seen[0]).toMatchObject({ ...millrace.headers, "accept-language": "de", host: "site.test" })
      const bytes = { wireBytes: 5, bodyBytes: 5 }
      expect(answer).toEqual({ status: 503, contentType: "text/plain", location: "/x", retryAfter: "7", ...bytes })
      expect(textOf({ body })).toBe("later")
      expect(elapsedMillis).toBeGreaterThanOrEqual(0)
    })
  )

  it.live("gives back the bytes of a Location that is not ASCII: UTF-8, and what older servers write", () =>
    Effect.gen(function* () {
      const utf8 = Buffer.from("/größe/日本 1/voilà")
      const older = Buffer.from("/gr\xf6\xdfe", "latin1")
      const sent = [utf8, older]
      const server = yield* rawServer((socket) =>
        socket.end(
          Buffer.concat([
            Buffer.from("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nConnection: close\r\nLocation: "),
            sent.shift() ?? utf8,
            Buffer.from("\r\n\r\n")
          ])
        )
      )
      const locations = yield* Effect.forEach([1, 2], () => Effect.map(get(server.port), (answer) => answer.location))

      expect(locations).toEqual(["/gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC 1/voil%C3%A0", "/gr%F6%DFe"])
    })
  )
})
