/**
 * The inbox that a source reads, if it reads one. Every source is asked before a run, so this file loads no code of
 * monitors.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Source from "#engine/Source"

/** The inbox of a source that reads one. */
export const inboxOf = ({ options, type }: Pick<Source.Reader<unknown>, "options" | "type">): string | undefined =>
  type === "monitor"
    ? Option.getOrUndefined(Option.map(decodeOwn(options), ({ inbox, monitor }) => inbox ?? monitor))
    : undefined

const decodeOwn = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      by: Schema.Literal("webhook"),
      monitor: Schema.String,
      inbox: Schema.optionalKey(Schema.String)
    })
  )
)
