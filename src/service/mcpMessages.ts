/**
 * The messages of a client that speaks MCP over stdin: those that are no message are answered, as over HTTP, and go no
 * further: what is not JSON, nested too deep, or too large. Guarantee: a message that is too large is never held in memory.
 */
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { isDeeperThan } from "#base/jsonDepth"
import * as Limits from "#contract/Limits"

/** Only messages come in; what is refused is answered on stdout. */
export const checkedStdio = (stdio: Stdio.Stdio): Stdio.Stdio => {
  const refuse = (error: Refusal) =>
    Stream.run(Stream.succeed(`${JSON.stringify(error)}\n`), stdio.stdout({ endOnDone: false }))
  const lines = new Lines()
  const checked = Stream.mapEffect(stdio.stdin, (chunk) =>
    Effect.gen(function* () {
      const messages: Array<Uint8Array> = []
      for (const line of lines.add(chunk)) {
        const refusal = line === "too large" ? refusalOf(tooLarge) : faultOf(line)
        if (refusal !== undefined) yield* refuse(refusal)
        else if (line !== "too large") messages.push(line)
      }
      return Buffer.concat(messages)
    })
  )
  return { ...stdio, stdin: Stream.filter(checked, (bytes) => bytes.length > 0) }
}

/** Cuts what comes into lines, each with its end. */
class Lines {
  private parts: Array<Uint8Array> = []
  private size = 0

  add(chunk: Uint8Array): ReadonlyArray<Uint8Array | "too large"> {
    const lines: Array<Uint8Array | "too large"> = []
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.keep(chunk.subarray(start, end + 1))
      lines.push(this.size > Limits.maxBodyBytes ? "too large" : Buffer.concat(this.parts))
      this.parts = []
      this.size = 0
      start = end + 1
    }
    this.keep(chunk.subarray(start))
    return lines
  }

  private keep(part: Uint8Array): void {
    this.size += part.length
    if (this.size > Limits.maxBodyBytes) this.parts = []
    else this.parts.push(part)
  }
}

const newline = 10

interface Refusal {
  readonly jsonrpc: "2.0"
  readonly id: null
  readonly error: { readonly code: number; readonly message: string }
}

const refusalOf = (message: string, code = invalidRequest): Refusal => ({
  jsonrpc: "2.0",
  id: null,
  error: { code, message }
})

const invalidRequest = -32_600
const parseError = -32_700
const maxNesting = 100
const tooLarge = `Payload Too Large: a message takes at most ${Limits.maxBodyBytes / 1024 / 1024} MB`

const faultOf = (line: Uint8Array): Refusal | undefined => {
  const text = Buffer.from(line).toString("utf8")
  if (text.trim() === "") return undefined
  if (isDeeperThan(text, maxNesting))
    return refusalOf(`Bad Request: the message is nested deeper than ${maxNesting} levels`)
  try {
    const message: unknown = JSON.parse(text)
    return typeof message === "object" && message !== null && !Array.isArray(message)
      ? undefined
      : refusalOf("Bad Request: a line must be one message of JSON-RPC 2.0; an array of several is not accepted")
  } catch (cause) {
    return refusalOf(
      `Bad Request: the message is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`,
      parseError
    )
  }
}
