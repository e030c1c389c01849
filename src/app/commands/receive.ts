/** `millrace receive FILE`: receives the webhook events of a monitor and loads them. */
import * as Config from "effect/Config"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

const path = Flag.String("path").pipe(
  Flag.withDescription("the path of the URL that events are posted to; default: /"),
  Flag.withDefault("/")
)
const secret = Flag.Redacted("secret").pipe(
  Flag.withDescription("the webhook secret of the service's account; prefer the variable MILLRACE_WEBHOOK_SECRET"),
  Flag.withFallbackConfig(Config.Redacted("MILLRACE_WEBHOOK_SECRET")),
  Flag.optional
)
const secretFile = Flag.String("secret-file").pipe(
  Flag.withDescription(
    "a file that holds the secret, such as the file webhook-secret in the data folder of `millrace serve`"
  ),
  Flag.optional
)
const noRun = Flag.Boolean("no-run").pipe(
  Flag.withDescription("only receive events; another program runs the pipeline"),
  Flag.withDefault(false)
)
const gather = Flag.String("gather").pipe(
  Flag.withDescription(
    "how long to wait after an event before a run starts; the event that ends a check starts it at once; default: 5s"
  ),
  Flag.withDefault("5s")
)

export const receive = Command.make(
  "receive",
  {
    file: flags.file,
    host: flags.host,
    port: flags.port(8788),
    path,
    secret,
    secretFile,
    noRun,
    gather,
    vars: flags.vars,
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../receive/receiveEvents.ts")),
      ({ receiveEvents }) => receiveEvents(options)
    )
).pipe(
  Command.withDescription("Receive the webhook of a monitor, and run its pipeline"),
  Command.withExamples([
    {
      command: "millrace receive monitor.yaml --secret-file .millrace/service/webhook-secret",
      description: "receive events from a service on this machine"
    }
  ])
)
