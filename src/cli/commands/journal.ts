/** `millrace journal list` and `millrace journal prune`: what is kept of past runs on this machine. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "../flags.ts"

const list = Command.make("list", { files: flags.anyFiles, vars: flags.vars, json: flags.json }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../runs/journalRuns.ts")),
    ({ listJournal }) => listJournal(options)
  )
).pipe(Command.withDescription("List the runs in the journal, with their size and how far they came"))

const olderThan = Flag.String("older-than").pipe(
  Flag.withDescription("what ended longer ago goes: 7d; the file's own `journal.keep` unless told"),
  Flag.optional
)
const max = Flag.String("max").pipe(
  Flag.withDescription("the oldest go until this is left: 500MB; the file's own `journal.max` unless told"),
  Flag.optional
)

const prune = Command.make("prune", { files: flags.anyFiles, vars: flags.vars, olderThan, max }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../runs/journalRuns.ts")),
    ({ pruneJournal }) => pruneJournal(options)
  )
).pipe(Command.withDescription("Remove journals of runs that are over"))

export const journal = Command.make("journal").pipe(
  Command.withDescription("What the sources said, kept on this machine run by run"),
  Command.withSubcommands([list, prune])
)
