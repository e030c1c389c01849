/** Tables of one column type each, and rows of them: the extremes of the type first, then a draw. */
import * as Schema from "effect/Schema"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"
import { randomFrom } from "#testing/specimens"

type Random = ReturnType<typeof randomFrom>
type Draw = (random: Random) => unknown

interface Kind {
  readonly schema: Schema.Top
  readonly extremes: ReadonlyArray<unknown>
  readonly draw: Draw
}

/** A whole number of up to so many bits, of either sign. */
const whole = (random: Random, bits: number): bigint => {
  let drawn = 0n
  for (let at = 0; at < bits; at += 16) drawn = (drawn << 16n) | BigInt(random(2 ** 16))
  const cut = BigInt.asUintN(random(bits) + 1, drawn)
  return random(2) === 0 ? cut : -cut
}

/** Digits with a scale, as cells write them: 1234 of scale 2 is "12.34", and there is no "-0.00". */
const decimal = (unscaled: bigint, scale: number): string => {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0")
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

const decimals = (precision: number, scale: number): Kind => {
  const most = 10n ** BigInt(precision) - 1n
  return {
    schema: Column.Decimal(precision, scale),
    extremes: [most, -most, 0n, 1n, -1n, most - 1n].map((unscaled) => decimal(unscaled, scale)),
    draw: (random) => decimal(whole(random, 128) % (most + 1n), scale)
  }
}

const text: Kind = {
  schema: Schema.String,
  extremes: [
    "",
    " ",
    "null",
    "\u0000",
    "a\u0000b",
    "\ufeff begins with a mark",
    "\u0001\t\n\r\u001f\u007f\u200b",
    `"quoted", 'single', \\ and ; -- no comment`,
    "Zürich — 漢字 — עברית",
    "𝄞 😀 👩‍👩‍👧",
    "\u{10ffff}",
    "x".repeat(100_000)
  ],
  draw: (random) =>
    String.fromCodePoint(
      ...Array.from({ length: random(60) }, () =>
        random(10) === 0 ? 0x10000 + random(0xfffff) : random(2) === 0 ? 32 + random(95) : random(0xd800)
      )
    )
}

const truth: Kind = { schema: Schema.Boolean, extremes: [true, false], draw: (random) => random(2) === 0 }

const integer: Kind = {
  schema: Schema.BigInt,
  extremes: [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 31n, -(2n ** 31n) - 1n],
  draw: (random) => whole(random, 63)
}

const eight = new DataView(new ArrayBuffer(8))
const real: Kind = {
  schema: Schema.Finite,
  extremes: [
    0,
    -0,
    Number.NaN,
    Infinity,
    -Infinity,
    Number.MIN_VALUE,
    -Number.MAX_VALUE,
    Number.MAX_VALUE,
    Number.EPSILON,
    2 ** 53 + 2,
    0.1 + 0.2
  ],
  draw: (random) => {
    eight.setUint32(0, random(2 ** 32))
    eight.setUint32(4, random(2 ** 32))
    return eight.getFloat64(0)
  }
}

const dayFrom = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10)
const day: Kind = {
  schema: Column.Day,
  extremes: [
    "0001-01-01",
    "0099-12-31",
    "1582-10-15",
    "1582-10-04",
    "1900-02-28",
    "1969-12-31",
    "1970-01-01",
    "9999-12-31"
  ],
  draw: (random) => dayFrom(random(3_652_058) - 719_162)
}

const moment: Kind = {
  schema: Column.Timestamp,
  extremes: [0n, -1n, 1n, -9_223_372_022_400_000_000n, 9_223_372_036_854_775_806n, -62_135_596_800_000_000n],
  draw: (random) => whole(random, 62)
}

const name = (random: Random): string => ["a", "", "ü", `"`, "a b", "__proto", "𝄞"][random(7)] ?? ""
const json = (random: Random, depth: number): unknown => {
  const kind = random(depth > 3 ? 5 : 7)
  if (kind === 0) return null
  if (kind === 1) return random(2) === 0
  if (kind === 2) return random(2 ** 32) - 2 ** 31
  if (kind === 3) return (random(2 ** 32) - 2 ** 31) / 2 ** 20
  if (kind === 4) return text.draw(random)
  if (kind === 5) return Array.from({ length: random(4) }, () => json(random, depth + 1))
  return Object.fromEntries(Array.from({ length: random(4) }, () => [name(random), json(random, depth + 1)]))
}
const anything: Kind = {
  schema: Schema.Unknown,
  extremes: [
    {},
    [],
    "",
    "null",
    0,
    false,
    true,
    [null],
    { a: null },
    { deep: { er: [null, { a: "ü" }] } },
    1e300,
    "\u0000"
  ],
  draw: (random) => json(random, 0) ?? "drawn null"
}

const nullable =
  (kind: Kind): Draw =>
  (random) => {
    const at = random(8 + kind.extremes.length * 2)
    if (at === 0) return null
    return at <= kind.extremes.length ? kind.extremes[at - 1] : kind.draw(random)
  }

const structs = (fields: Readonly<Record<string, Kind>>): Kind => ({
  schema: Schema.Struct(
    Object.fromEntries(Object.entries(fields).map(([field, { schema }]) => [field, Schema.NullOr(schema)]))
  ),
  extremes: [Object.fromEntries(Object.keys(fields).map((field) => [field, null]))],
  draw: (random) => Object.fromEntries(Object.entries(fields).map(([field, kind]) => [field, nullable(kind)(random)]))
})

const lists = (item: Kind): Kind => ({
  schema: Schema.Array(Schema.NullOr(item.schema)),
  extremes: [[], [null], [null, null, null], item.extremes, Array.from({ length: 500 }, () => item.extremes[0])],
  draw: (random) => Array.from({ length: random(5) }, () => nullable(item)(random))
})

const shortText: Kind = { ...text, extremes: text.extremes.slice(0, -1) }
const scalars = {
  text: shortText,
  truth,
  whole: integer,
  real,
  exact: decimals(18, 2),
  huge: decimals(38, 10),
  day,
  moment,
  any: anything
}

/** By the name of the type in SQL. */
const kinds: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  VARCHAR: { cell: text },
  BOOLEAN: { cell: truth },
  BIGINT: { cell: integer },
  DOUBLE: { cell: real },
  "DECIMAL(18,2)": { cell: decimals(18, 2) },
  "DECIMAL(38,10)": { cell: decimals(38, 10) },
  DATE: { cell: day },
  TIMESTAMP: { cell: moment },
  JSON: { cell: anything },
  STRUCT: { cell: structs({ ...scalars, inner: structs({ text: shortText, whole: integer }) }) },
  "LIST of each scalar": Object.fromEntries(Object.entries(scalars).map(([of, kind]) => [of, lists(kind)])),
  "LIST of STRUCT": { cell: lists(structs(scalars)) },
  "STRUCT with LIST": {
    cell: structs({ name: shortText, tags: lists(shortText), moments: lists(moment), deep: lists(lists(integer)) })
  }
}

/** A table of each type with an id before its columns, and rows of it. */
export const columnTypes = Object.entries(kinds).map(([type, columns]) => ({
  type,
  table: Table.make({
    name: "cells",
    description: `cells of ${type}`,
    schema: Schema.Struct({
      id: Schema.BigInt,
      ...Object.fromEntries(Object.entries(columns).map(([column, { schema }]) => [column, Schema.NullOr(schema)]))
    })
  }),
  rowsFrom: (seed: number, count: number): ReadonlyArray<Table.Row> => {
    const random = randomFrom(seed)
    return Array.from({ length: count }, (_, at) => ({
      id: BigInt(at),
      ...Object.fromEntries(
        Object.entries(columns).map(([column, kind]) => [
          column,
          at === 0
            ? null
            : at <= kind.extremes.length
              ? kind.extremes[at - 1]
              : random(10) === 0
                ? null
                : kind.draw(random)
        ])
      )
    }))
  }
}))
