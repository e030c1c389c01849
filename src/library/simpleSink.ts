/**
 * A sink of two functions, one for a batch and one for a commit: for authors who want rows to get somewhere and no more.
 *
 *     export const lines = Sink.simple({
 *       type: "lines",
 *       options: Schema.Struct({ path: Schema.String }),
 *       batch: (_, { rows }) => rows.map((row) => JSON.stringify(row)),
 *       commit: ({ path }, { pieces, resolve }) => appendFile(resolve(path), pieces.flat().join("\n"))
 *     })
 *
 * It appends. What it lacks beside a sink of `Sink.make`, it declares (`SinkAbility`). Rows are JSON values, as
 * `millrace preview --format json` shows them. Guarantee: nobody sees what `batch` makes before `commit` shows it.
 */
import { randomUUID } from "node:crypto"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CellJson from "#engine/CellJson"
import { cellFromJson } from "#engine/cellFromJson"
import * as Owner from "#engine/Owner"
import * as Sink from "#engine/Sink"
import type { SinkAbility } from "#engine/SinkAbility"
import * as SinkWriter from "#engine/SinkWriter"
import type * as Table from "#engine/Table"
import { optionsOf } from "./noOptions.ts"
import * as Ledger from "./SimpleLedger.ts"
import type { JsonRow, PipelineFolder, SimpleSink } from "./SimpleSinkParts.ts"

type Own<Options> = { readonly own: Options; readonly write?: Sink.WriteDisposition }

/**
 * A sink of two functions: one takes a batch, one shows everything since the last commit. It appends. What the functions
 * throw becomes a `SinkError`.
 *
 * Rows arrive at least once: those of a commit come a second time if the process dies right after it. A third function,
 * `committed`, makes that exactly once. A run cannot be replayed, as the sink does not know which rows it wrote. All that
 * it lacks beside a sink of `Sink.make` is in `lacks` of its destination, and `millrace plan` says it.
 *
 * @example
 * ```ts
 * import { appendFile, readFile } from "node:fs/promises"
 * import * as Schema from "effect/Schema"
 * import { rows, run, Sink } from "millrace"
 *
 * const jsonl = Sink.simple({
 *   type: "jsonl",
 *   options: Schema.Struct({ path: Schema.String }),
 *   batch: (_, { rows }) => rows.map(({ name }) => `${JSON.stringify({ name })}\n`).join(""),
 *   commit: ({ path }, { pieces, resolve }) => appendFile(resolve(path), pieces.join(""))
 * })
 * const out = jsonl.with({ path: "out.jsonl" })
 * await run({ source: rows([{ name: "Ada" }], { table: "people" }), sinks: { out } })
 * console.log((await readFile("out.jsonl", "utf8")).trim()) // {"name":"Ada"}
 * console.log(out.lacks) // ["exactlyOnce", "columns", "names", "again", "details", "shared", "read"]
 * ```
 *
 * @example
 * ```ts
 * import { access, mkdir, rename, writeFile } from "node:fs/promises"
 * import * as Schema from "effect/Schema"
 * import { rows, run, Sink } from "millrace"
 *
 * // A folder with a file for each commit. The name of the file says that the commit is in, so its rows arrive once.
 * const files = Sink.simple({
 *   type: "files",
 *   options: Schema.Struct({ path: Schema.String }),
 *   batch: (_, { rows }) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
 *   commit: async ({ path }, { commitId, pieces, resolve }) => {
 *     await mkdir(resolve(path), { recursive: true })
 *     await writeFile(resolve(`${path}/.${commitId}`), pieces.join(""), { flush: true })
 *     await rename(resolve(`${path}/.${commitId}`), resolve(`${path}/${commitId}.jsonl`))
 *   },
 *   committed: ({ path }, { commitId, resolve }) =>
 *     access(resolve(`${path}/${commitId}.jsonl`)).then(
 *       () => true,
 *       () => false
 *     )
 * })
 * const out = files.with({ path: "people" })
 * await run({ source: rows([{ name: "Ada" }], { table: "people" }), sinks: { out } })
 * console.log(out.lacks) // ["columns", "names", "again", "details", "shared", "read"]
 * ```
 */
export const simple = <Options = object, Encoded = Options, Piece = unknown>(
  parts: SimpleSink<Options, Encoded, Piece>
): Sink.Sink<Options, never> => {
  const { committed, read, type } = parts
  const schema = optionsOf(parts.options)
  const encodeOptions = Schema.encodeSync(schema)
  const fileOf = (options: Options, directory: string) => Ledger.fileOf(directory, type, encodeOptions(options))

  /** What is remembered, with what became of a commit that nobody saw end. Writes nothing. */
  const settled = Effect.fnUntraced(function* (own: Options, directory: string) {
    const ledger = yield* Ledger.read(type, fileOf(own, directory))
    const { pending } = ledger
    if (pending === undefined) return ledger
    const { commitId, pipeline, run } = pending
    const name = { ...placeOf(directory), commitId, pipeline, runId: run.runId }
    const isIn =
      committed !== undefined &&
      (yield* call(type, `cannot learn whether commit ${commitId} is in`, () => committed(own, name)))
    return isIn ? Ledger.record(ledger, pending) : Ledger.forget(ledger)
  })

  const open = Effect.fn(`${type}.open`)(function* ({ own }: Own<Options>, plan: Sink.Plan) {
    const refused = refusalOf(type, plan)
    if (refused !== undefined) return yield* refused
    const file = fileOf(own, plan.directory)
    yield* Ledger.hold(type, file)
    const ledger = yield* settled(own, plan.directory)
    const { owners } = ledger
    const foreign = Owner.fault(plan, type, (table) =>
      owners[table] === undefined ? undefined : { owner: owners[table], shared: false }
    )
    if (foreign !== undefined) return yield* new Sink.SinkError({ sink: type, message: foreign, retryable: false })
    return writerOf(parts, own, plan, { file, ledger })
  })

  const made = Sink.make<Own<Options>, unknown, never>({
    type,
    description: parts.description ?? `rows to ${type}`,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is not asked: `with` and `decode` below use the author's schema
    options: Schema.Unknown as unknown as Schema.Codec<Own<Options>, unknown>,
    writes: ["append"],
    defaultWrite: () => "append",
    runs: ({ own }, directory) => Effect.map(settled(own, directory), ({ runs }) => runs),
    owners: ({ own }, directory) =>
      Effect.map(settled(own, directory), ({ owners }) => new Map(Object.entries(owners))),
    rows: ({ own }, directory, table) =>
      read === undefined
        ? Effect.succeed([])
        : Effect.map(
            call(type, `cannot read ${table.name}`, () => read(own, { ...placeOf(directory), table })),
            (rows) => Array.from(rows, rowOf(table))
          ),
    open
  })
  const bind = (own: Options): Sink.Destination<never> => ({
    ...made.with({ own }),
    lacks: lacksOf(parts)
  })
  const decode = Schema.decodeUnknownEffect(schema)
  return {
    type,
    description: made.description,
    schema,
    writes: made.writes,
    with: bind,
    decode: (raw) => Effect.map(decode(raw, { onExcessProperty: "error", errors: "all" }), bind)
  }
}

const placeOf = (directory: string): PipelineFolder => ({ directory, resolve: (path) => resolve(directory, path) })

const call = <A>(type: string, doing: string, work: () => A | Promise<A>) =>
  Effect.tryPromise({ try: () => Promise.resolve().then(work), catch: (cause) => Ledger.failure(type, doing, cause) })

/** The writer of a run. The pieces wait in memory for the commit. */
const writerOf = <Options, Encoded, Piece>(
  { batch, commit, committed, type }: SimpleSink<Options, Encoded, Piece>,
  own: Options,
  plan: Sink.Plan,
  before: { readonly file: string; readonly ledger: Ledger.Ledger }
) => {
  const place = placeOf(plan.directory)
  const { file } = before
  const { pipeline, runId } = plan
  let { ledger } = before
  let pieces: Array<Piece> = []
  let received: Record<string, number> = {}
  return SinkWriter.make({
    sink: type,
    stages: plan.tables.map((planned) => ({ ...planned, cells: cellsOf(planned.table) })),
    resume: Ledger.checkpointOf(ledger, pipeline),
    columnsBefore: () => undefined,
    retainKeys: () => Effect.void,
    write: ({ cells, table }, some) =>
      Effect.map(
        call(type, `cannot take rows of ${table.name}`, () =>
          batch(own, { ...place, table, rows: some.map(cells), runId })
        ),
        (piece) => {
          pieces.push(piece)
          received = { ...received, [table.name]: (received[table.name] ?? 0) + some.length }
        }
      ),
    commit: (what) =>
      Effect.gen(function* () {
        const begun = Ledger.begun(randomUUID(), plan, what)
        const { commitId } = begun
        if (committed !== undefined) yield* Ledger.write(type, file, { ...ledger, pending: begun })
        const found = yield* call(type, "cannot commit", () =>
          commit(own, { ...place, commitId, pieces, pipeline, runId })
        )
        const tables = Object.fromEntries(plan.tables.map(({ table }) => [table.name, counted(received[table.name])]))
        pieces = []
        received = {}
        ledger = Ledger.record(ledger, begun)
        yield* Ledger.write(type, file, ledger)
        return { location: typeof found === "string" ? found : type, tables }
      }).pipe(Effect.uninterruptible)
  })
}

/** What the laws ask and a sink of these parts does not do. */
const lacksOf = ({
  committed,
  read
}: Pick<SimpleSink<never, never, never>, "committed" | "read">): ReadonlyArray<SinkAbility> => [
  ...(committed === undefined ? (["exactlyOnce"] as const) : []),
  "columns",
  "names",
  "again",
  "details",
  "shared",
  ...(read === undefined ? (["read"] as const) : [])
]

/** Why a plan cannot be written by a sink that keeps so little, if so. */
const refusalOf = (type: string, plan: Sink.Plan): Sink.SinkError | undefined => {
  const because =
    plan.again === true
      ? "it cannot write a run a second time, as it does not know which rows it wrote"
      : plan.evolve
        ? undefined
        : "it keeps no columns, so no contract can hold: leave `contract` out, or set it to evolve"
  return because === undefined
    ? undefined
    : new Sink.SinkError({ sink: type, message: `${type}: ${because}`, retryable: false })
}

const cellsOf = ({ columns }: Table.Table): ((row: Table.Row) => JsonRow) => {
  const cells = columns.map(({ name, type }) => [name, CellJson.ofCell(type)] as const)
  return (row) => Object.fromEntries(cells.map(([name, convert]) => [name, convert(row[name])]))
}

/** The cells of a row that was read back; a column that it lacks is null. */
const rowOf = ({ columns }: Table.Table): ((row: object) => Table.Row) => {
  const cells = columns.map(({ name, type }) => [name, cellFromJson(type)] as const)
  return (row) => Object.fromEntries(cells.map(([name, convert]) => [name, convert(Reflect.get(row, name))]))
}

const counted = (received = 0): Sink.TableResult => ({
  received,
  written: received,
  unchanged: 0,
  superseded: 0,
  kept: 0
})
