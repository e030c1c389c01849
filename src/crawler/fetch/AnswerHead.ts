/**
 * The head of an HTTP/1.1 answer: its status, its header fields, and how its body ends.
 *
 * A head that two readers could understand in two ways is refused, as RFC 9112 asks: a line that does not end in CRLF, a
 * folded line, two lengths, a length beside a transfer coding.
 */

export interface AnswerHead {
  readonly status: number
  /** By lower-case name, of each the first value, as latin1. */
  readonly headers: ReadonlyMap<string, string>
  readonly cookies: ReadonlyArray<string>
  /** Bytes of the body, or what ends it: a last chunk, or the end of the connection. */
  readonly body: number | "chunked" | "connection"
  /** How long the connection may be kept, in milliseconds; 0: not at all, undefined: the host does not say. */
  readonly keepMillis: number | undefined
}

export class BadAnswer extends Error {
  readonly code:
    | "ERR_ANSWER_INVALID"
    | "ERR_ANSWER_HEADERS"
    | "ERR_ANSWER_CUT"
    | "ERR_ANSWER_LATE"
    | "ERR_ANSWER_STALLED"
  constructor(code: BadAnswer["code"] = "ERR_ANSWER_INVALID") {
    super(code)
    this.code = code
  }
}

/** Reads a head of which each line ends in CRLF; the empty line is not part of it. Throws `BadAnswer`. */
export const parse = (text: string): AnswerHead => {
  const start = statusLine.exec(text)
  if (start === null || forbidden.test(text)) throw new BadAnswer()
  const status = Number(start[2])
  const headers = new Map<string, string>()
  const cookies: Array<string> = []
  let connection = ""
  let codings: string | undefined
  let length: string | undefined
  for (let at = start[0].length; at < text.length; ) {
    const end = text.indexOf("\r\n", at)
    const colon = text.indexOf(":", at)
    if (end === -1 || colon === -1 || colon > end) throw new BadAnswer()
    const name = text.slice(at, colon).toLowerCase()
    const value = valueIn(text, colon + 1, end)
    if (!token.test(name)) throw new BadAnswer()
    at = end + 2
    if (name === "set-cookie") cookies.push(value)
    else if (name === "connection") connection += `,${value.toLowerCase()}`
    else if (name === "transfer-encoding") codings = `${codings ?? ""},${value.toLowerCase()}`
    else if (name === "content-length") {
      if (length !== undefined) throw new BadAnswer()
      length = value
    }
    if (!headers.has(name)) headers.set(name, value)
  }
  if (length !== undefined && (codings !== undefined || !digits.test(length))) throw new BadAnswer()
  const hasNone = status < 200 || status === 204 || status === 304
  const body = hasNone ? 0 : length !== undefined ? Number(length) : endOf(codings)
  // What a host sends where no body belongs would be taken for the next answer.
  const isClean = !hasNone || (codings === undefined && Number(length ?? 0) === 0)
  const keeps = isClean && body !== "connection" && isKept(start[1], connection)
  return { status, headers, cookies, body, keepMillis: keeps ? hinted(headers.get("keep-alive")) : 0 }
}

/** Without spaces and tabs around it. `trim` takes 0xA0 too, which in UTF-8 is the second byte of "à". */
const valueIn = (text: string, from: number, to: number): string => {
  let begin = from
  let end = to
  while (begin < end && isBlank(text.charCodeAt(begin))) begin++
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(begin, end)
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

/** A line between CRLFs, as header and trailer fields are. */
export const isField = (line: string): boolean => {
  const colon = line.indexOf(":")
  return colon > 0 && token.test(line.slice(0, colon).toLowerCase()) && !forbidden.test(line)
}

/** Versions that say of themselves that they are HTTP, as servers send them. */
const statusLine = /^HTTP\/(1\.[01]|0\.9|2\.0) ([1-9]\d\d)(?: [^\r\n]*)?\r\n/

/** Control characters, and line ends that are not CRLF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that a head may not have.
// oxlint-disable-next-line no-control-regex -- these are the characters that a head may not have
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/

const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const digits = /^\d{1,15}$/

const endOf = (codings: string | undefined): "chunked" | "connection" =>
  codings !== undefined && /,[\t ]*chunked$/.test(codings) ? "chunked" : "connection"

const isKept = (version: string | undefined, connection: string): boolean =>
  version === "1.1" ? !/,[\t ]*close[\t ]*(?:,|$)/.test(connection) : /,[\t ]*keep-alive[\t ]*(?:,|$)/.test(connection)

/** A host closes when it says; what is sent in that moment would be lost, so we are two seconds earlier. */
const hinted = (keepAlive: string | undefined): number | undefined => {
  const seconds = /(?:^|,)[\t ]*timeout=(\d+)/i.exec(keepAlive ?? "")?.[1]
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1000 - 2000)
}
