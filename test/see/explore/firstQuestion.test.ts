import { expect, it } from "vitest"
import { type ColumnContents, namingColumn } from "#see/explore/columnContents"
import { questionOf } from "#see/explore/firstQuestion"

const column = (name: string, type: string, more: Partial<ColumnContents> = {}): ColumnContents => ({
  name,
  type,
  filled: 1,
  distinct: 100,
  length: 20,
  links: 0,
  words: 0,
  isFixed: false,
  ...more
})
const url = column("url", "VARCHAR", { links: 1 })
const title = column("title", "VARCHAR", { words: 0.9, length: 30, distinct: 90 })
const hash = column("content_hash", "VARCHAR", { isFixed: true, length: 64 })
const text = column("markdown", "VARCHAR", { words: 1, length: 4000 })

it("names rows by their short texts of words, and never by a hash, an address or a long text", () => {
  const lead = column("lead", "VARCHAR", { words: 1, length: 80 })

  expect(namingColumn([url, hash, text, lead, title], ["url"])).toBe("title")
  expect(namingColumn([url, hash, text], ["url"])).toBeUndefined()
  expect(namingColumn([url, column("kind", "VARCHAR", { words: 1, distinct: 4 })], ["url"])).toBeUndefined()
})

it("begins with what changed last in a history, with the numbers before", () => {
  const contents = [url, title, hash, text, column("price", "DOUBLE"), column("valid_from", "TIMESTAMP")]
  const { sql, title: says } = questionOf({ name: "pages", key: ["url"], hasVersions: true }, contents, new Set())

  expect(says).toBe("What changed last")
  expect(sql).toMatch(/^SELECT title, url, valid_from, price_before, price\nFROM \(/)
  expect(sql).toContain("lag(price) OVER versions AS price_before")
})

it("begins with the newest rows by a time of their own, otherwise with how many rows there are of each kind", () => {
  const pages = { name: "order", key: ["url"], hasVersions: false }
  const published = column("published", "TIMESTAMP", { filled: 0.6 })
  const kind = column("kind", "VARCHAR", { distinct: 7, length: 8 })

  expect(questionOf(pages, [url, title, published, kind], new Set(["order"]))).toEqual({
    title: "The newest rows of order",
    sql: 'SELECT title, url, published, kind\nFROM "order"\nORDER BY published DESC NULLS LAST\nLIMIT 100'
  })
  expect(questionOf(pages, [url, title, kind, column("_fetched_at", "TIMESTAMP")])).toEqual({
    title: "Rows of order by kind",
    sql: 'SELECT "kind", count(*) AS "rows"\nFROM "order"\nGROUP BY "kind"\nORDER BY "rows" DESC'
  })
  expect(questionOf(pages, [url, column("_fetched_at", "TIMESTAMP")], new Set()).sql).toContain("ORDER BY _fetched_at")
  expect(questionOf(pages, [url], new Set())).toMatchObject({ title: "The first rows of order" })
  const empty = { name: "log", key: [], hasVersions: false }
  expect(questionOf(empty, [column("said", "VARCHAR", { filled: 0, distinct: 0 })], new Set()).sql).toBe(
    "SELECT *\nFROM log\nLIMIT 100"
  )
})
