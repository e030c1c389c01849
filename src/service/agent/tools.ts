/** The tools of a run, as a model gets them. `ModelRun` executes the calls. */
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Schema from "effect/Schema"

const text = (description: string) => ({ type: "string", description }) as const

const search = Tool.dynamic("search", {
  description: "Find pages for words. Answers addresses and titles.",
  parameters: { type: "object", properties: { query: text("what to look for") }, required: ["query"] }
})

const scrape = Tool.dynamic("scrape", {
  description:
    "Read one page: its text, its links, and what simple rules found on it. Only addresses that were given, found by search or linked from a page can be read.",
  parameters: { type: "object", properties: { url: text("the address of the page") }, required: ["url"] }
})

const finish = Tool.dynamic("finish", {
  description: "Give the data and end the run. Null for what no page says; nothing that no page says.",
  parameters: {
    type: "object",
    properties: {
      data: { description: "the data, as the JSON Schema wants it" },
      message: text("one sentence for people")
    },
    required: ["data"]
  }
})

const refuse = Tool.dynamic("refuse", {
  description: "End the run because the task itself must not be done.",
  parameters: { type: "object", properties: { reason: text("why") }, required: ["reason"] }
})

export const toolkit = Toolkit.make(search, scrape, finish, refuse)

/** The schemas of arguments. If arguments do not fit, the model gets a message. */
export const parameters = {
  search: Schema.Struct({ query: Schema.NonEmptyString }),
  scrape: Schema.Struct({ url: Schema.NonEmptyString }),
  finish: Schema.Struct({ data: Schema.Json, message: Schema.optional(Schema.NullOr(Schema.String)) }),
  refuse: Schema.Struct({ reason: Schema.String })
}
