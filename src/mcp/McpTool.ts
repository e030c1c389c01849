/**
 * A tool that an agent may call by MCP, and its registration with a server.
 *
 * A tool never fails: what goes wrong is an answer that is marked as an error and says what to do, since an agent reads answers
 * and can correct itself.
 */
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"

export type Arguments = Readonly<Record<string, unknown>>

export interface Outcome {
  /** The answer, and what is to be said about it. */
  readonly texts: ReadonlyArray<string>
  readonly isError?: boolean
}

/** Tells the client how far the work is, where it has asked for that. */
export type Progress = (done: number, total: number | undefined, message: string) => Effect.Effect<void>

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The JSON Schemas of its arguments, and which of them it needs. */
  readonly properties: Readonly<Record<string, object>>
  readonly required: ReadonlyArray<string>
  /** Whether nothing is changed or started by it. */
  readonly isReadOnly: boolean
  readonly call: (given: Arguments, progress: Progress) => Effect.Effect<Outcome>
}

/** Registers tools with the server of the layer that is given it. */
export const registered = (tools: ReadonlyArray<McpTool>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* McpServer.McpServer
      for (const tool of tools) yield* register(server, tool)
    })
  )

const register = (server: McpServer.McpServer["Service"], tool: McpTool) =>
  server.addTool({
    annotations: Context.empty(),
    tool: new McpSchema.Tool({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: { type: "object", properties: { ...tool.properties }, required: [...tool.required] },
      annotations: { readOnlyHint: tool.isReadOnly, destructiveHint: false, openWorldHint: true }
    }),
    handle: Effect.fnUntraced(function* (given: unknown) {
      const { requestMetadata } = yield* McpSchema.McpRequestContext
      const { isError, texts } = yield* tool.call(
        Predicate.isObject(given) ? { ...given } : {},
        progressOf(server, requestMetadata?.["progressToken"])
      )
      return new McpSchema.CallToolResult({
        content: texts.map((text) => ({ type: "text" as const, text })),
        ...(isError === true ? { isError } : {})
      })
    })
  })

/** The protocol wants a number that grows with each notification. */
const progressOf = (server: McpServer.McpServer["Service"], token: unknown): Progress => {
  if (typeof token !== "string" && typeof token !== "number") return () => Effect.void
  let told = -1
  return (done, total, message) => {
    if (done <= told) return Effect.void
    told = done
    return server.notifications["notifications/progress"]({
      progressToken: token,
      progress: done,
      ...(total === undefined ? {} : { total }),
      message
    }).pipe(Effect.asVoid, Effect.ignore)
  }
}
