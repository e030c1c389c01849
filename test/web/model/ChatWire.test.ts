import { describe, it } from "@effect/vitest"
import * as Prompt from "effect/ai/Prompt"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import * as ChatWire from "#web/model/ChatWire"

describe("messages on the wire", () => {
  it("are those of a conversation, with calls and what they gave", () => {
    const prompt = Prompt.make([
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "Lamps?" },
          { type: "text", text: " Now." }
        ]
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool-call", id: "1", name: "search", params: { query: "lamps" }, providerExecuted: false }
        ]
      },
      {
        role: "tool",
        content: [{ type: "tool-result", id: "1", name: "search", result: { hits: [] }, isFailure: false }]
      },
      {
        role: "assistant",
        content: [{ type: "tool-call", id: "2", name: "finish", params: {}, providerExecuted: false }]
      }
    ])

    expect(ChatWire.messagesOf(prompt)).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Lamps? Now." },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [{ id: "1", type: "function", function: { name: "search", arguments: '{"query":"lamps"}' } }]
      },
      { role: "tool", tool_call_id: "1", content: '{"hits":[]}' },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "2", type: "function", function: { name: "finish", arguments: "{}" } }]
      }
    ])
  })

  it.effect("are read with what several servers leave out or send as null", () =>
    Effect.gen(function* () {
      const bodies = yield* Effect.forEach(
        [
          { choices: [] },
          { choices: [{ message: {} }], usage: null },
          { choices: [{ finish_reason: null, message: { content: null, tool_calls: null } }], usage: {} },
          { choices: [{ message: { content: "x", reasoning_content: "thinking" } }], id: "1" }
        ],
        (body) => ChatWire.decodeBody(JSON.stringify(body))
      )

      expect(bodies.map(({ choices }) => choices[0]?.message.content)).toEqual([undefined, undefined, null, "x"])
    })
  )

  it("end for the reasons that are known, and else for one that is not", () => {
    expect(["stop", "length", "tool_calls", "content_filter", "eos", null, undefined].map(ChatWire.reasonOf)).toEqual([
      "stop",
      "length",
      "tool-calls",
      "content-filter",
      "unknown",
      "unknown",
      "unknown"
    ])
  })
})
