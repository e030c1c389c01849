/** `millrace rejects list`, `show` and `replay`: the rows that did not fit their tables. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

const sinkWith = (description: string) => Flag.String("sink").pipe(Flag.withDescription(description), Flag.optional)
const files = { files: flags.anyFiles, vars: flags.vars }
const sink = sinkWith("the sink whose rejects are read; default: the first sink of each file")

const everything = Flag.Boolean("all").pipe(
  Flag.withDescription("also show rejects that a later run has resolved"),
  Flag.withDefault(false)
)

const list = Command.make("list", { ...files, sink, json: flags.jsonFor("reject"), all: everything }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../runs/rejects.ts")),
    ({ listRejects }) => listRejects(options)
  )
).pipe(Command.withDescription("List the rows that did not fit their tables, with the reason"))

const reject = Argument.String("reject").pipe(Argument.withDescription("the id of a reject, or its first characters"))

const show = Command.make("show", { reject, ...files, sink, json: flags.json }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../runs/rejects.ts")),
    ({ showReject }) => showReject(options)
  )
).pipe(Command.withDescription("Show one reject with its value as it was received"))

const replay = Command.make(
  "replay",
  {
    ...files,
    sink: sinkWith("the sink whose rejects are tried again; default: all sinks"),
    json: flags.jsonFor("sink")
  },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../runs/rejects.ts")),
      ({ replayRejects }) => replayRejects(options)
    )
).pipe(Command.withDescription("Try the rejects again, and load those that fit now"))

export const rejects = Command.make("rejects").pipe(
  Command.withDescription("List, show or load again the rows that did not fit their tables"),
  Command.withSubcommands([list, show, replay])
)
