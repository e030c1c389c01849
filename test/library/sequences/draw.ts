/**
 * Draws a sequence of runs: what its rows are, how its sinks write them, and where it is killed.
 *
 * A column draws from kinds of values that it has in the whole sequence, so that it widens from run to run and within a run.
 */
import { randomFrom } from "#testing/specimens"
import type { Table } from "./Model.ts"
import { type At, kinds as sinkKinds } from "./places.ts"
import type { Named, Type } from "./values.ts"

/** What the code does not keep yet; each is off until it does. */
export const switches = {
  /** Names that lead to one column come one after the other, and not all together. */
  namesGrow: true,
  /**
   * Numbers that a DOUBLE cannot hold meet a DOUBLE in one column. A replace that keeps old rows learns of them at its commit only,
   * and is refused then.
   */
  losesDigits: (places: ReadonlyArray<At>): boolean => places.every(({ write }) => write !== "replace"),
  /** Whole numbers come for a quarantined TIMESTAMP, and moments for a quarantined BIGINT. */
  momentsAreNumbers: true,
  /** A struct of Postgres becomes JSON: its members stay as they were written, without those that came later. */
  structsBecomeJson: false
}

/** The name of the one entry of what is no row. */
export const noRow = "(no row)"
const noRows: ReadonlyArray<unknown> = ["text", 5, ["id", 1], true]

export interface Step {
  readonly rows: ReadonlyArray<ReadonlyArray<readonly [name: string, value: unknown]>>
  /** The types of the columns; undefined: they follow from the rows. */
  readonly types: ReadonlyArray<Named> | undefined
  readonly iterates: "array" | "generator" | "async"
  readonly parts: { readonly answer: number; readonly commit: number } | undefined
  /** The run is interrupted when it says for this time what it does; undefined: it is not. */
  readonly killAt: number | undefined
  /** Whether the same rows come again after the kill. */
  readonly isAgain: boolean
  readonly once: string | undefined
}

export interface Sequence {
  readonly seed: number
  readonly places: ReadonlyArray<At>
  /** Whether one pipeline has all sinks, and not each one its own. */
  readonly isTogether: boolean
  readonly table: Table
  readonly steps: ReadonlyArray<Step>
}

type Random = ReturnType<typeof randomFrom>

const int = [0, 1, 2, -1, 3, 7, 2 ** 31]
const pools = {
  int,
  big: [2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n), 12n],
  huge: [2n ** 63n, -(10n ** 37n), 10n ** 38n - 1n, 5n],
  real: [0.5, -0, 1e-7, 1e21, 0.1 + 0.2, -1.5, 5e-324, 2, 1e15, -1.25e15, 1e16, 1e14, 1e-5, 1000000000000000.1],
  odd: [Number.NaN, Infinity, -Infinity, 0.25],
  bool: [true, false],
  text: [
    "",
    " ",
    "a",
    "b",
    "NULL",
    "Zürich",
    "😀",
    `"q"`,
    "'",
    "2026-01-01",
    "1",
    "true",
    "a,b\nc",
    "\\",
    "{}",
    "é",
    "e\u0301"
  ],
  moment: [
    "1970-01-01T00:00:00.000Z",
    "2026-11-29T12:30:00.250Z",
    "1969-12-31T23:59:59.999Z",
    "0001-01-01T00:00:00.000Z"
  ].map((text) => new Date(text)),
  list: [[], [1], [1, null, 2], [null], [3, 4]],
  words: [[], ["a"], ["", "b"], [null]],
  mixed: [[1, "a"], [{ a: 1 }], [[1], []], [true]],
  struct: [{ a: 1 }, { a: null, b: "x" }, { b: "y", a: 2 }, { c: { d: [1] } }],
  empty: [{}, { a: null }],
  cased: [{ Id: 1, id: 2 }, { Id: 3 }, { id: 4 }],
  url: [new URL("https://example.com/a?b=c"), new URL("https://example.com/")],
  quoted: [{ q: '"s"' }, { q: "\\" }, { q: "\n" }]
} satisfies Record<string, ReadonlyArray<unknown>>
type ValueKind = keyof typeof pools
const valueKinds = Object.keys(pools) as ReadonlyArray<ValueKind>
const isWhole = (value: unknown) => typeof value === "bigint" || Number.isSafeInteger(value)
/** Lists of which each item is a value, and values with other lists, which are tables of tables. */
const flatLists: ReadonlyArray<ValueKind> = ["list", "words"]
const deepLists: ReadonlySet<ValueKind> = new Set(["struct", "mixed"])
const structs: ReadonlySet<ValueKind> = new Set(["struct", "quoted", "cased"])
const exact: ReadonlySet<ValueKind> = new Set(["big", "huge"])
const inexact: ReadonlySet<ValueKind> = new Set(["real", "odd"])

/** Names that come together, because they lead to one column or nearly so. */
const families: ReadonlyArray<ReadonlyArray<string>> = [
  ["Net Price", "net-price"],
  ["Size", "size"],
  ["caf\u00e9", "cafe\u0301"],
  ["blank", "blank "],
  [`${"x".repeat(70)}1`, `${"x".repeat(70)}2`],
  ["☂", "☃"],
  ["unitPrice"],
  ["价格"],
  ["Имя"],
  ["ﬁ"],
  ["order"],
  ["a"],
  ["b"],
  ["c"],
  ['say "hi"'],
  ["_run_id"],
  ["_pipeline"],
  ["constructor"],
  ["__proto__"],
  ["2024"],
  [""],
  ["İ"],
  ["a.b", "a_b"]
]

/** Types that a column of a kind can be given, and values that do not fit some of them. */
const given: ReadonlyArray<readonly [Type, ReadonlyArray<unknown>]> = [
  [{ _tag: "BIGINT" }, [1, 2n, null, "x", 1.5, 3, 4]],
  [{ _tag: "DOUBLE" }, [1, 0.5, null, "x", 2]],
  [{ _tag: "VARCHAR" }, ["a", "", null, 5, "b"]],
  [{ _tag: "BOOLEAN" }, [true, false, null, 0]],
  [{ _tag: "DATE" }, ["2026-01-01", "0001-01-01", null, "2026-02-30", "1999-12-31"]],
  [{ _tag: "DECIMAL", precision: 10, scale: 2 }, ["1.50", "-0.01", 3, null, "1.005", "99999999.99"]],
  [{ _tag: "TIMESTAMP" }, [new Date(0), new Date("2026-11-29T12:30:00.250Z"), null, true]],
  [{ _tag: "JSON" }, [{ a: [1, "x"] }, 5, "t", null, [], true]],
  [{ _tag: "LIST", of: { name: "item", type: { _tag: "DATE" }, nullable: true } }, [["2026-01-01"], [], null, ["x"]]]
]

interface ColumnDrawn {
  readonly names: ReadonlyArray<string>
  readonly kinds: ReadonlyArray<ValueKind>
  readonly given: (typeof given)[number]
}

const draws = (random: Random) => ({
  random,
  chance: (of: number) => random(of) === 0,
  pick: <A>(some: ReadonlyArray<A>): A => {
    const one = some[random(some.length)]
    if (one === undefined) throw new Error("nothing to draw from")
    return one
  },
  shuffled: <A>(some: ReadonlyArray<A>): ReadonlyArray<A> =>
    some
      .map((one) => [random(2 ** 30), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one)
})
type Draws = ReturnType<typeof draws>

export const drawSequence = (seed: number, kinds: ReadonlyArray<At["kind"]> = sinkKinds): Sequence => {
  const d = draws(randomFrom(seed))
  const key = d.chance(5) ? [] : d.chance(4) ? ["id", "k"] : ["id"]
  const places = drawPlaces(d, kinds, key.length > 0)
  const contract = d.chance(2) ? "evolve" : d.pick(["evolve", "quarantine", "freeze"] as const)
  const hasPostgres = places.some(({ kind }) => kind === "postgres")
  const isHistory = places.some(({ write }) => write === "scd2")
  const mayLose = switches.losesDigits(places)
  // Drawn apart, so that the seeds of other sequences give what they gave.
  const hasListTables = randomFrom(seed + 1_000_003)(2) === 0
  const [twins = [], ...singles] = families
  // The names of which each gets a column of its own, in the order in which they come, are drawn often.
  const named = d.chance(3) ? [twins, ...d.shuffled(singles)] : d.shuffled(families)
  const chosen = hasListTables ? named.filter(isPlainName) : named
  const columns = chosen.slice(0, 1 + d.random(5)).map((names): ColumnDrawn => {
    const all = d.shuffled(valueKinds).slice(0, 1 + d.random(3))
    const any = hasListTables ? [d.pick(flatLists), ...all.filter((kind) => !deepLists.has(kind))] : all
    const staysStruct = switches.structsBecomeJson || !hasPostgres || (any.length === 1 && !isPlainName(names))
    const drawn = staysStruct ? any : any.map((kind) => (structs.has(kind) ? "list" : kind))
    const loses = drawn.some((kind) => exact.has(kind)) && drawn.some((kind) => inexact.has(kind))
    const kept = loses && !mayLose ? drawn.filter((kind) => !inexact.has(kind)) : drawn
    const type = d.pick(
      given.filter(
        ([{ _tag }]) => mayLose || !["DOUBLE", "DECIMAL"].includes(_tag) || !kept.some((kind) => exact.has(kind))
      )
    )
    if (switches.momentsAreNumbers || contract === "evolve") return { names, kinds: kept, given: type }
    const isMoment = type[0]._tag === "TIMESTAMP" || kept.includes("moment")
    const kinds = isMoment ? kept.filter((kind) => pools[kind].every((value) => !isWhole(value))) : kept
    return {
      names,
      kinds: kinds.length === 0 ? ["text"] : kinds,
      given: isMoment && type[0]._tag === "BIGINT" ? (given[2] ?? type) : type
    }
  })
  const table: Table = {
    key,
    contract,
    nested: hasListTables ? "tables" : d.chance(6) ? "json" : "struct",
    fingerprint: isHistory && d.chance(3) ? ["a"] : undefined
  }
  const own =
    table.fingerprint === undefined
      ? columns
      : [
          { names: ["a"], kinds: ["int", "text"] as const, given: d.pick(given) },
          ...columns.filter(({ names }) => names[0] !== "a")
        ]
  const keyKinds = d.pick<ReadonlyArray<KeyKind>>([["int"], ["int"], ["text"], ["int", "text"]])
  const steps = Array.from({ length: 2 + d.random(4) }, (_, at) =>
    drawStep(d, { at, columns: own, keyKinds, places, table })
  )
  // A sink that lacks the column of the fingerprint is behind, and the others of its pipeline go on: the model has no such run.
  const isTogether = d.chance(2) && table.fingerprint === undefined
  return { seed, places, isTogether, table, steps }
}

const drawPlaces = (d: Draws, kinds: ReadonlyArray<At["kind"]>, isKeyed: boolean): ReadonlyArray<At> => {
  const count = Math.min(kinds.length, 2 + d.random(3))
  const isSame = d.chance(2)
  const common = isKeyed
    ? d.pick(["append", "replace", "merge", "scd2"] as const)
    : d.pick(["append", "replace"] as const)
  const closes = d.chance(2)
  return d
    .shuffled(kinds)
    .slice(0, count)
    .map((kind, at): At => {
      const isFile = kind === "jsonl" || kind === "csv" || kind === "parquet"
      const own = isSame
        ? common
        : d.pick(isKeyed ? (["append", "replace", "merge", "scd2"] as const) : (["append", "replace"] as const))
      const write = isFile && (own === "merge" || own === "scd2") ? d.pick(["append", "replace"] as const) : own
      return { name: `${kind}${at}`, kind, write, closes: write === "scd2" && closes }
    })
}

/** The values of a key are of one kind in a run. */
const keyValues = { int: [0, 1, 2, 3, 4, 5], text: ["0", "1", "2", "a", "A", "é", "e\u0301", " ", ""] }
type KeyKind = keyof typeof keyValues

interface Course {
  readonly at: number
  readonly keyKinds: ReadonlyArray<KeyKind>
  readonly columns: ReadonlyArray<ColumnDrawn>
  readonly places: ReadonlyArray<At>
  readonly table: Table
}

const drawStep = (d: Draws, { at, columns, keyKinds, places, table }: Course): Step => {
  const keyKind = d.pick(keyKinds)
  const isGiven = d.chance(3)
  const isFixed = table.contract !== "evolve"
  const isNeeded = ({ names: [name = ""] }: ColumnDrawn) => at === 0 && table.fingerprint?.includes(name) === true
  const there = columns
    .filter((column) => isNeeded(column) || !d.chance(isFixed ? 8 : 4))
    .map((column) =>
      column.names.length > 1 && !isTogetherOnly(column.names) && d.chance(2)
        ? { ...column, names: [d.pick(column.names)] }
        : column
    )
  const nullsKey = table.contract !== "freeze" && table.nested !== "tables" && d.chance(4)
  const count = isGiven && d.chance(5) ? 0 : 1 + d.random(d.chance(3) ? 12 : 4)
  const types = isGiven
    ? [
        ...table.key.map((name): Named => ({ name, type: { _tag: keyKind === "int" ? "BIGINT" : "VARCHAR" } })),
        ...there.filter(isPlain).map(({ given: [type], names }): Named => ({ name: names[0] ?? "", type }))
      ]
    : undefined
  const rows = Array.from({ length: count }, (_, row) => {
    const isFirst = row === 0
    if (!isFirst && table.contract !== "freeze" && d.chance(30)) return [[noRow, d.pick(noRows)] as const]
    const keys = table.key.map(
      (name) => [name, !isFirst && nullsKey && d.chance(4) ? null : d.pick<unknown>(keyValues[keyKind])] as const
    )
    const cells = isGiven
      ? there
          .filter(isPlain)
          .map(
            ({ given: [, values], names }) =>
              [names[0] ?? "", isFixed && table.contract === "freeze" ? fitting(d, values) : d.pick(values)] as const
          )
      : there.flatMap(({ kinds, names }) => {
          const kind = d.pick(kinds)
          return names.flatMap((name) => {
            const mayLack = !isFirst || (names.length === 1 && (at > 0 || !table.fingerprint?.includes(name)))
            if (mayLack && d.chance(6)) return d.chance(2) ? [] : [[name, null] as const]
            return [[name, d.pick<unknown>(pools[kind])] as const]
          })
        })
    return d.shuffled([...keys, ...cells])
  })
  const once = d.chance(5) ? `key ${at - d.random(2)}` : undefined
  const mayPart = places.every(({ write }) => write === "append" || write === "merge")
  return {
    rows,
    types: types !== undefined && types.length === 0 ? [{ name: "z", type: { _tag: "BIGINT" } }] : types,
    iterates: d.pick(["array", "generator", "async"] as const),
    parts: mayPart && d.chance(2) ? { answer: 1 + d.random(3), commit: 1 + d.random(4) } : undefined,
    killAt: d.chance(4) ? d.random(9) : undefined,
    isAgain: once !== undefined || d.chance(2),
    once
  }
}

/** Given columns have the names that columns can have. */
const isPlain = ({ names }: ColumnDrawn): boolean => isPlainName(names)
const isPlainName = (names: ReadonlyArray<string>): boolean =>
  names.length === 1 && /^(a|b|c|order|constructor|价格)$/.test(names[0] ?? "")
const fitting = (d: Draws, values: ReadonlyArray<unknown>): unknown => d.pick(values.slice(0, 2))

/**
 * Whether the names of a family may not come one after the other: one of them is a column name as it is, and goes on in the column of
 * that name.
 */
const isTogetherOnly = (names: ReadonlyArray<string>): boolean =>
  !switches.namesGrow || names.some((name) => name === name.trim() && /^[\p{Ll}_]+$/u.test(name.normalize("NFC")))

/** Whether a run can be made of these rows, and no switch is against it. */
export const isLegal = ({ steps, table }: Sequence): boolean =>
  steps.every(({ rows, types }) => {
    if (types !== undefined) return types.length > 0
    const full = new Set(
      rows.flatMap((row) => row.filter(([name, value]) => value !== null && name !== noRow).map(([name]) => name))
    )
    if (full.size === 0 || !table.key.every((name) => full.has(name))) return false
    return families.filter(isTogetherOnly).every((names) => new Set(names.map((name) => full.has(name))).size === 1)
  })
