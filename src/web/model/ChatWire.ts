/**
 * Chat completions as they are on the wire.
 */
import type * as Prompt from "effect/ai/Prompt"
import type * as Response from "effect/ai/Response"
import * as Schema from "effect/Schema"

const Tokens = Schema.optional(Schema.NullOr(Schema.Finite))
const Usage = Schema.Struct({ prompt_tokens: Tokens, completion_tokens: Tokens })

const Call = Schema.Struct({
  id: Schema.String,
  function: Schema.Struct({ name: Schema.String, arguments: Schema.String })
})

const Body = Schema.Struct({
  usage: Schema.optional(Schema.NullOr(Usage)),
  choices: Schema.Array(
    Schema.Struct({
      finish_reason: Schema.optional(Schema.NullOr(Schema.String)),
      message: Schema.Struct({
        content: Schema.optional(Schema.NullOr(Schema.String)),
        refusal: Schema.optional(Schema.NullOr(Schema.String)),
        tool_calls: Schema.optional(Schema.NullOr(Schema.Array(Call)))
      })
    })
  )
})

const Chunk = Schema.Struct({
  usage: Schema.optional(Schema.NullOr(Usage)),
  choices: Schema.Array(
    Schema.Struct({
      finish_reason: Schema.optional(Schema.NullOr(Schema.String)),
      delta: Schema.Struct({ content: Schema.optional(Schema.NullOr(Schema.String)) })
    })
  )
})
export type Chunk = typeof Chunk.Type

type Choice = (typeof Body.Type)["choices"][number]

/** Why an answer cannot be used; undefined: it can. Calls of tools cannot be used where none were offered. */
export const faultOf = (choice: Choice | undefined, mayCall: boolean): string | undefined => {
  const { content, refusal, tool_calls: calls } = choice?.message ?? {}
  const isEmpty = (content ?? "").trim() === ""
  const isCalling = (calls ?? []).length > 0
  if ((refusal ?? "") !== "" || (isEmpty && choice?.finish_reason === "content_filter")) return "it refuses to answer"
  if (choice?.finish_reason === "length") return "its answer is cut, because it is too long for the model"
  if (isEmpty && isCalling && !mayCall) return "it calls a tool, and none was offered"
  return isEmpty && !isCalling ? "its answer is empty" : undefined
}

export const decodeBody = Schema.decodeUnknownEffect(Schema.fromJsonString(Body))
export const decodeChunk = Schema.decodeUnknownEffect(Schema.fromJsonString(Chunk))

export const messagesOf = (prompt: Prompt.Prompt): ReadonlyArray<unknown> =>
  prompt.content.flatMap((message): ReadonlyArray<unknown> => {
    switch (message.role) {
      case "system":
        return [{ role: "system", content: message.content }]
      case "user":
        return [{ role: "user", content: textOf(message.content) }]
      case "assistant": {
        const calls = message.content.flatMap((part) =>
          part.type === "tool-call"
            ? [{ id: part.id, type: "function", function: { name: part.name, arguments: JSON.stringify(part.params) } }]
            : []
        )
        const content = textOf(message.content)
        return [
          {
            role: "assistant",
            content: content === "" ? null : content,
            ...(calls.length === 0 ? {} : { tool_calls: calls })
          }
        ]
      }
      case "tool":
        return message.content.flatMap((part) =>
          part.type === "tool-result"
            ? [{ role: "tool", tool_call_id: part.id, content: JSON.stringify(part.result) }]
            : []
        )
    }
  })

const textOf = (parts: ReadonlyArray<{ readonly type: string; readonly text?: unknown }>): string =>
  parts.map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : "")).join("")

export const reasonOf = (reason: string | null | undefined): Response.FinishReason => {
  const word = reason ?? "unknown"
  switch (word) {
    case "stop":
    case "length":
      return word
    case "tool_calls":
      return "tool-calls"
    case "content_filter":
      return "content-filter"
    default:
      return "unknown"
  }
}

export const usageOf = (usage: typeof Usage.Type | null | undefined) => ({
  inputTokens: {
    uncached: undefined,
    total: countOf(usage?.prompt_tokens),
    cacheRead: undefined,
    cacheWrite: undefined
  },
  outputTokens: { total: countOf(usage?.completion_tokens), text: undefined, reasoning: undefined }
})

/** Tokens are billed, so that no endpoint may say that they are less than none, or more than one call can have. */
const countOf = (tokens: number | null | undefined): number | undefined =>
  tokens == null ? undefined : Math.min(maxTokens, Math.max(0, Math.trunc(tokens)))

const maxTokens = 10_000_000
