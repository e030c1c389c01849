import { expect, it } from "vitest"
import * as gov from "#connectors/gov/tables"
import { agent, crawl, extract, monitor, searchGov } from "#connectors/webdata/index"
import type * as Table from "#engine/Table"
import { historyColumns, pipelineColumn } from "#engine/WriteDisposition"

const isTable = (value: unknown): value is Table.Table =>
  typeof value === "object" && value !== null && "columns" in value && "key" in value

it("every column of every table of a source says what it holds", () => {
  const schema = {
    type: "object",
    properties: {
      sku: { type: "string", description: "the number of the article" },
      offers: {
        type: "array",
        description: "what it costs",
        items: { type: "object", properties: { price: { type: "number", description: "in euros" } } }
      }
    }
  } as const
  const url = "http://shop.test/"
  const highlights = { type: "highlights", query: "a price" } as const
  const readers = [
    crawl.with({
      url,
      scrapeOptions: {
        formats: ["summary", "images", "screenshot", "changeTracking", "branding", highlights],
        actions: [{ type: "wait", milliseconds: 1 }]
      }
    }),
    extract.with({ urls: [url], schema }),
    agent.with({ prompt: "what does it cost", schema }),
    monitor.with({ monitor: "shop" }),
    searchGov.with({ queries: ["bees"] })
  ]
  const tables = [...readers.flatMap((reader) => reader.tables), ...Object.values(gov).filter(isTable)]
  const columns = [
    ...tables.flatMap((table) => table.columns.map((column) => ({ table: table.name, column }))),
    ...[...historyColumns, pipelineColumn].map((column) => ({ table: "any", column }))
  ]
  const silent = columns.filter(({ column }) => (column.description ?? "") === "")

  expect(tables.length).toBeGreaterThan(14)
  expect(columns.length).toBeGreaterThan(150)
  expect(silent.map(({ column, table }) => `${table}.${column.name}`)).toEqual([])
  expect(columns.filter(({ column: { description = "" } }) => /[.\n]$|^[A-Z][a-z]/.test(description))).toEqual([])
})
