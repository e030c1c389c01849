/** `millrace init FILE --url URL`: writes a first pipeline file; with `--agent`, the configuration of agents' clients. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const file = Argument.String("file").pipe(
  Argument.withDescription("the file to write (default: pipeline.yaml); with --agent, a pipeline that agents may run"),
  Argument.optional
)
const url = Flag.String("url").pipe(
  Flag.withDescription("the website to crawl"),
  Flag.withDefault("https://example.com")
)
const agent = Flag.Boolean("agent").pipe(
  Flag.withDescription("write no pipeline, but how agents start millrace mcp, into the files of their clients"),
  Flag.withDefault(false)
)
const client = Flag.Literals("client", ["claude", "cursor", "vscode", "codex", "gemini"]).pipe(
  Flag.withDescription("with --agent: this client only; may be repeated; default: all"),
  Flag.atLeast(0)
)
const force = Flag.Boolean("force").pipe(
  Flag.withDescription("with --agent: replace another entry that is called millrace"),
  Flag.withDefault(false)
)

export const init = Command.make("init", { file, url, agent, client, force }, (options) => {
  const path = Option.getOrElse(options.file, () => "pipeline.yaml")
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
  Command.withDescription("Write a first pipeline file, or the configuration of agents"),
  Command.withExamples([
    { command: "millrace init docs.yaml --url https://docs.example.com", description: "crawl your docs" },
    { command: "millrace init --agent docs.yaml", description: "let agents read the web, and run this pipeline" }
  ])
)
