import * as Schema from "effect/Schema"
import { expect, test } from "vitest"
import { columnName } from "#engine/KeySchemas"

const isName = Schema.is(columnName)

test("a column is named by letters of any script, digits and low lines, and by nothing that SQL could mean", () => {
  expect(["price", "_row", "商品名", "Größe_2", "цена", "मूल्य"].filter(isName)).toHaveLength(6)
  expect(["", "2nd", 'a"b', "a b", "a;b", "a-b", "商 品"].filter(isName)).toEqual([])
})
