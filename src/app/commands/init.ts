/**
 * `millrace init FILE --url URL`: writes a first pipeline file; with `--connector`, the files of a new connector; with
 * `--agent`, the configuration files of MCP clients.
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const file = Argument.String("file").pipe(
  Argument.withDescription("the file to write; with --agent: a pipeline that agents may run; default: pipeline.yaml"),
  Argument.optional
)
const url = Flag.String("url").pipe(
  Flag.withDescription("the website to crawl; default: https://example.com"),
  Flag.withDefault("https://example.com")
)
const agent = Flag.Boolean("agent").pipe(
  Flag.withDescription(
    "instead of a pipeline file, add millrace mcp to the configuration files of MCP clients in this folder"
  ),
  Flag.withDefault(false)
)
const connector = Flag.String("connector").pipe(
  Flag.withDescription(
    "instead of a pipeline file, write this folder, with a source and a sink of your own and their tests"
  ),
  Flag.optional
)
const client = Flag.Literals("client", ["claude", "cursor", "vscode", "codex", "gemini"]).pipe(
  Flag.withDescription("with --agent: this client only; may be repeated; default: all"),
  Flag.atLeast(0)
)
const force = Flag.Boolean("force").pipe(
  Flag.withDescription("with --agent: replace an entry called millrace that differs"),
  Flag.withDefault(false)
)

export const init = Command.make("init", { file, url, agent, connector, client, force }, (options) => {
  const path = Option.getOrElse(options.file, () => "pipeline.yaml")
  if (Option.isSome(options.connector)) {
    const { value: folder } = options.connector
    return Effect.flatMap(
      Effect.promise(() => import("../init/initConnector.ts")),
      ({ initConnector }) => initConnector(folder)
    )
  }
  return options.agent
    ? Effect.flatMap(
        Effect.promise(() => import("../init/initAgent.ts")),
        ({ initAgent }) =>
          initAgent({
            file: path,
            isDefault: Option.isNone(options.file),
            clients: options.client,
            force: options.force
          })
      )
    : Effect.flatMap(
        Effect.promise(() => import("../pipeline/initPipeline.ts")),
        ({ initPipeline }) => initPipeline({ file: path, url: options.url })
      )
}).pipe(
  Command.withDescription("Write a first pipeline file, a connector of your own, or the configuration of MCP clients"),
  Command.withExamples([
    { command: "millrace init docs.yaml --url https://docs.example.com", description: "crawl your docs" },
    { command: "millrace init --connector tickets", description: "a source and a sink of your own, with tests" },
    { command: "millrace init --agent docs.yaml", description: "let agents read the web, and run this pipeline" }
  ])
)
