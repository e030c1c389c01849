/** `millrace rejects list`, `show` and `replay`: the rows that did not fit. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const sink = Flag.String("sink").pipe(
  Flag.withDescription("the sink; default: the first sink of each file; for replay: all sinks"),
  Flag.optional
)
const shared = { files: flags.anyFiles, vars: flags.vars, sink, json: flags.json }

const everything = Flag.Boolean("all").pipe(
  Flag.withDescription("also show rejects that a later run has resolved"),
  Flag.withDefault(false)
)

const list = Command.make("list", { ...shared, all: everything }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../runs/rejects.ts")),
    ({ listRejects }) => listRejects(options)
  )
).pipe(Command.withDescription("List the rows that did not fit, with the reason"))

const reject = Argument.String("reject").pipe(Argument.withDescription("the id of a reject, or its first characters"))

const show = Command.make("show", { reject, ...shared }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../runs/rejects.ts")),
    ({ showReject }) => showReject(options)
  )
).pipe(Command.withDescription("Show one reject with its raw value"))

const replay = Command.make("replay", shared, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../runs/rejects.ts")),
    ({ replayRejects }) => replayRejects(options)
  )
).pipe(Command.withDescription("Try the rejects again, and load those that fit now"))

export const rejects = Command.make("rejects").pipe(
  Command.withDescription("Rows that did not fit their tables"),
  Command.withSubcommands([list, show, replay])
)
