/** `millrace schedule DIR`: runs the pipeline files of a folder at their times; and what other schedulers need for it. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const folder = Argument.String("dir").pipe(
  Argument.withDescription("the folder of the pipeline files; default: this folder"),
  Argument.withDefault(".")
)

const list = Flag.Boolean("list").pipe(
  Flag.withDescription("show the last and the next run of each pipeline, and exit"),
  Flag.withDefault(false)
)
const once = Flag.Boolean("once").pipe(Flag.withDescription("run what is due now, and exit"), Flag.withDefault(false))
const maxRuns = Flag.Int("at-once").pipe(
  Flag.withDescription("how many runs may run at the same time"),
  Flag.withDefault(2)
)
const port = Flag.Int("port").pipe(
  flags.within(0, 65_535),
  Flag.withDescription("serve /health and /metrics on this port; 0 takes a free one"),
  Flag.optional
)

const database = Flag.Redacted("database").pipe(
  Flag.withDescription(
    "a postgres:// URL: machines that have the folder share the schedule; one of them runs it, and another takes over when it dies"
  ),
  Flag.optional
)

const runNow = Command.make(
  "run",
  {
    file: flags.file,
    jitter: Flag.Boolean("jitter").pipe(
      Flag.withDescription("begin later, by a random time up to the jitter of the file"),
      Flag.withDefault(false)
    ),
    vars: flags.vars,
    json: flags.json,
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../schedule/scheduleRunNow.ts")),
      ({ scheduleRunNow }) => scheduleRunNow(options)
    )
).pipe(Command.withDescription("Run one pipeline now, with its retries, time limit and notices: for other schedulers"))

const exported = Command.make(
  "export",
  {
    folder,
    systemd: Flag.Boolean("systemd").pipe(
      Flag.withDescription("a service and a timer for each pipeline"),
      Flag.withDefault(false)
    ),
    cron: Flag.Boolean("cron").pipe(Flag.withDescription("lines for a crontab"), Flag.withDefault(false)),
    k8s: Flag.Boolean("k8s").pipe(Flag.withDescription("CronJobs of Kubernetes"), Flag.withDefault(false)),
    out: Flag.String("out").pipe(
      Flag.withDescription("the folder to write the files to; default: the files are printed"),
      Flag.optional
    ),
    image: Flag.String("image").pipe(
      Flag.withDescription("the image of the containers"),
      Flag.withDefault("millrace:latest")
    ),
    vars: flags.vars
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../schedule/scheduleExport.ts")),
      ({ scheduleExport }) => scheduleExport(options)
    )
).pipe(Command.withDescription("Write the schedules of a folder for systemd, cron or Kubernetes"))

/** What a scheduler starts for each run. */
const attempt = Command.make("attempt", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("../schedule/scheduledRun.ts")),
    ({ scheduledRun }) => scheduledRun()
  )
).pipe(Command.withDescription("One run, for the scheduler, which sends on standard input what to run"))

export const schedule = Command.make(
  "schedule",
  {
    folder,
    list,
    once,
    maxRuns,
    database,
    host: flags.host,
    port,
    vars: flags.vars,
    json: flags.json,
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    options.list
      ? Effect.flatMap(
          Effect.promise(() => import("../schedule/scheduleList.ts")),
          ({ scheduleList }) => scheduleList(options)
        )
      : Effect.flatMap(
          Effect.promise(() => import("../schedule/schedulePipelines.ts")),
          ({ schedulePipelines }) => schedulePipelines(options)
        )
).pipe(
  Command.withDescription("Run the pipelines of a folder at their times"),
  Command.withSubcommands([runNow, exported, attempt]),
  Command.withExamples([
    { command: "millrace schedule pipelines", description: "run them at their times until it is stopped" },
    { command: "millrace schedule pipelines --list", description: "show last and next runs" }
  ])
)
