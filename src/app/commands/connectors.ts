/** `millrace connectors`: the values that `type:` of a source or sink can have in a pipeline file. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

export const connectors = Command.make(
  "connectors",
  { json: flags.jsonWith("print one JSON array instead of text, for programs") },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../listConnectors.ts")),
      ({ listConnectors }) => listConnectors(options)
    )
).pipe(Command.withDescription("List the sources and sinks, with their options"))
