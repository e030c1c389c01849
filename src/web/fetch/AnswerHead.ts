/**
 * The head of an HTTP/1.1 answer: its status, its header fields, and how its body ends.
 *
 * Hosts break the rules of RFC 9112, and browsers show their pages. What all browsers read in the same way is read like
 * that here: lines that end in LF alone, folded lines, lines that are not fields, one length twice, a length beside
 * chunks. After such an answer the connection is not used again. What is ambiguous is refused: two lengths, a bare CR,
 * NUL.
 */

export interface AnswerHead {
  readonly status: number
  /** By lower-case name: the first value of each, of `link` all values, as latin1. */
  readonly headers: ReadonlyMap<string, string>
  readonly cookies: ReadonlyArray<string>
  /** The length of the body, or how it ends: with the last chunk, or with the connection. */
  readonly body: number | "chunked" | "connection"
  /** How long the connection may be kept, in milliseconds; 0: not at all; undefined: the host does not say. */
  readonly keepMillis: number | undefined
}

export class BadAnswer extends Error {
  readonly code:
    | "ERR_ANSWER_INVALID"
    | "ERR_ANSWER_HEADERS"
    | "ERR_ANSWER_CUT"
    | "ERR_ANSWER_LATE"
    | "ERR_ANSWER_STALLED"
    | "ERR_ANSWER_SLOW"
  constructor(code: BadAnswer["code"] = "ERR_ANSWER_INVALID") {
    super(code)
    this.code = code
  }
}

/** Parses a head, including the empty line that ends it. Throws `BadAnswer`. */
export const parse = (head: string): AnswerHead => {
  const isPlain = !irregular.test(head)
  const text = isPlain ? head : head.replace(lineEnds, "\r\n").replace(folds, " ")
  const start = statusLine.exec(text)
  if (start === null || forbidden.test(text)) throw new BadAnswer()
  const status = Number(start[2])
  const headers = new Map<string, string>()
  const cookies: Array<string> = []
  let connection = ""
  let codings: string | undefined
  let length: string | undefined
  let isRegular = isPlain
  for (let at = start[0].length; at < text.length - 2; ) {
    const end = text.indexOf("\r\n", at)
    const colon = text.indexOf(":", at)
    if (end === -1) throw new BadAnswer()
    const from = at
    at = end + 2
    const name = colon === -1 || colon > end ? "" : valueIn(text, from, colon).toLowerCase()
    if (from + name.length !== colon) isRegular = false
    if (!token.test(name)) {
      isRegular = false
      continue
    }
    const value = valueIn(text, colon + 1, end)
    if (name === "set-cookie") cookies.push(value)
    else if (name === "connection") connection += `,${value.toLowerCase()}`
    else if (name === "transfer-encoding") codings = `${codings ?? ""},${value.toLowerCase()}`
    else if (name === "content-length") {
      for (const one of value.split(",")) {
        const trimmed = one.trim()
        if (length !== undefined && length !== trimmed) throw new BadAnswer()
        if (length !== undefined) isRegular = false
        length = trimmed
      }
    }
    const before = headers.get(name)
    if (before === undefined) headers.set(name, value)
    else if (name === "link") headers.set(name, `${before}, ${value}`)
  }
  if (length !== undefined && !digits.test(length)) throw new BadAnswer()
  if (length !== undefined && codings !== undefined) isRegular = false
  const hasNone = status < 200 || status === 204 || status === 304
  const body = hasNone ? 0 : endOf(codings, length)
  // Otherwise a body that is sent where none belongs would be taken for the next answer.
  const isClean = !hasNone || (codings === undefined && Number(length ?? 0) === 0)
  const keeps = isRegular && isClean && body !== "connection" && isKept(start[1], connection)
  return { status, headers, cookies, body, keepMillis: keeps ? hinted(headers.get("keep-alive")) : 0 }
}

/** Whether the status is a redirect to the `Location` of the head. */
export const isRedirect = (status: number): boolean =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308

/** Trims spaces and tabs only. `trim` would also remove 0xA0, which in UTF-8 is the second byte of "à". */
const valueIn = (text: string, from: number, to: number): string => {
  let begin = from
  let end = to
  while (begin < end && isBlank(text.charCodeAt(begin))) begin++
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(begin, end)
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

/** Whether a line between CRLFs is a header or trailer field. */
export const isField = (line: string): boolean => {
  const colon = line.indexOf(":")
  return colon > 0 && token.test(line.slice(0, colon).toLowerCase()) && !forbidden.test(line)
}

/** The HTTP versions that servers send in status lines. */
const statusLine = /^HTTP\/(1\.[01]|0\.9|2\.0) ([1-9]\d\d)(?: [^\r\n]*)?\r\n/

/** A line that does not end in CRLF, or is continued in the next one. */
const irregular = /(?<!\r)\n|\n[\t ]/
const lineEnds = /\r?\n/g
const folds = /(?<![\t ])[\t ]*\r\n[\t ]+/g

/** Control characters, and line ends that are not CRLF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that a head may not have.
// oxlint-disable-next-line no-control-regex -- these are the characters that a head may not have
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/

const token = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const digits = /^\d{1,15}$/

/** Chunked coding overrides any length. */
const endOf = (codings: string | undefined, length: string | undefined): AnswerHead["body"] => {
  if (codings !== undefined && /,[\t ]*chunked$/.test(codings)) return "chunked"
  return length === undefined ? "connection" : Number(length)
}

const isKept = (version: string | undefined, connection: string): boolean =>
  version === "1.1" ? !/,[\t ]*close[\t ]*(?:,|$)/.test(connection) : /,[\t ]*keep-alive[\t ]*(?:,|$)/.test(connection)

/** A host closes the connection at this time, and a request sent then would be lost: we stop two seconds earlier. */
const hinted = (keepAlive: string | undefined): number | undefined => {
  const seconds = /(?:^|,)[\t ]*timeout=(\d+)/i.exec(keepAlive ?? "")?.[1]
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * 1000 - 2000)
}
