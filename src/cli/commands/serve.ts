/** `millrace serve`: the web data service on a port, for any client of the API. */
import * as Config from "effect/Config"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const data = Flag.String("data").pipe(
  Flag.withDescription("the folder that keeps jobs and results"),
  Flag.withDefault(".millrace/service")
)

const database = Flag.Redacted("database").pipe(
  Flag.withDescription("a postgres:// URL, which several processes may share; default: a SQLite file in --data"),
  Flag.withFallbackConfig(Config.Redacted("MILLRACE_DATABASE_URL")),
  Flag.optional
)

const key = Flag.Redacted("key").pipe(
  Flag.withDescription("a key that callers must send; may be repeated; none: everybody may call"),
  Flag.atLeast(0)
)

const keys = Flag.String("keys").pipe(Flag.withDescription("a YAML file with keys, teams and plans"), Flag.optional)
const webhookSecret = Flag.Redacted("webhook-secret").pipe(
  Flag.withDescription("what webhooks are signed with; one is made and kept in the data folder where it is left out"),
  Flag.optional
)

export const serve = Command.make(
  "serve",
  {
    host: flags.host,
    port: flags.port(3002),
    data,
    database,
    key,
    keys,
    webhookSecret,
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../serveService.ts")),
      ({ serveService }) => serveService(options)
    )
).pipe(Command.withDescription("Serve the web data service on a port"))
