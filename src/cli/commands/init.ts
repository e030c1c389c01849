/** `millrace init FILE --url URL`: writes a first pipeline file. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"

const file = Argument.String("file").pipe(
  Argument.withDescription("the file to write; it must not exist"),
  Argument.withDefault("pipeline.yaml")
)
const url = Flag.String("url").pipe(
  Flag.withDescription("the website to crawl"),
  Flag.withDefault("https://example.com")
)

export const init = Command.make("init", { file, url }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../pipeline/initPipeline.ts")),
    ({ initPipeline }) => initPipeline(options)
  )
).pipe(
  Command.withDescription("Write a first pipeline file"),
  Command.withExamples([
    { command: "millrace init docs.yaml --url https://docs.example.com", description: "crawl your docs" }
  ])
)
