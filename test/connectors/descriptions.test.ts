import { expect, it } from "vitest"
import * as gov from "#connectors/gov/tables"
import { formatColumns } from "#connectors/webdata/crawl/formatColumns"
import * as crawl from "#connectors/webdata/crawl/tables"
import * as govSearch from "#connectors/webdata/gov/govTables"
import { extractedTable } from "#connectors/webdata/jobs/extractedTable"
import * as jobs from "#connectors/webdata/jobs/jobTables"
import * as monitor from "#connectors/webdata/monitor/monitorTables"
import * as NestedColumns from "#engine/output/NestedColumns"
import * as Rejects from "#engine/output/Rejects"
import type * as Table from "#engine/Table"
import { historyColumns, pipelineColumn } from "#engine/WriteDisposition"

const isTable = (value: unknown): value is Table.Table =>
  typeof value === "object" && value !== null && "columns" in value && "key" in value

it("every column of every table of a source says what it holds", () => {
  const products = extractedTable({
    name: "products",
    schema: {
      type: "object",
      properties: {
        sku: { type: "string", description: "the number of the article" },
        offers: {
          type: "array",
          description: "what it costs",
          items: { type: "object", properties: { price: { type: "number", description: "in euros" } } }
        }
      }
    },
    key: undefined
  })
  const formats = formatColumns({
    formats: ["summary", "images", "screenshot", "changeTracking", "branding", "highlights"],
    actions: [{ type: "wait", milliseconds: 1 }]
  }).flatMap(({ columns }) => columns)
  const tables = [
    ...[crawl, jobs, monitor, govSearch, gov].flatMap((all) => Object.values(all).filter(isTable)),
    ...NestedColumns.forMode("tables", products.table).tables,
    products.sources,
    Rejects.tableOf(crawl.pages)
  ]
  const columns = [
    ...tables.flatMap((table) => table.columns.map((column) => ({ table: table.name, column }))),
    ...[...formats, ...historyColumns, pipelineColumn].map((column) => ({ table: "any", column }))
  ]
  const silent = columns.filter(({ column }) => (column.description ?? "") === "")

  expect(tables.length).toBeGreaterThan(14)
  expect(columns.length).toBeGreaterThan(150)
  expect(silent.map(({ column, table }) => `${table}.${column.name}`)).toEqual([])
  expect(columns.filter(({ column: { description = "" } }) => /[.\n]$|^[A-Z][a-z]/.test(description))).toEqual([])
})

it("a list that becomes a table gives it its description, and its items give theirs", () => {
  const table: Table.Table = {
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
