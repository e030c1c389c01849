import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { askAgain, missingSchema } from "#connectors/webdata/jobs/askAgain"
import * as extractedItems from "#connectors/webdata/jobs/extractedItems"
import { extractedTable } from "#connectors/webdata/jobs/extractedTable"
import type * as JobPlan from "#connectors/webdata/jobs/JobPlan"

const properties = {
  partNo: { type: "string" },
  price: { $ref: "#/$defs/money" },
  name: { type: "string" },
  colour: { type: "string" }
}
const item = { type: "object", required: ["partNo", "price", "name"], properties }
const $defs = { money: { type: "number" } }
const lists = {
  wrapped: { type: "object", properties: { all: { type: "array", items: item } }, $defs },
  single: { ...item, $defs }
}
const task: JobPlan.Task = { name: "2", urls: ["http://a.test/", "http://b.test/"], tries: 0 }

const asked = Effect.fnUntraced(function* (
  schema: (typeof lists)[keyof typeof lists],
  key: ReadonlyArray<string> | undefined,
  data: unknown,
  pages: Readonly<Record<string, string>>,
  of: JobPlan.Task = task
) {
  const extracted = extractedTable({ name: "parts", schema, key })
  const read = yield* extractedItems.reader(extracted)
  const sources = Object.fromEntries(
    Object.entries(pages).map(([pointer, url]) => [pointer, [{ url, kind: "label", path: "p" }]])
  )
  const result = askAgain(extracted, read({ data, sources }), of, { jobId: "j", times: 2, size: 1 })
  return { ...result, extracted, schemas: result.again.map(({ again }) => again && missingSchema(extracted, again)) }
})

describe("asking again", () => {
  it.effect("asks the pages of rows that lack something, for their names and what is missing", () =>
    Effect.gen(function* () {
      const data = {
        all: [
          { partNo: "1", price: 1, name: "a" },
          { partNo: "2", name: "b" },
          { partNo: "3", price: 3 }
        ]
      }
      const pages = {
        "/all/0/name": "http://a.test/",
        "/all/1/name": "http://b.test/",
        "/all/2/price": "http://c.test/"
      }
      const { again, filled, lacking, missing, schemas } = yield* asked(lists.wrapped, ["part_no"], data, pages)

      expect([filled, missing]).toEqual([7, 2])
      expect(lacking).toEqual({ price: 1, name: 1 })
      expect(again.map(({ name, urls }) => [name, urls])).toEqual([
        ["2.1.0", ["http://b.test/"]],
        ["2.1.1", ["http://c.test/"]]
      ])
      expect(again.map((one) => one.again?.rows.map((row) => [row.name, row.missing]))).toEqual([
        [['["2"]', ["price"]]],
        [['["3"]', ["name"]]]
      ])
      expect(schemas[0]).toEqual({
        type: "object",
        required: ["all"],
        $defs,
        properties: {
          all: {
            type: "array",
            items: {
              ...item,
              required: ["partNo", "price"],
              properties: { partNo: properties.partNo, price: properties.price }
            }
          }
        }
      })
    })
  )

  it.effect("does not ask for what another item of the same key says, nor for rows that nobody would know again", () =>
    Effect.gen(function* () {
      const data = {
        all: [
          { partNo: "1", price: 1 },
          { partNo: "1", name: "a" },
          { price: 2, name: "b" }
        ]
      }
      const pages = {
        "/all/0/price": "http://a.test/",
        "/all/1/name": "http://b.test/",
        "/all/2/name": "http://b.test/"
      }
      const keyed = yield* asked(lists.wrapped, ["part_no"], data, pages)
      const unkeyed = yield* asked(lists.wrapped, undefined, data, pages)

      // The item without its key is rejected: it is no row that lacks something.
      expect([keyed.filled, keyed.missing, keyed.again]).toEqual([3, 0, []])
      // Two rows of one page cannot be told apart; the one of the other page can.
      expect(unkeyed.again.map(({ urls }) => urls)).toEqual([["http://a.test/"]])
    })
  )

  it.effect("counts all values of the row as missing where a job of one row gives none", () =>
    Effect.gen(function* () {
      const none = yield* asked(lists.single, undefined, { partNo: null, price: null, name: null }, {})
      const list = yield* asked(lists.wrapped, undefined, { all: [] }, {})

      expect([none.filled, none.missing, none.again]).toEqual([0, 3, []])
      expect(none.lacking).toEqual({ partNo: 1, price: 1, name: 1 })
      // Nobody knows how many rows a list should have.
      expect([list.filled, list.missing]).toEqual([0, 0])
    })
  )

  it.effect("asks all pages of a job whose data is one row, and once more for what is still missing", () =>
    Effect.gen(function* () {
      const first = yield* asked({ ...lists.single }, undefined, { partNo: "1" }, { "/partNo": "http://a.test/" })
      const [one] = first.again
      const second = yield* asked(lists.single, undefined, { price: 5, name: null }, {}, one)
      const third = yield* asked(lists.single, undefined, { name: "x" }, {}, second.again[0])

      expect(first.again.map(({ urls }) => urls)).toEqual([task.urls])
      expect(first.schemas[0]).toMatchObject({ required: ["price", "name"] })
      expect([second.filled, second.missing, second.again[0]?.again?.rows[0]?.missing]).toEqual([1, 1, ["name"]])
      expect([third.filled, third.missing, third.again]).toEqual([1, 0, []])
      expect([first.lacking, second.lacking, third.lacking]).toEqual([
        { price: 1, name: 1 },
        { price: -1 },
        { name: -1 }
      ])
    })
  )
})
