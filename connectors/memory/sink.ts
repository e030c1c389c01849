/** The memory sink: its parts, and how it is opened for a run. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Owner from "#engine/Owner"
import * as RowTable from "#engine/RowTable"
import * as Sink from "#engine/Sink"
import * as SinkWriter from "#engine/SinkWriter"
import { commit } from "./commit.ts"
import * as Database from "./Database.ts"
import { failure } from "./failure.ts"
import { details, held, owners, resume, runs } from "./ledger.ts"
import { Options } from "./options.ts"
import { rows } from "./read.ts"
import * as Stage from "./stage.ts"

const open = Effect.fn("memory.open")(function* (
  options: Options,
  given: Sink.Plan
): Effect.fn.Return<Sink.Writer, Sink.SinkError, Scope.Scope> {
  const name = Database.nameOf(options)
  const database = yield* claim(name)
  const plan = yield* RowTable.planFor(database.tables, given)
  const foreign = Owner.fault(plan, `memory:${name}`, (table) => held(database, table))
  if (foreign !== undefined) return yield* failure(foreign)
  const stages = yield* Effect.forEach(plan.tables, (planned) => Stage.of(database, plan, planned))
  return SinkWriter.make<Stage.Stage>({
    sink: "memory",
    stages,
    resume: resume(database, plan.pipeline),
    columnsBefore: ({ before }) => before,
    storedKeys: (_, keys) => rows(options, plan.directory, keys),
    write: Stage.write,
    retainKeys: Stage.retainKeys,
    commit: (what, isFirst) => commit(options, plan, stages, what, isFirst)
  })
})

/** The database, which is taken until the scope closes: it has one writer at a time. */
const claim = (name: string) =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      if (claimed.has(name)) return failure(`memory:${name} is open in another run; let it end first`)
      claimed.add(name)
      return Effect.succeed(Database.read(name))
    }),
    () => Effect.sync(() => claimed.delete(name))
  )

const claimed = new Set<string>()

/**
 * The sink of `type: memory`: rows in this process, under a name.
 *
 * @example
 * ```ts
 * import { rows, run } from "millrace"
 * import { Database, memory } from "millrace/connectors/memory"
 *
 * await run({ source: rows([{ id: 1 }], { table: "numbers" }), sinks: { out: memory.with({ name: "test" }) } })
 * console.log(Database.rows("test", "numbers").length) // 1
 * ```
 */
export const memory = Sink.make<Options, typeof Options.Encoded, never>({
  type: "memory",
  description: "rows in the memory of this process, for tests and previews",
  options: Options,
  writes: ["append", "replace", "merge", "scd2"],
  defaultWrite: Sink.mergeWhereKeyed,
  runs,
  details,
  owners,
  rows,
  open
})
