/** `millrace gov load PATH` and `millrace gov search QUERY`: the index of government texts. */
import * as Config from "effect/Config"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

const place = {
  data: Flag.String("data").pipe(
    Flag.withDescription(
      "the data folder of the service, which has the index in gov.sqlite; default: .millrace/service"
    ),
    Flag.withDefault(".millrace/service")
  ),
  database: Flag.Redacted("database").pipe(
    Flag.withDescription("a postgres:// URL or a SQLite file that has the index; default: gov.sqlite in --data"),
    Flag.withFallbackConfig(Config.Redacted("MILLRACE_GOV_DATABASE")),
    Flag.optional
  )
}

const optionalText = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const load = Command.make(
  "load",
  {
    path: Argument.String("path").pipe(Argument.withDescription("a folder of government texts, or one file")),
    ...place,
    issuer: optionalText("issuer", "the issuer of the texts, if they do not name one, such as City of Springfield"),
    level: Flag.Literals("level", ["federal", "state", "local"]).pipe(
      Flag.withDescription("the level of government, if the texts do not name one"),
      Flag.optional
    ),
    jurisdiction: optionalText(
      "jurisdiction",
      "the place where the texts are law, if they do not name one, such as Springfield, Illinois"
    ),
    collectionName: optionalText(
      "collection-name",
      "the name of the texts in citations, such as Springfield Municipal Code"
    ),
    baseUrl: optionalText("base-url", "the URL at which the files are published"),
    settings: optionalText("settings", "a YAML file with these settings for single folders of the corpus"),
    prune: Flag.Boolean("prune").pipe(
      Flag.withDescription("remove from the index the sections of files that are no longer in this folder"),
      Flag.withDefault(false)
    ),
    json: flags.json
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../gov/loadGov.ts")),
      ({ loadGov }) => loadGov(options)
    )
).pipe(Command.withDescription("Load government texts into the index; files that have not changed are not read again"))

const search = Command.make(
  "search",
  {
    query: Argument.String("query").pipe(
      Argument.withDescription("a question, words or a citation; name the jurisdiction and the date if they matter"),
      Argument.variadic({ min: 1 })
    ),
    ...place,
    asOf: Flag.String("as-of").pipe(
      Flag.withDescription("the day whose law is wanted, such as 2022-12-01; default: that of each text's release"),
      Flag.optional
    ),
    limit: Flag.Int("k").pipe(
      Flag.withDescription("the maximum number of results, from 1 to 100; default: 10"),
      Flag.withDefault(10)
    ),
    json: flags.json
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../gov/searchGov.ts")),
      ({ searchGov }) => searchGov(options)
    )
).pipe(Command.withDescription("Search the index of government texts"))

export const gov = Command.make("gov").pipe(
  Command.withDescription("Load government texts into an index, and search it"),
  Command.withSubcommands([load, search])
)
