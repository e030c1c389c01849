/** `millrace connectors`: what pipeline files may say under `type:`. */
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

export const connectors = Command.make("connectors", { json: flags.json }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../listConnectors.ts")),
    ({ listConnectors }) => listConnectors(options)
  )
).pipe(Command.withDescription("List the sources and sinks, with their options"))
