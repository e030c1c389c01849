import { describe, expect, it, test } from "vitest"
import { AnswerReader, maxHeadBytes } from "#web/fetch/AnswerReader"

interface Outcome {
  readonly status?: number | undefined
  readonly body?: string
  readonly code?: unknown
  /** Bytes that do not belong to the answer. */
  readonly more?: number
}

const codeOf = (cause: unknown) => (cause instanceof Error && "code" in cause ? cause.code : cause)

/** What a reader makes of bytes that come in these pieces, before the connection ends. */
const read = (pieces: ReadonlyArray<Buffer>, maxBytes = 1000): Outcome => {
  const reader = new AnswerReader(maxBytes)
  let more = 0
  try {
    for (const piece of pieces) {
      // The bytes are gone when the next ones come, as they are on a connection.
      const borrowed = Buffer.from(piece)
      more += piece.length - (reader.isDone ? 0 : reader.feed(borrowed))
      if (!reader.isBorrowed) borrowed.fill(0)
    }
    if (!reader.isDone) reader.end()
  } catch (cause) {
    return { code: codeOf(cause) }
  }
  return { status: reader.head?.status, body: Buffer.from(reader.body).toString("latin1"), more }
}

const bytes = (text: string) => Buffer.from(text, "latin1")
const length = "content-length: 5"
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"

const whole: Readonly<Record<string, readonly [answer: string, body: string, status?: number]>> = {
  "a length": [`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${length}\r\n\r\nhello`, "hello"],
  "no reason": [`HTTP/1.1 200\r\n${length}\r\n\r\nhello`, "hello"],
  "HTTP/1.0": ["HTTP/1.0 200 OK\r\n\r\nhello", "hello"],
  "a body that ends with the connection": [
    "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhe\r\n\r\nllo",
    "he\r\n\r\nllo"
  ],
  "chunk sizes with spaces": [`${chunked}5  \r\nhello\r\n0 \r\n\r\n`, "hello"],
  chunks: [`${chunked}5\r\nhello\r\n00A\r\n0123456789\r\n0\r\n\r\n`, "hello0123456789"],
  "chunks with extensions": [`${chunked}5;a=b;c="d\\""\r\nhello\r\n0;x\r\n\r\n`, "hello"],
  "chunks with trailers": [`${chunked}5\r\nhello\r\n0\r\nx: y\r\nz: \xe9\r\n\r\n`, "hello"],
  "no chunk": [`${chunked}0\r\n\r\n`, ""],
  "a coding before chunks": [
    "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "hello"
  ],
  "a last coding that is not chunked": ["HTTP/1.1 200 OK\r\ntransfer-encoding: identity\r\n\r\nhello", "hello"],
  "answers on its way": [
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: </a>\r\nconnection: close\r\n\r\nHTTP/1.1 404 No\r\n${length}\r\n\r\nhello`,
    "hello",
    404
  ],
  "204": ["HTTP/1.1 204 No\r\n\r\n", "", 204],
  "304 with the length of what is not sent": ["HTTP/1.1 304 No\r\ncontent-length: 500\r\n\r\n", "", 304],
  "line ends before it": [`\r\n\nHTTP/1.1 200 OK\r\n${length}\r\n\r\nhello`, "hello"],
  "spaces around values": ["HTTP/1.1 200 OK\r\ncontent-length:  \t5 \t\r\nx:\r\n\r\nhello", "hello"]
}

/** What breaks the rules, and every browser reads. */
const irregular: Readonly<Record<string, string>> = {
  "a bare line feed": `HTTP/1.1 200 OK\r\n${length}\nx: y\r\n\r\nhello`,
  "nothing but bare line feeds": `HTTP/1.1 200 OK\n${length}\n\nhello`,
  "a bare line feed before the body": `HTTP/1.1 200 OK\r\n${length}\r\n\nhello`,
  "a folded line": `HTTP/1.1 200 OK\r\nx: a\r\n b\r\n${length}\r\n\r\nhello`,
  "a line that is folded by bare line feeds": `HTTP/1.1 200 OK\nx: a\n\t b\n${length}\n\nhello`,
  "a space before the colon": `HTTP/1.1 200 OK\r\ncontent-length : 5\r\n\r\nhello`,
  "a line without a colon": `HTTP/1.1 200 OK\r\nxyz\r\n${length}\r\n\r\nhello`,
  "a last line without a colon": `HTTP/1.1 200 OK\r\n${length}\r\nxyz\r\n\r\nhello`,
  "a name that is none": `HTTP/1.1 200 OK\r\nx@: a\r\n${length}\r\n\r\nhello`,
  "one length twice": `HTTP/1.1 200 OK\r\n${length}\r\n${length}\r\n\r\nhello`,
  "a list of lengths": "HTTP/1.1 200 OK\r\ncontent-length: 5, 5\r\n\r\nhello",
  "a length before chunks": `HTTP/1.1 200 OK\r\ncontent-length: 7\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  "a length after chunks": `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n${length}\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  "a length beside a coding that is none": `HTTP/1.1 200 OK\r\ntransfer-encoding: identity\r\n${length}\r\n\r\nhello`,
  "chunks by bare line feeds": `${chunked}5\nhello\n0\n\n`
}

const broken: Readonly<Record<string, readonly [answer: string, code: string]>> = {
  "no HTTP": ["SSH-2.0-OpenSSH_9.2\r\n", "ERR_ANSWER_INVALID"],
  "half a word that is no HTTP": ["220", "ERR_ANSWER_INVALID"],
  nothing: ["", "ERR_ANSWER_CUT"],
  "half a head": ["HTTP/1.1 200 OK\r\nconte", "ERR_ANSWER_CUT"],
  "half a body": ["HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhello", "ERR_ANSWER_CUT"],
  "half a chunk": [`${chunked}50\r\nhello`, "ERR_ANSWER_CUT"],
  "no last chunk": [`${chunked}5\r\nhello\r\n`, "ERR_ANSWER_CUT"],
  "no end of trailers": [`${chunked}0\r\n`, "ERR_ANSWER_CUT"],
  "another version": [`HTTP/1.2 200 OK\r\n${length}\r\n\r\nhello`, "ERR_ANSWER_INVALID"],
  "a status of two digits": [`HTTP/1.1 20 OK\r\n${length}\r\n\r\nhello`, "ERR_ANSWER_INVALID"],
  "a status of four digits": [`HTTP/1.1 2000 OK\r\n${length}\r\n\r\nhello`, "ERR_ANSWER_INVALID"],
  "status 0": [`HTTP/1.1 000 OK\r\n${length}\r\n\r\nhello`, "ERR_ANSWER_INVALID"],
  "another protocol": ["HTTP/1.1 101 S\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "ERR_ANSWER_INVALID"],
  "a bare carriage return": [`HTTP/1.1 200 OK\r\nx: a\rb\r\n${length}\r\n\r\nhello`, "ERR_ANSWER_INVALID"],
  "a folded length": ["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\t5\r\n\r\nhello", "ERR_ANSWER_INVALID"],
  "NUL in a value": [`HTTP/1.1 200 OK\r\nx: a\0b\r\n${length}\r\n\r\nhello`, "ERR_ANSWER_INVALID"],
  "two lengths": [`HTTP/1.1 200 OK\r\n${length}\r\ncontent-length: 6\r\n\r\nhello!`, "ERR_ANSWER_INVALID"],
  "a list of lengths that differ": ["HTTP/1.1 200 OK\r\ncontent-length: 5, 6\r\n\r\nhello!", "ERR_ANSWER_INVALID"],
  "a length with a sign": ["HTTP/1.1 200 OK\r\ncontent-length: +5\r\n\r\nhello", "ERR_ANSWER_INVALID"],
  "an empty length": ["HTTP/1.1 200 OK\r\ncontent-length:\r\n\r\nhello", "ERR_ANSWER_INVALID"],
  "a length beyond all numbers": [`HTTP/1.1 200 OK\r\ncontent-length: ${"9".repeat(30)}\r\n\r\n`, "ERR_ANSWER_INVALID"],
  "a chunk size that is none": [`${chunked}zz\r\nhello`, "ERR_ANSWER_INVALID"],
  "a chunk size with a prefix": [`${chunked}0x5\r\nhello\r\n`, "ERR_ANSWER_INVALID"],
  "a chunk size with a sign": [`${chunked}-5\r\nhello\r\n`, "ERR_ANSWER_INVALID"],
  "a chunk that does not end": [`${chunked}5\r\nhello0\r\n\r\n`, "ERR_ANSWER_INVALID"],
  "a trailer that is none": [`${chunked}0\r\nx y\r\n\r\n`, "ERR_ANSWER_INVALID"],
  "a length over the limit": ["HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\nhello", "ERR_BODY_TOO_LARGE"],
  "chunks over the limit": [`${chunked}3e8\r\n${"x".repeat(1000)}\r\n1\r\nx\r\n0\r\n\r\n`, "ERR_BODY_TOO_LARGE"],
  "a chunk that promises too much": [`${chunked}fffffffffff\r\nhello`, "ERR_BODY_TOO_LARGE"],
  "a body over the limit": [`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(1001)}`, "ERR_BODY_TOO_LARGE"],
  "a head over the limit": [`HTTP/1.1 200 OK\r\nx: ${"y".repeat(maxHeadBytes)}\r\n\r\n`, "ERR_ANSWER_HEADERS"],
  "a head without an end": [`HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(maxHeadBytes / 6 + 1)}`, "ERR_ANSWER_HEADERS"],
  "answers on their way without an end": ["HTTP/1.1 102 P\r\n\r\n".repeat(maxHeadBytes / 18 + 1), "ERR_ANSWER_HEADERS"]
}

describe("an answer", () => {
  test.each(Object.entries(whole))("with %s is read, wherever its bytes are cut", (_, [answer, body, status = 200]) => {
    const all = bytes(answer)
    const expected = { status, body, more: 0 }

    expect(read([all])).toEqual(expected)
    expect(read(Array.from(all, (byte) => Buffer.of(byte)))).toEqual(expected)
    for (let at = 1; at < all.length; at++) {
      expect([at, read([all.subarray(0, at), all.subarray(at)])]).toEqual([at, expected])
    }
  })

  test.each(Object.entries(irregular))("with %s is read, and its connection is not used again", (_, answer) => {
    const all = bytes(answer)
    const expected = { status: 200, body: "hello", more: 0 }
    const reader = new AnswerReader(1000)
    reader.feed(all)

    expect(read([all])).toEqual(expected)
    expect(read(Array.from(all, (byte) => Buffer.of(byte)))).toEqual(expected)
    for (let at = 1; at < all.length; at++) {
      expect([at, read([all.subarray(0, at), all.subarray(at)])]).toEqual([at, expected])
    }
    expect(reader.head?.keepMillis).toBe(0)
  })

  it("reads a folded head in time that grows with it, however many tabs it has", () => {
    const reader = new AnswerReader(1000)
    reader.feed(bytes(`HTTP/1.1 200 OK\r\nx: a${"\t".repeat(250_000)}b\r\n c\r\n\r\n`))

    expect(reader.head?.headers.get("x")).toMatch(/^a\t+b c$/)
  })

  it("puts a folded field on one line, and leaves out lines that are no fields", () => {
    const reader = new AnswerReader(1000)
    reader.feed(bytes("HTTP/1.1 200 OK\nlink: <a>,\n   <b>\nset-cookie : a=1\n{}\n\n"))

    expect(Array.from(reader.head?.headers ?? [])).toEqual([
      ["link", "<a>, <b>"],
      ["set-cookie", "a=1"]
    ])
    expect(reader.head?.cookies).toEqual(["a=1"])
  })

  test.each(Object.entries(broken))("with %s is refused, wherever its bytes are cut", (_, [answer, code]) => {
    const all = bytes(answer)
    // Where it is long, the cuts that matter are near its ends.
    const near = all.length > 10_000 ? 30 : 200
    const cuts = Array.from(all, (_byte, at) => at).filter((at) => at < near || at > all.length - near)

    expect(read([all])).toEqual({ code })
    expect(read(Array.from(all, (byte) => Buffer.of(byte)))).toEqual({ code })
    for (const at of cuts) expect([at, read([all.subarray(0, at), all.subarray(at)])]).toEqual([at, { code }])
  })

  it("leaves what stands behind it", () => {
    const all = bytes(`HTTP/1.1 200 OK\r\n${length}\r\n\r\nhelloHTTP/1.1 200 OK\r\n`)

    expect(read([all])).toMatchObject({ body: "hello", more: 17 })
    expect(read([bytes(`${chunked}0\r\n\r\nx`)])).toMatchObject({ body: "", more: 1 })
    expect(read([bytes("HTTP/1.1 304 No\r\ncontent-length: 1\r\n\r\nx")])).toMatchObject({ status: 304, more: 1 })
  })

  it("keeps the connection where both ends can know that it has ended", () => {
    const kept = (...lines: ReadonlyArray<string>) => {
      const reader = new AnswerReader(1000)
      reader.feed(bytes(`${lines.join("\r\n")}\r\n\r\n`))
      return reader.head?.keepMillis
    }

    expect(kept("HTTP/1.1 200 OK", length)).toBeUndefined()
    expect(kept("HTTP/1.1 200 OK", length, "keep-alive: max=5, timeout=7")).toBe(5000)
    expect(kept("HTTP/1.1 200 OK", length, "keep-alive: timeout=1")).toBe(0)
    expect(kept("HTTP/1.1 200 OK", length, "connection: x", "Connection: Close")).toBe(0)
    expect(kept("HTTP/1.1 200 OK")).toBe(0)
    expect(kept("HTTP/1.0 200 OK", length)).toBe(0)
    expect(kept("HTTP/1.0 200 OK", length, "connection: keep-alive")).toBeUndefined()
    expect(kept("HTTP/1.1 304 No", length)).toBe(0)
    expect(kept("HTTP/1.1 204 No", "transfer-encoding: chunked")).toBe(0)
  })

  it("gives the first of fields that are called the same, all cookies, and values as latin1", () => {
    const reader = new AnswerReader(1000)
    reader.feed(bytes("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nX: \xe9\r\nx: 2\r\nset-cookie: b=\xfc\r\n\r\n"))

    expect(reader.head?.headers.get("x")).toBe("é")
    expect(reader.head?.cookies).toEqual(["a=1", "b=ü"])
  })

  it("takes the time of its bytes, however they come", () => {
    const head = `HTTP/1.1 200 OK\r\nx: ${"y".repeat(maxHeadBytes - 100)}\r\n\r\n`
    const page = "x".repeat(300_000)
    const reader = new AnswerReader(page.length)
    for (const byte of bytes(head)) reader.feed(Buffer.of(byte))
    for (const byte of bytes(page)) reader.feed(Buffer.of(byte))
    reader.end()

    expect(reader.body.length).toBe(page.length)
  })
})
