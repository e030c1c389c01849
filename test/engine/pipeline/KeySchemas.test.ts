import * as Schema from "effect/Schema"
import { expect, test } from "vitest"
import { columnName, tableName } from "#engine/KeySchemas"

const isName = Schema.is(columnName)

test("a column is named by letters of any script, digits and low lines, and by nothing that SQL could mean", () => {
  expect(["price", "_row", "商品名", "Größe_2", "цена", "मूल्य"].filter(isName)).toHaveLength(6)
  expect(["", "2nd", 'a"b', "a b", "a;b", "a-b", "商 品"].filter(isName)).toEqual([])
})

test("a table is named by lower-case letters of any script, because SQL does not tell cases apart", () => {
  const isTable = Schema.is(tableName)

  expect(["pages", "product_pages_2", "价格", "größen", "цены", "मूल्य", "أسعار"].filter(isTable)).toHaveLength(7)
  expect(["", "Pages", "Цены", "_pages", "2nd", "a b", 'a"b', "a-b", "a.b", "a/b"].filter(isTable)).toEqual([])
})
