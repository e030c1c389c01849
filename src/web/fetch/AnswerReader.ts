/**
 * Reads one HTTP/1.1 answer from the bytes of a connection as they arrive.
 *
 * Wherever the bytes are cut, the answer is the same. Each byte is examined once, and a body is copied at most once,
 * into a buffer that grows with what has arrived, never with what was promised. A body that arrived in one piece is not
 * copied; `isBorrowed` says so.
 */
import * as AnswerHead from "./AnswerHead.ts"

/** The maximum size of head and trailers, including the answers below 200 before it; the same as Chrome's. */
export const maxHeadBytes = 256 * 1024

export class TooLarge extends Error {
  readonly code = "ERR_BODY_TOO_LARGE"
  constructor(maxBytes: number) {
    super(`the page is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`)
  }
}

export class AnswerReader {
  head: AnswerHead.AnswerHead | undefined
  isDone = false
  /** Whether `body` is part of the bytes that were fed last: then it is valid only until the next feed. */
  isBorrowed = false
  /** Whether the connection ended before the length of the body says. */
  isLengthWrong = false
  private readonly maxBytes: number
  private readonly acceptsWrongLength: boolean
  private state: "head" | "body" | "size" | "chunk" | "afterChunk" | "trailers" = "head"
  /** A head or a line whose end has not arrived. */
  private begun = ""
  /** The last bytes of that head: one fewer than an empty line has. */
  private tail = ""
  private headBytes = 0
  /** The size of the chunk sizes and line ends. */
  private framing = 0
  /** What is missing of the body, or of its chunk. */
  private bytesLeft = 0
  private gathered: Buffer = nothing
  private size = 0

  /** `acceptsWrongLength`: a body whose connection ends before its length says is whole. */
  constructor(maxBytes: number, acceptsWrongLength: boolean = false) {
    this.maxBytes = maxBytes
    this.acceptsWrongLength = acceptsWrongLength
  }

  /** The bytes of the body so far. */
  get received(): number {
    return this.size
  }

  get body(): Uint8Array {
    return this.gathered.subarray(0, this.size)
  }

  /** Reads bytes, and returns how many of them belong to this answer. Throws `BadAnswer` and `TooLarge`. */
  feed(bytes: Buffer): number {
    let at = 0
    while (at < bytes.length && !this.isDone) {
      switch (this.state) {
        case "head":
          at = this.readHead(bytes, at)
          break
        case "body":
        case "chunk":
          at = this.readBody(bytes, at)
          break
        case "size":
        case "afterChunk":
        case "trailers":
          at = this.readLine(bytes, at)
      }
    }
    return at
  }

  /** The connection has ended. Throws if the answer is incomplete. */
  end(): void {
    if (this.state === "body" && (this.acceptsWrongLength || this.head?.body === "connection")) {
      this.isLengthWrong = this.head?.body !== "connection"
      this.isDone = true
    }
    if (!this.isDone) throw new AnswerHead.BadAnswer(this.isNoHttp() ? "ERR_ANSWER_INVALID" : "ERR_ANSWER_CUT")
  }

  private readHead(bytes: Buffer, from: number): number {
    // Some servers end a body with an extra line end, which precedes the next answer.
    let at = from
    if (this.begun === "") while (bytes[at] === CR || bytes[at] === LF) at++
    this.countHead(at - from)
    // The empty line may begin in earlier bytes.
    const before = this.tail
    const stop = before === "" ? bytes.indexOf(crlfs, at) : -1
    const text =
      before + bytes.toString("latin1", at, stop === -1 ? Math.min(bytes.length, at + maxHeadBytes + 1) : stop + 4)
    const empty = emptyLine.exec(text)
    if (empty === null) {
      const isFirst = this.begun.length < protocol.length
      this.begun += text.slice(before.length)
      this.tail = text.slice(-3)
      this.countHead(bytes.length - at)
      // Bytes that cannot become an answer are refused at once.
      if (bareReturn.test(text) || (isFirst && this.isNoHttp())) throw new AnswerHead.BadAnswer()
      return bytes.length
    }
    const end = empty.index + empty[0].length
    const used = end - before.length
    this.countHead(used)
    const whole = this.begun + text.slice(before.length, end)
    this.begun = ""
    this.tail = ""
    this.headed(AnswerHead.parse(whole))
    return at + used
  }

  private headed(head: AnswerHead.AnswerHead): void {
    // We never offer another protocol.
    if (head.status === 101) throw new AnswerHead.BadAnswer()
    // A status below 200 only says that the answer will follow.
    if (head.status < 200) return
    this.head = head
    if (head.body === "chunked") this.state = "size"
    else {
      this.state = "body"
      this.bytesLeft = head.body === "connection" ? Number.POSITIVE_INFINITY : head.body
      if (this.bytesLeft === 0) this.isDone = true
      if (head.body !== "connection" && head.body > this.maxBytes) throw new TooLarge(this.maxBytes)
    }
  }

  private readBody(bytes: Buffer, at: number): number {
    const to = Math.min(bytes.length, at + this.bytesLeft)
    const count = to - at
    if (this.size + count > this.maxBytes) throw new TooLarge(this.maxBytes)
    this.bytesLeft -= count
    const isWhole = this.bytesLeft === 0 && this.state === "body"
    if (isWhole && this.size === 0) {
      this.gathered = bytes.subarray(at, to)
      this.isBorrowed = true
    } else {
      this.makeRoom(count)
      bytes.copy(this.gathered, this.size, at, to)
    }
    this.size += count
    if (isWhole) this.isDone = true
    else if (this.bytesLeft === 0) this.state = "afterChunk"
    return to
  }

  private makeRoom(count: number): void {
    const needed = this.size + count
    if (needed <= this.gathered.length) return
    const promised = this.state === "body" && this.head?.body !== "connection" ? needed + this.bytesLeft : this.maxBytes
    const grown = Buffer.allocUnsafeSlow(Math.min(promised, Math.max(needed, 2 * this.gathered.length, leastRoom)))
    this.gathered.copy(grown, 0, 0, this.size)
    this.gathered = grown
  }

  /** Reads one line between the chunks or after them. */
  private readLine(bytes: Buffer, at: number): number {
    const feed = bytes.indexOf(LF, at)
    const to = feed === -1 ? bytes.length : feed + 1
    this.framing += to - at
    if (this.framing > this.maxBytes + maxHeadBytes) throw new TooLarge(this.maxBytes)
    if (this.state === "trailers") this.countHead(to - at)
    if (this.begun.length + to - at > maxHeadBytes) throw new AnswerHead.BadAnswer()
    const line = this.begun + bytes.toString("latin1", at, to)
    this.begun = feed === -1 ? line : ""
    if (feed === -1) return to
    // Such a line is read as browsers read it, but the connection is not used again.
    const isPlain = line.endsWith("\r\n")
    if (!isPlain && this.head !== undefined) this.head = { ...this.head, keepMillis: 0 }
    this.lined(line.slice(0, isPlain ? -2 : -1))
    return to
  }

  private lined(line: string): void {
    switch (this.state) {
      case "size": {
        if (!chunkSize.test(line)) throw new AnswerHead.BadAnswer()
        this.bytesLeft = Number.parseInt(line, 16)
        this.state = this.bytesLeft === 0 ? "trailers" : "chunk"
        if (this.size + this.bytesLeft > this.maxBytes) throw new TooLarge(this.maxBytes)
        return
      }
      case "afterChunk":
        if (line !== "") throw new AnswerHead.BadAnswer()
        this.state = "size"
        return
      case "head":
      case "body":
      case "chunk":
        return
      case "trailers":
        if (line === "") this.isDone = true
        else if (!AnswerHead.isField(line)) throw new AnswerHead.BadAnswer()
    }
  }

  private countHead(count: number): void {
    this.headBytes += count
    if (this.headBytes > maxHeadBytes) throw new AnswerHead.BadAnswer("ERR_ANSWER_HEADERS")
  }

  /** Whether the beginning of the head shows that this is not HTTP. */
  private isNoHttp(): boolean {
    return this.state === "head" && !this.begun.startsWith(protocol.slice(0, this.begun.length))
  }
}

const protocol = "HTTP/"
const CR = 13
const LF = 10
const crlfs = Buffer.from("\r\n\r\n")
const emptyLine = /\n\r?\n/
const nothing = Buffer.alloc(0)

/** The first size of the buffer for a body that did not arrive in one piece. */
const leastRoom = 64 * 1024

/** A CR at the end may still be followed by its LF. */
const bareReturn = /\r(?=[^\n])/

/** A size that no answer has is not read. What stands behind it is of no use to us; old servers fill it up with spaces. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that an extension may not have.
// oxlint-disable-next-line no-control-regex -- these are the characters that an extension may not have
const chunkSize = /^[0-9a-f]{1,12}[\t ]*(?:;[^\0-\x08\x0a-\x1f\x7f]*)?$/i
