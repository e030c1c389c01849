/**
 * The actions of a browser on a page before it is read, in order (`scrapeOptions.actions`).
 *
 * At most 50 actions, each with a known type and without unknown fields.
 */
import * as Schema from "effect/Schema"
import * as Bounds from "./api/Bounds.ts"
import * as JsonRules from "./api/JsonRules.ts"
import { screenshotFields } from "./Formats.ts"

const selector = Bounds.filled(2000).annotate({ description: "a CSS selector" })

/** The maximum wait of one action. */
const maxWaitMillis = 60_000

const wait = Schema.Struct({
  type: Schema.Literal("wait"),
  milliseconds: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxWaitMillis }))),
  selector: Schema.optional(selector)
})

const pageFormats = ["A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger"] as const

const types = ["wait", "click", "write", "press", "scroll", "scrape", "screenshot", "executeJavascript", "pdf"] as const

/**
 * An action of the browser before a page is read: wait, click, write, press, scroll, read the page, take a screenshot, run
 * a script, or make a PDF.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Action } from "millrace/api"
 *
 * const isAction = Schema.is(Action)
 * console.log(isAction({ type: "click", selector: "#more" }), isAction({ type: "wait" })) // true false
 * ```
 */
export const Action = Schema.Union([
  wait,
  Schema.Struct({ type: Schema.Literal("click"), selector, all: Schema.optional(Schema.Boolean) }),
  Schema.Struct({ type: Schema.Literal("write"), text: Bounds.text(100_000) }),
  Schema.Struct({ type: Schema.Literal("press"), key: Bounds.filled(100) }),
  Schema.Struct({
    type: Schema.Literal("scroll"),
    direction: Schema.optional(Schema.Literals(["up", "down"])),
    selector: Schema.optional(selector)
  }),
  Schema.Struct({ type: Schema.Literal("scrape") }),
  Schema.Struct({ type: Schema.Literal("screenshot"), ...screenshotFields }),
  Schema.Struct({ type: Schema.Literal("executeJavascript"), script: Bounds.filled(100_000) }),
  Schema.Struct({
    type: Schema.Literal("pdf"),
    format: Schema.optional(Schema.Literals(pageFormats)),
    landscape: Schema.optional(Schema.Boolean),
    scale: Schema.optional(Schema.Finite.check(Schema.isBetween({ minimum: 0.1, maximum: 2 })))
  })
])
  .annotate({ message: `Expected an action with one of the types ${types.join(", ")}` })
  .check(
    Schema.makeFilter(
      (action) =>
        action.type !== "wait" ||
        (action.milliseconds === undefined) !== (action.selector === undefined) ||
        "a wait takes either milliseconds or a selector",
      JsonRules.as(JsonRules.ofType("wait", JsonRules.exactlyOne("milliseconds", "selector")))
    )
  )
export type Action = typeof Action.Type

export const Actions = Schema.Array(Action).check(Schema.isMaxLength(50))
