import { describe, expect, it } from "vitest"
import { type Column, toSql } from "#engine/Column"
import { columnFromSql } from "#engine/columnFromSql"
import * as NestedColumns from "#engine/output/NestedColumns"
import type { Row, Table } from "#engine/Table"
import { rowValidator } from "#engine/validateRow"
import { canonical, draw, everything, seed, special } from "#testing/specimens"

const column = (name: string, sql: string): Column => ({
  name,
  type: columnFromSql(sql) ?? expect.fail(`${sql} is no type`),
  nullable: true
})
const tableOf = (key: ReadonlyArray<string>, columns: Readonly<Record<string, string>>): Table => ({
  name: "pages",
  description: "",
  key,
  columns: Object.entries(columns).map(([name, sql]) => ({ ...column(name, sql), nullable: !key.includes(name) }))
})
const from = { runId: "run-1", ordinal: 7 }
const shape = ({ columns }: Table) => columns.map(({ name, type }) => `${name} ${toSql(type)}`)

/** Splits rows, and checks that each batch fits its table. */
const split = (nesting: NestedColumns.NestedColumns, rows: ReadonlyArray<Row>) => {
  const batches = nesting.split(rows, from)
  for (const { table, rows } of batches) {
    expect(nesting.tables).toContain(table)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.flatMap((row) => rowValidator(table)(row) ?? [])).toEqual([])
  }
  return batches
}
const rowsIn = (batches: ReturnType<typeof split>, name: string) =>
  batches.filter(({ table }) => table.name === name).flatMap(({ rows }) => rows)

describe("nesting as struct", () => {
  it("leaves table and rows as they are", () => {
    const nesting = NestedColumns.forMode("struct", everything)

    expect(nesting.tables).toEqual([everything])
    expect(nesting.split(special, from)).toEqual([{ _tag: "Batch", table: everything, rows: special }])
    expect(nesting.split([], from)).toEqual([])
  })
})

describe("nesting as json", () => {
  it("makes JSON columns of lists and structs, and loses no digit", () => {
    const table = tableOf(["id"], {
      id: "BIGINT",
      s: "STRUCT(at TIMESTAMP, price DECIMAL(18, 2), n BIGINT, gone VARCHAR)",
      l: "DOUBLE[]",
      at: "TIMESTAMP"
    })
    const nesting = NestedColumns.forMode("json", table)
    const row = { id: 1, s: { at: 1_500_000n, price: "12.50", n: 2n ** 60n }, l: [1.5, Number.NaN, null], at: 0n }

    expect(shape(nesting.tables[0])).toEqual(["id BIGINT", "s JSON", "l JSON", "at TIMESTAMP"])
    expect(rowsIn(split(nesting, [row, { id: 2, s: { n: 5n } }]), "pages")).toEqual([
      {
        id: 1,
        s: { at: "1970-01-01T00:00:01.500Z", price: "12.50", n: "1152921504606846976", gone: null },
        l: [1.5, "NaN", null],
        at: 0n
      },
      { id: 2, s: { at: null, price: null, n: 5, gone: null }, l: null }
    ])
  })

  it("gives what JSON text can say for every value that a sink is tried with", () => {
    split(NestedColumns.forMode("json", everything), [...special, ...draw(seed, 300)])
  })
})

describe("nesting as tables", () => {
  const table = tableOf(["url"], {
    url: "VARCHAR",
    title: "VARCHAR",
    links: "VARCHAR[]",
    info: "STRUCT(lang VARCHAR, tags VARCHAR[])",
    products: "STRUCT(name VARCHAR, variants STRUCT(size DOUBLE, stocks STRUCT(place VARCHAR, n BIGINT)[])[])[]",
    grid: "BIGINT[][]",
    _source_url: "VARCHAR"
  })
  const nesting = NestedColumns.forMode("tables", table)

  it("has a table for each list, however deep, with the key of the main row and its place", () => {
    expect(Object.fromEntries(nesting.tables.map((one) => [one.name, shape(one)]))).toEqual({
      pages: [
        "url VARCHAR",
        "title VARCHAR",
        "links__count BIGINT",
        'info STRUCT("lang" VARCHAR, "tags__count" BIGINT)',
        "products__count BIGINT",
        "grid__count BIGINT",
        "_source_url VARCHAR"
      ],
      pages__links: ["_parent_url VARCHAR", "_index BIGINT", "value VARCHAR", "_source_url VARCHAR"],
      pages__info__tags: ["_parent_url VARCHAR", "_index BIGINT", "value VARCHAR", "_source_url VARCHAR"],
      pages__products: [
        "_parent_url VARCHAR",
        "_index BIGINT",
        "name VARCHAR",
        "variants__count BIGINT",
        "_source_url VARCHAR"
      ],
      pages__products__variants: [
        "_parent_url VARCHAR",
        "_parent_index BIGINT",
        "_index BIGINT",
        "size DOUBLE",
        "stocks__count BIGINT",
        "_source_url VARCHAR"
      ],
      pages__products__variants__stocks: [
        "_parent_url VARCHAR",
        "_parent_index BIGINT",
        "_parent_index_2 BIGINT",
        "_index BIGINT",
        "place VARCHAR",
        "n BIGINT",
        "_source_url VARCHAR"
      ],
      pages__grid: ["_parent_url VARCHAR", "_index BIGINT", "value__count BIGINT", "_source_url VARCHAR"],
      pages__grid__value: [
        "_parent_url VARCHAR",
        "_parent_index BIGINT",
        "_index BIGINT",
        "value BIGINT",
        "_source_url VARCHAR"
      ]
    })
    for (const child of nesting.tables.slice(1)) {
      const list = child.name.split("__")[1]
      expect(child.parent).toEqual({ table: "pages", on: { _parent_url: "url" }, isList: true, list })
    }
    expect(nesting.tables[5]?.key).toEqual(["_parent_url", "_parent_index", "_parent_index_2", "_index"])
  })

  const rows: ReadonlyArray<Row> = [
    {
      url: "/ä",
      title: "𝄞",
      links: ["a", "", null],
      info: { lang: "עברית", tags: ["x"] },
      products: [
        {
          name: "p",
          variants: [
            {
              size: 1.5,
              stocks: [
                { place: "Zürich", n: 1 },
                { place: null, n: 2n ** 60n }
              ]
            },
            null
          ]
        },
        null,
        { name: "q", variants: [] },
        { name: "r", variants: null }
      ],
      grid: [[1, 2], [], null, [3]],
      _source_url: "s"
    },
    {
      url: "/empty",
      title: null,
      links: [],
      info: { lang: null, tags: [] },
      products: [],
      grid: [],
      _source_url: null
    },
    { url: "/null", title: "", links: null, info: null, products: null, grid: null, _source_url: "" }
  ]

  it("is put together again into the rows that it was made of", () => {
    const batches = split(nesting, rows)
    const of = (name: string, where: Row) =>
      rowsIn(batches, name).filter((row) => Object.entries(where).every(([column, cell]) => row[column] === cell))
    const list = (count: unknown, items: ReadonlyArray<unknown>) => {
      if (count === null) return null
      expect(items.length).toBe(count)
      return items
    }
    const orNull = (item: Row) => (Object.values(item).every((cell) => cell === null) ? null : item)

    const assembled = rowsIn(batches, "pages").map(({ links__count, info, products__count, grid__count, ...row }) => {
      const main = { _parent_url: row["url"] }
      const struct = info as { readonly lang: unknown; readonly tags__count: unknown } | null
      const stocks = (variant: Row) =>
        of("pages__products__variants__stocks", {
          ...main,
          _parent_index: variant["_index"],
          _parent_index_2: variant["_parent_index"]
        }).map(({ place, n }) => orNull({ place, n }))
      const variants = (product: Row) =>
        of("pages__products__variants", { ...main, _parent_index: product["_index"] }).map((variant) =>
          orNull({ size: variant["size"], stocks: list(variant["stocks__count"], stocks(variant)) })
        )
      return {
        ...row,
        links: list(
          links__count,
          of("pages__links", main).map(({ value }) => value)
        ),
        info: struct && {
          lang: struct.lang,
          tags: list(
            struct.tags__count,
            of("pages__info__tags", main).map(({ value }) => value)
          )
        },
        products: list(
          products__count,
          of("pages__products", main).map((product) =>
            orNull({ name: product["name"], variants: list(product["variants__count"], variants(product)) })
          )
        ),
        grid: list(
          grid__count,
          of("pages__grid", main).map((line) =>
            list(
              line["value__count"],
              of("pages__grid__value", { ...main, _parent_index: line["_index"] }).map(({ value }) => value)
            )
          )
        )
      }
    })

    expect(assembled).toEqual(rows.map((row) => canonicalNumbers(canonical(table, row))))
  })

  it("emits parents before their children, and two rows of one key in batches of their own", () => {
    const page = (url: string, ...links: ReadonlyArray<string>) => ({ url, links })
    const emitted = split(nesting, [page("/a", "1"), page("/b"), page("/a", "2")]).map(({ table, rows }) => [
      table.name,
      rows.map((row) => row["url"] ?? row["value"])
    ])

    expect(emitted).toEqual([
      ["pages", ["/a", "/b"]],
      ["pages__links", ["1"]],
      ["pages", ["/a"]],
      ["pages__links", ["2"]]
    ])
    expect(nesting.split([], from)).toEqual([])
  })

  it("names the rows of a table without a key by their run", () => {
    const nesting = NestedColumns.forMode("tables", tableOf([], { links: "VARCHAR[]" }))

    expect(nesting.tables.map(shape)).toEqual([
      ["links__count BIGINT", "_row_id VARCHAR"],
      ["_parent_row_id VARCHAR", "_index BIGINT", "value VARCHAR"]
    ])
    expect(nesting.tables[0].key).toEqual(["_row_id"])
    expect(nesting.tables[1]?.parent).toEqual({
      table: "pages",
      on: { _parent_row_id: "_row_id" },
      isList: true,
      list: "links"
    })
    expect(split(nesting, [{ links: ["a"] }, { links: ["b"] }]).map(({ rows }) => rows)).toEqual([
      [
        { links__count: 1, _row_id: "run-1-7" },
        { links__count: 1, _row_id: "run-1-8" }
      ],
      [
        { _parent_row_id: "run-1-7", _index: 0, value: "a" },
        { _parent_row_id: "run-1-8", _index: 0, value: "b" }
      ]
    ])
  })

  it("belongs to the parent of a table that has one", () => {
    const links: Table = {
      ...tableOf(["page_url", "position"], { page_url: "VARCHAR", position: "BIGINT", words: "VARCHAR[]" }),
      name: "links",
      parent: { table: "pages", on: { page_url: "url" } }
    }
    const [, words] = NestedColumns.forMode("tables", links).tables

    expect(words?.key).toEqual(["_parent_page_url", "_parent_position", "_index"])
    expect(words?.parent).toEqual({ table: "pages", on: { _parent_page_url: "url" }, isList: true, list: "words" })
  })

  it("keeps the names of the structure where fields want them too", () => {
    const nesting = NestedColumns.forMode(
      "tables",
      tableOf(["index"], {
        index: "BIGINT",
        a: "STRUCT(_index BIGINT, _parent_index VARCHAR, _run_id VARCHAR, _source_url VARCHAR, l BIGINT[])[]",
        a__count: "VARCHAR",
        s: "STRUCT(b BIGINT[])",
        s__b: "BIGINT[]",
        _run_id: "VARCHAR",
        _source_url: "VARCHAR"
      })
    )

    expect(nesting.tables.map(({ name }) => name)).toEqual([
      "pages",
      "pages__a",
      "pages__a__l",
      "pages__s__b",
      "pages__s__b_2"
    ])
    expect(nesting.tables.slice(0, 3).map(({ columns }) => columns.map(({ name }) => name))).toEqual([
      ["index", "a__count_2", "a__count", "s", "s__b__count", "_run_id", "_source_url"],
      ["_parent_index", "_index", "_index_2", "_parent_index_2", "_run_id_2", "_source_url", "l__count", "_run_id"],
      ["_parent_index", "_parent_index_2", "_index", "value", "_run_id", "_source_url"]
    ])
    const item = { _index: 5, _parent_index: "own", _run_id: "own", _source_url: "own", l: [9] }
    expect(rowsIn(split(nesting, [{ index: 1, a: [item], _run_id: "r", _source_url: "s" }]), "pages__a")).toEqual([
      {
        _parent_index: 1,
        _index: 0,
        _index_2: 5,
        _parent_index_2: "own",
        _run_id_2: "own",
        _source_url: "own",
        l__count: 1,
        _run_id: "r"
      }
    ])
  })

  it("leaves a table without lists as it is", () => {
    const flat = tableOf(["a"], { a: "BIGINT", s: "STRUCT(b BIGINT)" })

    expect(NestedColumns.forMode("tables", flat).tables).toEqual([flat])
  })

  it("loses no item of the rows that a sink is tried with", () => {
    const rows = [...special, ...draw(seed, 300)]
    const batches = split(NestedColumns.forMode("tables", everything), rows)
    const items = rows.flatMap(({ list }) => (Array.isArray(list) ? list : []))

    expect(rowsIn(batches, "everything__list").length).toBe(items.length)
    expect(rowsIn(batches, "everything").length).toBe(rows.length)
  })
})

/** Numbers as the rows above write them: the safe ones as number. */
function canonicalNumbers(value: unknown): unknown {
  if (typeof value === "bigint") return value < 2n ** 53n ? Number(value) : value
  if (Array.isArray(value)) return value.map(canonicalNumbers)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, cell]) => [name, canonicalNumbers(cell)]))
}

it("a list that becomes a table gives it its description, and its items give theirs", () => {
  const table: Table = {
    name: "products",
    description: "products",
    key: ["sku"],
    columns: [
      { name: "sku", type: { _tag: "VARCHAR" }, nullable: false, description: "the number" },
      {
        name: "offers",
        description: "what it costs",
        nullable: true,
        type: {
          _tag: "LIST",
          of: {
            name: "item",
            nullable: false,
            type: {
              _tag: "STRUCT",
              fields: [{ name: "price", type: { _tag: "DOUBLE" }, nullable: true, description: "in euros" }]
            }
          }
        }
      }
    ]
  }
  const [main, offers] = NestedColumns.forMode("tables", table).tables

  expect([main, offers].flatMap((one) => one?.columns.filter(({ description = "" }) => description === ""))).toEqual([])
  expect(offers?.description).toBe("the items of offers of products, one row per item: what it costs")
  expect(offers?.columns.map(({ description, name }) => `${name}: ${description}`)).toEqual([
    "_parent_sku: sku of the row of products that the item belongs to",
    "_index: the place of the item in its list, from 0",
    "price: in euros"
  ])
  expect(main.columns.map(({ description, name }) => `${name}: ${description}`)).toEqual([
    "sku: the number",
    "offers__count: the number of items that offers has in products__offers"
  ])
})
