/**
 * Registers tools with a server of the protocol: lists them with their arguments, and calls them if the arguments fit.
 */
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type { Arguments, McpTool, Outcome, Progress } from "../McpTool.ts"
import { misfit } from "./misfit.ts"

/** A layer that registers tools with the `McpServer` that is provided. */
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
      inputSchema: {
        type: "object",
        properties: { ...tool.properties },
        required: [...tool.required],
        ...(tool.isPassedOn === true ? {} : { additionalProperties: false })
      },
      annotations: { readOnlyHint: tool.isReadOnly, destructiveHint: false, openWorldHint: true }
    }),
    handle: Effect.fnUntraced(function* (given: unknown) {
      const { requestMetadata } = yield* McpSchema.McpRequestContext
      const { isError, texts } = yield* called(
        tool,
        Predicate.isObject(given) ? { ...given } : {},
        progressOf(server, requestMetadata?.["progressToken"])
      )
      return new McpSchema.CallToolResult({
        content: texts.map((text) => ({ type: "text" as const, text })),
        ...(isError === true ? { isError } : {})
      })
    })
  })

/** Calls the tool, or returns the mistakes in its arguments. */
export const called = (tool: McpTool, given: Arguments, progress: Progress): Effect.Effect<Outcome> => {
  const wrong = misfit(tool, given)
  return wrong === undefined ? tool.call(given, progress) : Effect.succeed({ texts: [wrong], isError: true })
}

/** Sends progress, if the client gave a token. The protocol needs a number that grows with each notification. */
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
