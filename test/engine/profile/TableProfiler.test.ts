import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import * as Column from "#engine/Column"
import { ColumnProfile } from "#engine/ColumnProfile"
import * as Pipeline from "#engine/Pipeline"
import * as TableProfiler from "#engine/profile/TableProfiler"
import * as Table from "#engine/Table"

const table = Pipeline.withRunId(
  Table.make({
    name: "pages",
    description: "one row per page",
    schema: Schema.Struct({
      url: Schema.String,
      status: Schema.Int,
      title: Schema.NullOr(Schema.String),
      ok: Schema.NullOr(Schema.Boolean),
      at: Column.Timestamp,
      price: Schema.NullOr(Column.Decimal(18, 2)),
      links: Schema.Array(Schema.String),
      data: Schema.Unknown
    })
  })
)

const profiled = (...batches: ReadonlyArray<ReadonlyArray<Table.Row>>) => {
  const profiler = TableProfiler.of(table)
  for (const batch of batches) profiler.take(batch)
  const all = profiler.profiles()
  for (const one of all) Schema.decodeUnknownSync(ColumnProfile)(JSON.parse(JSON.stringify(one)))
  return Object.fromEntries(all.map(({ column, ...rest }) => [column, rest]))
}

const row = (n: number): Table.Row => ({
  url: `https://example.com/articles/of-the-year/${n}/comments-of-readers-and-answers-to-them`,
  status: n % 10 === 0 ? 404 : 200,
  title: n % 4 === 0 ? null : "Fees",
  ok: n % 2 === 0,
  at: BigInt(n) * 1_000_000n,
  price: n === 1 ? "9.50" : null,
  links: ["a", "b"].slice(0, n % 3),
  data: { n }
})

it("a profile says what is filled, what differs, how long and how large the values of each column are", () => {
  const first = Array.from({ length: 60 }, (_, n) => row(n))
  const second = Array.from({ length: 40 }, (_, n) => row(60 + n))

  const { _run_id, at, data, links, ok, price, status, title, url } = profiled(first, second)

  expect(_run_id).toBeUndefined()
  expect(status).toMatchObject({
    rows: 100,
    filled: 100,
    distinct: 2,
    distinct_exact: true,
    min: 200,
    max: 404,
    mean: 220.4,
    top: [
      { value: "200", count: 90 },
      { value: "404", count: 10 }
    ]
  })
  expect(status?.quantiles).toMatchObject({ p50: 200, p95: 404 })
  expect(title).toMatchObject({ filled: 75, distinct: 1, length: { min: 4, mean: 4, max: 4 } })
  expect(url).toMatchObject({ filled: 100, distinct: 100, distinct_exact: true, top: null })
  expect(ok).toMatchObject({ filled: 100, distinct: 2, top: [{ count: 50 }, { count: 50 }] })
  expect(at).toMatchObject({ min: "1970-01-01T00:00:00Z", max: "1970-01-01T00:01:39Z" })
  expect(price).toMatchObject({ type: "DECIMAL(18, 2)", filled: 1, min: 9.5, max: 9.5 })
  expect(links).toMatchObject({ filled: 100, distinct: null, length: { min: 0, max: 2 } })
  expect(data).toMatchObject({ filled: 100, distinct: null, length: null })
})

it("many values are estimated, whatever their order, and quantiles come from a sample", () => {
  const rows = Array.from({ length: 50_000 }, (_, n) => ({ ...row((n * 7919) % 50_000), status: n % 1000 }))

  const { status, url } = profiled(...Array.from({ length: 100 }, (_, n) => rows.slice(n * 500, n * 500 + 500)))

  expect(Math.abs((url?.distinct ?? 0) - 50_000)).toBeLessThan(2500)
  expect(url?.distinct_exact).toBe(false)
  expect(status).toMatchObject({ distinct: 1000, distinct_exact: true, min: 0, max: 999, mean: 499.5 })
  expect(Math.abs((status?.quantiles?.p95 ?? 0) - 950)).toBeLessThan(25)
})

it("0 and -0 are one value, whether values are counted or estimated", () => {
  const table = Table.make({ name: "t", description: "", schema: Schema.Struct({ x: Schema.Number }) })
  const distinct = (...numbers: ReadonlyArray<number>) => {
    const profiler = TableProfiler.of(table)
    profiler.take(numbers.map((x) => ({ x })))
    return profiler.profiles()[0]?.distinct
  }

  expect(distinct(0, 1, -0)).toBe(2)
  expect(distinct(...Array.from({ length: 100 }, (_, n) => n), -0)).toBe(100)
})

it("no rows have a profile too, and no number is one that JSON lacks", () => {
  const { status, title, url } = profiled([])
  const odd = profiled([{ ...row(1), status: Number.NaN }])

  expect(status).toMatchObject({ rows: 0, filled: 0, distinct: 0, min: null, mean: null, quantiles: null })
  expect([title?.length, url?.top]).toEqual([null, []])
  expect(odd["status"]).toMatchObject({ filled: 1, min: null, mean: null })
})

it("of a very large table it looks at a part, and says what that stands for", () => {
  const table = Table.make({
    name: "many",
    description: "many rows",
    key: [],
    schema: Schema.Struct({ word: Schema.NullOr(Schema.String) })
  })
  const profiler = TableProfiler.of(table)
  const batch = Array.from({ length: 1000 }, (_, at) => ({ word: at % 4 === 0 ? null : at % 4 === 1 ? "a" : "b" }))
  for (let at = 0; at < 300; at++) profiler.take(batch)

  expect(profiler.profiles()[0]).toMatchObject({
    rows: 300_000,
    filled: 225_000,
    distinct: 2,
    distinct_exact: false,
    top: [
      { value: "b", count: 150_000 },
      { value: "a", count: 75_000 }
    ]
  })
})

it("half a surrogate pair is shown as the sinks write it, since JSON with its escape is refused as a whole", () => {
  const cut = "Lamp 💡".slice(0, -1)

  const { title } = profiled([{ ...row(1), title: cut }])

  expect(title?.top).toEqual([{ value: "Lamp \ufffd", count: 1 }])
})
