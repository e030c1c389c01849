/**
 * The commands that save disk space and find damage: `millrace journal list`, `millrace journal prune`, `millrace compact`,
 * `millrace vacuum`, `millrace verify`.
 */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as flags from "#see/flags"

const list = Command.make("list", { files: flags.anyFiles, vars: flags.vars, json: flags.jsonFor("run") }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../runs/journalRuns.ts")),
    ({ listJournal }) => listJournal(options)
  )
).pipe(Command.withDescription("List the runs in the journal, with their status and size"))

const olderThan = Flag.String("older-than").pipe(
  Flag.withDescription("remove runs that ended longer ago than this, such as 7d; default: `journal.keep` of the file"),
  Flag.optional
)
const max = Flag.String("max").pipe(
  Flag.withDescription(
    "remove the oldest runs until the journal is at most this large, such as 500MB; default: `journal.max` of the file"
  ),
  Flag.optional
)

const prune = Command.make("prune", { files: flags.anyFiles, vars: flags.vars, olderThan, max }, (options) =>
  Effect.flatMap(
    Effect.promise(() => import("../runs/journalRuns.ts")),
    ({ pruneJournal }) => pruneJournal(options)
  )
).pipe(Command.withDescription("Remove the journals of finished runs"))

/** `millrace journal`: what this machine keeps of past runs. */
export const journal = Command.make("journal").pipe(
  Command.withDescription(
    "List or remove the journals of past runs: the answers of sources, as this machine has recorded them"
  ),
  Command.withSubcommands([list, prune])
)

const below = Flag.String("below").pipe(
  Flag.withDescription("merge files that are smaller than this; default: 32MB"),
  Flag.withDefault("32MB")
)

/** `millrace compact FILE...`: merges the small files of a destination into large ones. */
export const compact = Command.make(
  "compact",
  { files: flags.files, vars: flags.vars, below, json: flags.jsonFor("sink") },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../pipeline/upkeepOfSinks.ts")),
      ({ compactSinks }) => compactSinks(options)
    )
).pipe(Command.withDescription("Merge the small files of Parquet sinks into larger ones; rows do not change"))

const retain = Flag.String("retain").pipe(
  Flag.withDescription("how long a version is kept after a newer one has replaced it; default: 7d"),
  Flag.withDefault("7d")
)
const dryRun = Flag.Boolean("dry-run").pipe(
  Flag.withDescription("report what would be removed, and remove nothing"),
  Flag.withDefault(false)
)

/** `millrace vacuum FILE...`: removes the files that only old versions of a destination use. */
export const vacuum = Command.make(
  "vacuum",
  { files: flags.files, vars: flags.vars, retain, dryRun, json: flags.jsonFor("sink") },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../pipeline/upkeepOfSinks.ts")),
      ({ vacuumSinks }) => vacuumSinks(options)
    )
).pipe(Command.withDescription("Remove the files that only old versions of Parquet sinks use"))

const places = Argument.String("file").pipe(
  Argument.withDescription("a pipeline file, or a folder of pipeline files, lakes and data; default: this folder"),
  Argument.variadic()
)
const repair = Flag.Boolean("repair").pipe(
  Flag.withDescription("heal damaged files, and leave out lost ones; default: change nothing"),
  Flag.withDefault(false)
)

/** `millrace verify FILE|FOLDER...`: compares what is stored with what was written. */
export const verify = Command.make(
  "verify",
  { places, vars: flags.vars, repair, json: flags.jsonFor("place") },
  (options) =>
    Effect.flatMap(
      Effect.promise(() => import("../verify/verifyPlaces.ts")),
      ({ verifyPlaces }) => verifyPlaces(options)
    )
).pipe(
  Command.withDescription(
    "Compare lakes, databases, journals and the service's files with what was written; exit code 1 if something is damaged"
  )
)
