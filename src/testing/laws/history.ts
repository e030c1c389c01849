/** What the laws of scd2 share: a table, a run that sees some of its rows, and the history in a short form. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Column from "#engine/Column"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Bench, commitOf } from "../SinkBench.ts"

export const products = Table.make({
  name: "products",
  description: "products that change",
  schema: Schema.Struct({
    sku: Schema.String,
    name: Schema.NullOr(Schema.String),
    price: Schema.NullOr(Schema.Finite),
    specs: Schema.NullOr(
      Schema.Struct({
        weight: Schema.NullOr(Schema.BigInt),
        tags: Schema.NullOr(Schema.Array(Schema.NullOr(Schema.String)))
      })
    ),
    offers: Schema.NullOr(Schema.Array(Schema.NullOr(Schema.Struct({ shop: Schema.NullOr(Schema.String) })))),
    extra: Schema.NullOr(Schema.Unknown),
    seen_at: Schema.NullOr(Column.Timestamp),
    _run_id: Schema.String
  }),
  key: ["sku"]
})

/** All columns that say something of the product itself. */
export const fingerprint = ["name", "price", "specs", "offers", "extra"]

export const product = (sku: string, price: number | null, more: Table.Row = {}): Table.Row => ({
  sku,
  name: `Product ${sku}`,
  price,
  specs: null,
  offers: null,
  extra: null,
  seen_at: 0n,
  ...more
})

/** Cells of each column that are easily taken for one another: null, empty, and what is inside a struct, a list or JSON. */
export const cells = {
  name: [null, "", "null", "x"],
  price: [null, 0, 1.5],
  specs: [
    null,
    { weight: null, tags: null },
    { weight: null, tags: [] },
    { weight: null, tags: [null] },
    { weight: 2n ** 53n, tags: ["a", "b"] },
    { weight: 2n ** 53n + 1n, tags: ["a", "b"] },
    { weight: 2n ** 53n + 1n, tags: ["ab"] }
  ],
  offers: [null, [], [null], [{ shop: null }], [{ shop: "" }], [{ shop: "a" }, { shop: "b" }], [{ shop: "b" }]],
  extra: [null, {}, [], "", 0, false, { a: null }, { a: { b: "1" } }, { a: { b: 1 } }]
}

/** The cells of one row after the other: each row has one that is not null, and differs in it from the row before. */
export const cellSteps = (columns: Readonly<Record<string, ReadonlyArray<unknown>>>): ReadonlyArray<Table.Row> => {
  const blank = Object.fromEntries(Object.keys(columns).map((name) => [name, null]))
  return Object.entries(columns).flatMap(([name, values]) => values.map((value) => ({ ...blank, [name]: value })))
}

/** When a run began, by its number. */
export const moment = (at: number): bigint => BigInt(at) * 60_000_000n

/** The commit of such a run. */
export const commitAt = (at: number): Sink.Commit => {
  const { run, ...commit } = commitOf(`run-${at}`, at)
  return { ...commit, run: { ...run, startedAt: moment(at) } }
}

/** How a visit differs from a first visit that sees everything. */
interface Visit {
  readonly complete?: boolean
  readonly again?: boolean
  readonly kept?: ReadonlyArray<string>
  readonly table?: Table.Table
  readonly fingerprint?: ReadonlyArray<string>
  readonly absent?: Sink.TablePlan["absent"]
}

/** A run that sees these rows: opens, writes, keeps, commits and closes. */
export const visit = <R>({ session }: Bench<R>, at: number, rows: ReadonlyArray<Table.Row>, options: Visit = {}) => {
  const runId = `run-${at}`
  const { table = products, complete = true } = options
  return session(
    runId,
    [[table, "scd2", options.fingerprint ?? fingerprint, options.absent]],
    (writer) =>
      Effect.gen(function* () {
        if (rows.length > 0) {
          yield* writer.write(
            Table.batch(
              table,
              rows.map((row) => ({ ...row, _run_id: runId }))
            )
          )
        }
        if (options.kept !== undefined) {
          yield* writer.retainKeys(
            table.name,
            options.kept.map((sku) => ({ sku }))
          )
        }
        return yield* writer.commit({ ...commitAt(at), complete })
      }),
    options.again === undefined ? {} : { again: options.again }
  )
}

/** Every version in the order of keys and time: "a 1 from 1 to 2", and "a 2 from 2" where it is current. */
export const history = <R>({ seen }: Bench<R>) =>
  Effect.map(seen(Table.extend(products, Sink.historyColumns)), (rows) =>
    rows
      .map((row) => {
        const [from, to] = [minute(row["valid_from"]), row["valid_to"] === null ? undefined : minute(row["valid_to"])]
        expect(row["is_current"]).toBe(to === undefined)
        return { sku: String(row["sku"]), price: row["price"], from, to }
      })
      .toSorted((a, b) => a.sku.localeCompare(b.sku) || a.from - b.from)
      .map(({ sku, price, from, to }) => `${sku} ${price} from ${from}${to === undefined ? "" : ` to ${to}`}`)
  )

export const minute = (micros: unknown): number => Number(micros) / 60_000_000
