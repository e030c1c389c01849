/**
 * Rows from memory to somebody who counts them: `node plumbing.ts <way> <rows>`, as nanoseconds of CPU for each row.
 *
 * The rows are made before it counts, in batches that are used again and again; whoever has a row reads one cell of it,
 * so that nothing can be optimized away; each way is gone once before, with one batch, so that loading modules does not
 * count. A batch is an answer of a source: a run makes each durable in its journal before it is understood.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { memory } from "../../../connectors/memory/index.ts"
import * as Journals from "../../../src/engine/Journals.ts"
import * as Pipeline from "../../../src/engine/Pipeline.ts"
import * as Run from "../../../src/engine/Run.ts"
import * as Sink from "../../../src/engine/Sink.ts"
import * as Source from "../../../src/engine/Source.ts"
import * as Stages from "../../../src/engine/Stages.ts"
import * as Table from "../../../src/engine/Table.ts"

const [way = "", count = "0"] = process.argv.slice(2)
const size = 10_000
let batches = 1
let cells = 0

const items = Table.make({
  name: "items",
  description: "rows from memory",
  key: ["id"],
  schema: Schema.Struct({
    id: Schema.Int,
    name: Schema.String,
    price: Schema.Number,
    note: Schema.NullOr(Schema.String),
    tags: Schema.Array(Schema.String)
  })
})
const rows: ReadonlyArray<Table.Row> = Array.from({ length: size }, (_, id) => ({
  id,
  name: `item ${id}`,
  price: id / 7,
  note: id % 3 === 0 ? null : "as seen",
  tags: ["a", "b"]
}))

const see = (row: Table.Row): void => {
  cells += typeof row["id"] === "number" ? 1 : 0
}

const source = Source.make({
  type: "memory",
  description: "gives rows from memory",
  options: Schema.Struct({}),
  state: Schema.Int,
  cursor: Schema.Int,
  tables: () => [items],
  fetch: () =>
    Stream.map(Stream.range(1, batches), (cursor) => ({ kind: "rows", at: 0, text: String(cursor), cursor })),
  decode: (_options, { cursor }) =>
    Effect.succeed([Table.batch(items, rows), { _tag: "Checkpoint" as const, state: cursor }])
})

const counting = Sink.make({
  type: "counting",
  description: "counts rows",
  options: Schema.Struct({ write: Sink.writeOption }),
  writes: ["append"],
  defaultWrite: () => "append",
  runs: () => Effect.succeed([]),
  rows: () => Effect.succeed([]),
  open: () =>
    Effect.succeed<Sink.Writer>({
      resume: Option.none(),
      columns: () => Option.none(),
      retainKeys: () => Effect.void,
      write: (batch) => Effect.sync(() => batch.rows.forEach(see)),
      commit: ({ run }) => Effect.succeed({ location: "nowhere", rows: run.rows, tables: {} })
    })
})

let runs = 0
const runInto = (destination: Sink.Destination<never>) =>
  Run.run(
    Pipeline.make({ name: `bench ${runs++}`, source: source.with({}), sinks: { out: destination }, directory: "/" })
  ).pipe(
    Effect.tap(({ rows }) => Effect.sync(() => (cells = Math.max(cells, rows["items"] ?? 0)))),
    Effect.provide(Layer.mergeAll(Journals.layerTemporary, Stages.layer))
  )

/** The same batches as a stream: of rows in chunks, as Effect's own sources make them. */
const stream = Stream.suspend(() => Stream.flatMap(Stream.range(1, batches), () => Stream.fromArray(rows)))
const seeing = (row: Table.Row) => Effect.sync(() => see(row))

const ways: Readonly<Record<string, () => Effect.Effect<unknown, unknown>>> = {
  "run into a count": () => runInto(counting.with({})),
  "run into memory": () => runInto(memory.with({ name: `bench ${runs}`, write: "append" })),
  mapArray: () => Stream.runDrain(Stream.mapArray(stream, (some) => (some.forEach(see), some))),
  mapEffect: () => Stream.runDrain(Stream.mapEffect(stream, seeing)),
  "mapEffect 8": () => Stream.runDrain(Stream.mapEffect(stream, seeing, { concurrency: 8 })),
  "Effect.fn": () => {
    const traced = Effect.fn("see")(function* (row: Table.Row) {
      yield* Effect.sync(() => see(row))
    })
    return Stream.runDrain(Stream.mapEffect(stream, traced))
  },
  loop: () =>
    Effect.sync(() => {
      for (let batch = 0; batch < batches; batch++) for (const row of rows) see(row)
    })
}

const work = ways[way]
if (work === undefined) throw new Error(`no way is called ${way}; there are ${Object.keys(ways).join(", ")}`)
await Effect.runPromise(work())
batches = Math.floor(Number(count) / size)
cells = 0
const began = process.cpuUsage()
await Effect.runPromise(work())
const { user, system } = process.cpuUsage(began)
console.log(JSON.stringify({ count: cells, figures: { "ns/row": ((user + system) * 1000) / (batches * size) } }))
