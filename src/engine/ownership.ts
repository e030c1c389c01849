/**
 * Checks the owners of the tables that a pipeline writes.
 *
 * Guarantee: a pipeline writes its own tables, and tables without an owner. A table of another pipeline is refused before the
 * source sends a request, unless both share the table. A destination that cannot be read fails when it is opened.
 */
import * as Effect from "effect/Effect"
import type * as OutputTables from "./OutputTables.ts"
import type * as Pipeline from "./Pipeline.ts"
import { PlanError } from "./planOf.ts"
import * as Sink from "./Sink.ts"

/** Fails if a table belongs to another pipeline. */
export const refuseForeign = Effect.fnUntraced(function* <R>(
  pipeline: Pipeline.Pipeline<R>,
  { tables }: Pick<OutputTables.OutputTables, "tables">
) {
  const own = Sink.ownerOf(pipeline.name)
  for (const [name, sink] of Object.entries(pipeline.sinks)) {
    // A shared table has no single owner: the sink itself checks whether all its pipelines share it.
    if (sink.shared === true) continue
    const owners = yield* ownersOf(pipeline, sink)
    for (const table of tables) {
      const owner = owners.get(table.name)
      if (owner === undefined || Sink.ownerOf(owner) === own) continue
      const advice =
        sink.lacks?.includes("shared") === true
          ? another
          : `write \`schema: NAME\` under the sink, ${another}, or ${sharing}`
      return yield* new PlanError({
        message: `sink ${name}: table ${table.name} belongs to the pipeline ${owner}, and ${own} would change its rows; ${advice}`
      })
    }
  }
})

const another = "name another table (table: { name: ... })"
const sharing = "let both pipelines write `shared: true` under their sinks"

/** The owners of the tables of a destination; empty if it cannot be read or does not record them. */
export const ownersOf = <R>(
  { directory }: Pick<Pipeline.Pipeline<R>, "directory">,
  { owners }: Sink.Destination<R>
): Effect.Effect<ReadonlyMap<string, string>, never, R> =>
  owners === undefined ? Effect.succeed(nobody) : Effect.orElseSucceed(owners(directory), () => nobody)

const nobody: ReadonlyMap<string, string> = new Map()
