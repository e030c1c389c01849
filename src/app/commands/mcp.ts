/** `millrace mcp FILE...`: the tools of the service and of pipelines, for agents that use MCP over stdin and stdout. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

const files = Argument.String("file").pipe(
  Argument.withDescription(
    "a pipeline file that agents may check, plan and run; without a file, there are only the web tools"
  ),
  Argument.variadic()
)
const data = Flag.String("data").pipe(
  Flag.withDescription("a folder that keeps jobs and pages; default: they are deleted when this process ends"),
  Flag.optional
)

export const mcp = Command.make(
  "mcp",
  { files, vars: flags.vars, data, allowPrivate: flags.allowPrivate, resolve: flags.resolve },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../mcp/serveMcp.ts")),
      ({ loggedToStderr, serveMcp }) => Effect.provide(serveMcp(options), loggedToStderr)
    )
).pipe(
  Command.withDescription("Serve tools to agents with the Model Context Protocol, over stdin and stdout"),
  Command.withExamples([
    { command: "millrace mcp", description: "scrape, map, search, crawl and extract" },
    { command: "millrace mcp docs.yaml prices.yaml", description: "also check, plan and run these pipelines" }
  ])
)
