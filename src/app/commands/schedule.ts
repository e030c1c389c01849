/** `millrace schedule DIR`: runs the pipeline files of a folder at their times; its subcommands are for other schedulers. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

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
  Flag.withDescription("the maximum number of runs at the same time; default: 2"),
  Flag.withDefault(2)
)
const port = Flag.Int("port").pipe(
  flags.within(0, 65_535),
  Flag.withDescription("serve /health and /metrics on this port; 0 takes a free port; default: they are not served"),
  Flag.optional
)

const database = Flag.Redacted("database").pipe(
  Flag.withDescription(
    "a postgres:// URL: machines with the same folder share the schedule; one of them runs it, and if that one " +
      "dies, another takes over"
  ),
  Flag.optional
)

const runNow = Command.make(
  "run",
  {
    file: flags.file,
    jitter: Flag.Boolean("jitter").pipe(
      Flag.withDescription("start after a random time, at most the `jitter` of the file"),
      Flag.withDefault(false)
    ),
    vars: flags.vars,
    json: flags.jsonFor("event"),
    allowPrivate: flags.allowPrivate,
    resolve: flags.resolve
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../schedule/scheduleRunNow.ts")),
      ({ scheduleRunNow }) => scheduleRunNow(options)
    )
).pipe(
  Command.withDescription(
    "Run one pipeline now, with the retries, time limit and notices of its file; for other schedulers"
  )
)

const exported = Command.make(
  "export",
  {
    folder,
    systemd: Flag.Boolean("systemd").pipe(
      Flag.withDescription("for systemd: a service and a timer for each pipeline"),
      Flag.withDefault(false)
    ),
    cron: Flag.Boolean("cron").pipe(Flag.withDescription("for cron: lines of a crontab"), Flag.withDefault(false)),
    k8s: Flag.Boolean("k8s").pipe(
      Flag.withDescription("for Kubernetes: a CronJob for each pipeline"),
      Flag.withDefault(false)
    ),
    out: Flag.String("out").pipe(
      Flag.withDescription("the folder for the files; default: the files are printed"),
      Flag.optional
    ),
    image: Flag.String("image").pipe(
      Flag.withDescription("with --k8s: the image of the containers; default: millrace:latest"),
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

/** The process that a scheduler starts for each run. */
const attempt = Command.make("attempt", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("../schedule/scheduledRun.ts")),
    ({ scheduledRun }) => scheduledRun()
  )
).pipe(
  Command.withDescription(
    "One run of `millrace schedule`, which starts this command itself and sends it the pipeline on stdin"
  )
)

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
    json: flags.jsonFor("event (with --list: pipeline)"),
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
  Command.withDescription("Run the pipelines of a folder on their schedules"),
  Command.withSubcommands([runNow, exported, attempt]),
  Command.withExamples([
    { command: "millrace schedule pipelines", description: "run the pipelines on their schedules until Ctrl-C" },
    { command: "millrace schedule pipelines --list", description: "show the last and the next run of each" }
  ])
)
