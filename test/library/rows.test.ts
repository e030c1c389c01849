import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe } from "vitest"
import * as Column from "#engine/Column"
import * as Source from "#engine/Source"
import { validateRow } from "#engine/validateRow"
import { rows } from "#library/rows"
import * as SourceSuite from "#testing/SourceSuite"

const people = Array.from({ length: 2500 }, (_, id) => ({ id, name: `P${id}`, at: new Date(id), tags: [`${id % 3}`] }))

SourceSuite.suite("rows of an array", {
  continues: false,
  reader: Effect.sync(() => rows(people, { table: "people", key: "id" }))
})

SourceSuite.suite("rows of a function", {
  continues: false,
  reader: Effect.promise(() =>
    rows(
      async function* () {
        yield* people
      },
      { table: "people" }
    )
  )
})

const columnsOf = ({ tables }: Source.Reader<never>) =>
  Object.fromEntries(tables[0].columns.map(({ name, type }) => [name, Column.toSql(type)]))

const elementsOf = (reader: Source.Reader<never>) =>
  Effect.map(Stream.runCollect(Source.read(reader)), (all): ReadonlyArray<Source.Element<unknown>> => [...all])

/** Rows that fit, and the reasons of those that do not. */
const readOf = (reader: Source.Reader<never>) =>
  Effect.map(elementsOf(reader), (elements) => {
    const all = elements.flatMap((element) => (element._tag === "Batch" ? element.rows : []))
    const reasonOf = (row: Readonly<Record<string, unknown>>) => validateRow(reader.tables[0], row)?.message
    return {
      rows: all.filter((row) => reasonOf(row) === undefined),
      reasons: [
        ...all.flatMap((row) => reasonOf(row) ?? []),
        ...elements.flatMap((element) => (element._tag === "Reject" ? [element.reason] : []))
      ]
    }
  })

describe("columns of rows", () => {
  it("are the narrowest that hold every value as it is", () => {
    const reader = rows(
      [
        { id: 1, price: 1, big: 2n ** 60n, at: new Date(0), bytes: new Uint8Array([1]), ok: true, none: null },
        { id: 2, price: 1.5, mixed: "a", list: [], nested: { a: 1 }, unitPrice: 3, empty: {}, set: new Set([1]) },
        { id: 3, mixed: 4, list: [1, 2.5], nested: { a: null, b: ["x"] }, none: undefined }
      ],
      { table: "things" }
    )

    expect(columnsOf(reader)).toEqual({
      id: "BIGINT",
      price: "DOUBLE",
      big: "BIGINT",
      at: "TIMESTAMP",
      bytes: "VARCHAR",
      ok: "BOOLEAN",
      mixed: "JSON",
      list: "DOUBLE[]",
      nested: 'STRUCT("a" BIGINT, "b" VARCHAR[])',
      unit_price: "BIGINT",
      empty: "JSON",
      set: "JSON"
    })
  })

  it("are JSON where SQL has no names for the members of objects", () => {
    const reader = rows([{ ids: { id: 1, Id: 2 }, none: { "": 1 }, of: [{ a: { x: 1 } }, { a: { X: 2 }, b: 3 }] }], {
      table: "things"
    })

    expect(columnsOf(reader)).toEqual({ ids: "JSON", none: "JSON", of: 'STRUCT("a" JSON, "b" BIGINT)[]' })
  })

  it.effect("need no field for a member that has only nulls, as they need no column for such a name", () =>
    Effect.gen(function* () {
      const people = [
        { id: 1, none: null, of: { name: "Ada", died: null, more: { text: "x", none: undefined } } },
        { id: 2, of: { name: "Grace", died: null, more: null } }
      ]
      const { reasons, rows: read } = yield* readOf(rows(people, { table: "people" }))

      expect(reasons).toEqual([])
      expect(read).toEqual([
        { id: 1, of: { name: "Ada", more: { text: "x" } } },
        { id: 2, of: { name: "Grace", more: null } }
      ])
    })
  )

  it.effect("leave the engine its own columns, so rows that were loaded before keep what they say", () =>
    Effect.gen(function* () {
      const reader = rows([{ id: 1, _run_id: "of another table", _pipeline: "p" }], { table: "copies" })

      expect((yield* readOf(reader)).rows).toEqual([{ id: 1, _run_id_2: "of another table", _pipeline_2: "p" }])
    })
  )

  it.effect("hold moments of every year", () =>
    Effect.gen(function* () {
      const [early, late] = [new Date(Date.UTC(-43, 2, 15)), new Date(8.64e15)]
      const { rows: read } = yield* readOf(rows([{ early, late }], { table: "moments" }))

      expect(read).toEqual([{ early: BigInt(early.getTime()) * 1000n, late: BigInt(late.getTime()) * 1000n }])
    })
  )

  it.effect("lose no value of what they were inferred from", () =>
    Effect.gen(function* () {
      const at = new Date("2026-11-25T10:00:00.123Z")
      const { reasons, rows: read } = yield* readOf(
        rows([{ a: 2n ** 60n, b: NaN, c: at, d: { when: at, n: 1n }, e: [at, "x"], f: { g: "h" } }], { table: "t" })
      )

      expect(reasons).toEqual([])
      expect(read).toEqual([
        {
          a: 2n ** 60n,
          b: NaN,
          c: BigInt(at.getTime()) * 1000n,
          d: { when: BigInt(at.getTime()) * 1000n, n: 1 },
          e: [at.toISOString(), "x"],
          f: { g: "h" }
        }
      ])
    })
  )

  it.effect("of a list may be promises too, each waited for in its place", () =>
    Effect.gen(function* () {
      const later = [Promise.resolve({ n: 1 }), { n: 2 }, Promise.resolve({ n: 3 })]
      const { rows: read } = yield* readOf(rows(later, { table: "t", columns: { n: "BIGINT" } }))

      expect(read).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    })
  )

  it.effect("keep the sign of a zero in columns that are no whole numbers, also inside of lists and structs", () =>
    Effect.gen(function* () {
      const { rows: read } = yield* readOf(
        rows(
          [
            { a: -0, b: -0, c: [-0, 0], d: { e: -0 } },
            { a: 0.5, b: 1, c: [0.5], d: { e: 0.5 } }
          ],
          { table: "t" }
        )
      )

      expect(read[0]).toEqual({ a: -0, b: 0, c: [-0, 0], d: { e: -0 } })
    })
  )

  it.effect.each([
    ["a generator", (some: () => Generator<object>) => rows(some(), { table: "t" })],
    ["a function of one", (some: () => Generator<object>) => rows(some, { table: "t" })],
    [
      "an async one",
      (some: () => Generator<object>) =>
        rows(
          async function* () {
            yield* some()
          },
          { table: "t" }
        )
    ]
  ] as const)("of %s follow from all of its rows, and each says in the run what it said", ([, read]) =>
    Effect.gen(function* () {
      let readings = 0
      // More than are held in memory, and the last of them say something new.
      function* some() {
        readings++
        for (let n = 0; n < 12_345; n++) {
          yield n < 12_000
            ? { n, price: null, at: new Date(n), big: BigInt(n), bytes: new Uint8Array([n % 256]) }
            : {
                n: n + 0.5,
                price: n,
                tags: new Set(["a"]),
                link: new URL("https://a.example/b"),
                more: { deep: [n, null] }
              }
        }
      }

      const { reasons, rows: found } = yield* readOf(yield* Effect.promise(async () => read(some)))

      expect(reasons).toEqual([])
      expect(found).toHaveLength(12_345)
      expect(readings).toBe(1)
      expect(found[11_999]).toMatchObject({ n: 11_999, price: null, at: 11_999_000n, big: 11_999, bytes: "3w==" })
      expect(found[12_344]).toMatchObject({
        n: 12_344.5,
        price: 12_344,
        tags: ["a"],
        link: "https://a.example/b",
        more: { deep: [12_344, null] }
      })
    })
  )

  it.effect(
    "follow from rows that are one object again and again, or stand behind a proxy, as each was when it came",
    () =>
      Effect.gen(function* () {
        const at = new Date(0)
        const one = { n: 0, at, more: { n: 0 }, list: [0] }
        function* again() {
          for (const n of [1, 2, 3]) {
            at.setTime(n)
            Object.assign(one, { n })
            one.more.n = n
            one.list[0] = n
            yield n === 3 ? new Proxy(one, {}) : one
          }
        }

        const { reasons, rows: read } = yield* readOf(rows(again, { table: "t" }))

        expect(reasons).toEqual([])
        expect(read).toEqual([1, 2, 3].map((n) => ({ n, at: BigInt(n) * 1000n, more: { n }, list: [n] })))
      })
  )

  it.effect("are of what objects say of themselves, and hold whole numbers of any length", () =>
    Effect.gen(function* () {
      class Money {
        readonly #cents = 1250
        toJSON() {
          return { amount: this.#cents / 100, currency: "EUR" }
        }
      }
      class Id {
        toJSON() {
          return "65f0"
        }
      }
      const reader = rows(
        [
          {
            id: new Id(),
            link: new URL("https://a.example/"),
            price: new Money(),
            small: 1,
            large: 2n ** 70n,
            huge: 10n ** 40n
          },
          { id: new Id(), link: null, price: null, small: 2n, large: 5, huge: 1n }
        ],
        { table: "t" }
      )

      const { reasons, rows: read } = yield* readOf(reader)

      expect(reasons).toEqual([])
      expect(reader.tables[0]?.columns.map(({ name, type }) => `${name} ${Column.toSql(type)}`)).toEqual([
        "id VARCHAR",
        "link VARCHAR",
        'price STRUCT("amount" DOUBLE, "currency" VARCHAR)',
        "small BIGINT",
        "large DECIMAL(38, 0)",
        "huge JSON"
      ])
      expect(read).toEqual([
        {
          id: "65f0",
          link: "https://a.example/",
          price: { amount: 12.5, currency: "EUR" },
          small: 1,
          large: "1180591620717411303424",
          huge: "10000000000000000000000000000000000000000"
        },
        { id: "65f0", link: null, price: null, small: 2, large: "5", huge: 1 }
      ])
    })
  )

  it.effect("of texts hold no half of a surrogate pair, which files in UTF-8 cannot: such a row has its reason", () =>
    Effect.gen(function* () {
      const { reasons, rows: read } = yield* readOf(rows([{ t: "a\ud83d" }, { t: "a\ud83d\ude00" }], { table: "t" }))

      expect(read).toEqual([{ t: "a\ud83d\ude00" }])
      expect(reasons).toEqual([
        'column t: an object is not a valid VARCHAR: {"text with half a surrogate pair":"a\ufffd"}'
      ])
    })
  )

  it.effect("may be said, and then nothing is looked at before the run", () =>
    Effect.gen(function* () {
      let pulled = 0
      async function* some() {
        pulled++
        yield { id: 1, day: "2026-11-25" }
        yield { day: "2026-11-26" }
      }
      const reader = rows(some(), { table: "t", columns: { id: "BIGINT NOT NULL", day: "DATE" } })
      expect(pulled).toBe(0)

      const { reasons, rows: read } = yield* readOf(reader)

      expect(read).toEqual([{ id: 1, day: "2026-11-25" }])
      expect(reasons).toEqual(["column id: it must not be null"])
    })
  )
})

describe("rows", () => {
  it.effect("keeps what is no row, with its reason", () =>
    Effect.gen(function* () {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a program in JavaScript may hand over
      const odd = [{ a: 1 }, 2, ["x"], { a: 3 }] as unknown as ReadonlyArray<object>
      const { reasons, rows: read } = yield* readOf(rows(odd, { table: "t" }))

      expect(read).toEqual([{ a: 1 }, { a: 3 }])
      expect(reasons).toEqual(Array.from({ length: 2 }, () => "a row must be an object of names and values"))
    })
  )

  it.effect("of an iterator are read once, and a second reading says what to do", () =>
    Effect.gen(function* () {
      const reader = rows([{ a: 1 }].values(), { table: "t" })
      expect((yield* readOf(reader)).rows).toEqual([{ a: 1 }])

      const error = yield* Effect.flip(elementsOf(reader))

      expect(error).toMatchObject({ _tag: "SourceError", retryable: false, over: true })
      expect(error.message).toContain("can be read once, and were read; give `rows` an array, or a function")
    })
  )

  it.effect("that throw fail the run with what was thrown", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        elementsOf(
          rows(
            () => {
              throw new Error("the API is down")
            },
            { table: "t", columns: { a: "BIGINT" } }
          )
        )
      )

      expect(error.message).toBe("the rows cannot be read: the API is down")
    })
  )

  it.effect("that throw in their midst fail the run after the rows before it", () =>
    Effect.gen(function* () {
      function* some() {
        yield { a: 1 }
        throw new Error("the API is down")
      }

      const error = yield* Effect.flip(elementsOf(rows(some(), { table: "t" })))

      expect(error.message).toBe("the rows cannot be read: the API is down")
      const later = some()
      later.next()
      expect(() => rows(later, { table: "t" })).toThrow("the API is down")
    })
  )

  it("refuses a key, a table and a type that cannot be, and rows without any column", () => {
    expect(() => rows([{ a: 1 }], { table: "t", key: "b" })).toThrow("table t has no column b for its key; columns: a")
    expect(() => rows([{ a: 1 }], { table: "no table" })).toThrow('"no table" cannot be the name of a table')
    expect(() => rows([], { table: "t" })).toThrow("no columns are known of table t: it has no rows; give `columns`")
    expect(() => rows([{ a: 1 }], { table: "t", columns: { a: "NUMBER" } })).toThrow(
      'column a: "NUMBER" is not an SQL type'
    )
  })
})
