/** A chat completions endpoint that answers what a test has written down, and keeps what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"

export type Reply = (request: any, response: ServerResponse) => void

export interface ScriptedModel {
  readonly baseUrl: URL
  /** The bodies that were sent, in order. */
  readonly asked: ReadonlyArray<any>
  readonly keys: ReadonlyArray<string | undefined>
}

/** Answers each request by the next of `replies`, and by the last of them from then on. Serves until the scope closes. */
export const scriptedModel = (...replies: ReadonlyArray<Reply>) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ScriptedModel & { readonly close: () => void }>((resolve) => {
          const asked: Array<any> = []
          const keys: Array<string | undefined> = []
          const server = createServer((request, response) => {
            const answer = (body: unknown) => {
              const reply = replies[Math.min(asked.length, replies.length - 1)]
              asked.push(body)
              keys.push(request.headers.authorization)
              if (reply === undefined) response.writeHead(404).end()
              else reply(body, response)
            }
            // A request that was cut off is none.
            void bodyOf(request).then(answer, () => response.destroy())
          })
          server.listen(0, "127.0.0.1", () => {
            const { port } = server.address() as AddressInfo // listening on a port
            const close = () => {
              server.close()
              server.closeAllConnections()
            }
            resolve({ baseUrl: new URL(`http://127.0.0.1:${port}/v1`), asked, keys, close })
          })
        })
    ),
    ({ close }) => Effect.sync(close)
  )

const bodyOf = async (request: IncomingMessage): Promise<any> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

const usage = { prompt_tokens: 100, completion_tokens: 20 }

/** An answer in text. */
export const says =
  (content: unknown): Reply =>
  (_, response) =>
    send(response, {
      choices: [
        {
          finish_reason: "stop",
          message: { role: "assistant", content: typeof content === "string" ? content : JSON.stringify(content) }
        }
      ],
      usage
    })

/** Calls of tools. */
export const calls =
  (...tools: ReadonlyArray<readonly [name: string, parameters: object]>): Reply =>
  (_, response) =>
    send(response, {
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: null,
            tool_calls: tools.map(([name, parameters], index) => ({
              id: `call_${index}`,
              type: "function",
              function: { name, arguments: JSON.stringify(parameters) }
            }))
          }
        }
      ],
      usage
    })

export const refuses =
  (status: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  (_, response) =>
    void response.writeHead(status, headers).end(`{"error":"${status}"}`)

/** An answer with this message, and this reason for its end. */
export const answers =
  (message: object, reason = "stop"): Reply =>
  (_, response) =>
    send(response, { choices: [{ finish_reason: reason, message: { role: "assistant", ...message } }], usage })

/** Refuses in words of its own. */
export const refusal = answers({ content: null, refusal: "I cannot help with that." })

/** Ends in the middle of the answer. */
export const breaksOff: Reply = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
  response.write('{"choices":[{"message":{"content":"{')
  setImmediate(() => response.destroy())
}

const send = (response: ServerResponse, body: object) => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
}
