import { expect, it } from "vitest"
import { errorPlace } from "#see/sql/errorPlace"

/** What the place is of. */
const found = (sql: string, message: string) => {
  const place = errorPlace(sql, message)
  return place === undefined ? undefined : sql.slice(place.from, place.to)
}

it("finds a mistake by the caret below the line of the query", () => {
  const sql = "SELECT a,\n  b FRM pages"
  expect(found(sql, 'Parser Error: syntax error at or near "pages"\n\nLINE 2:   b FRM pages\n                ^')).toBe(
    "pages"
  )
})

it("finds a mistake of a query that was asked in brackets, a line later", () => {
  const sql = 'SELECT nme\nFROM "the pages"'
  expect(found(sql, "Binder Error: no column\n\nLINE 2: SELECT nme\n               ^")).toBe("nme")
  expect(found(sql, 'Catalog Error: no table\n\nLINE 3: FROM "the pages"\n             ^')).toBe('"the pages"')
})

it("finds a mistake in a line of which only a part is shown", () => {
  const sql = `SELECT ${"a, ".repeat(60)}wrong_name, ${"b, ".repeat(60)}c FROM pages`
  const part = sql.slice(150, 230)
  const caret = " ".repeat("LINE 1: ...".length + sql.indexOf("wrong_name") - 150)
  expect(found(sql, `Binder Error: x\n\nLINE 1: ...${part}...\n${caret}^`)).toBe("wrong_name")
})

it("finds the word that a message names, where it shows no line", () => {
  expect(found("SELECT ttle FROM pages", 'column "ttle" does not exist')).toBe("ttle")
  expect(found("SELECT 1", 'column "other" does not exist')).toBeUndefined()
  expect(found("SELECT 1", "the query failed")).toBeUndefined()
})
