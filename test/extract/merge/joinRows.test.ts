import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import * as Wanted from "#extract/match/Wanted"
import { joinRows } from "#extract/merge"

/** Pages, each with its rows; how they are joined. */
const joined = (...pages: ReadonlyArray<ReadonlyArray<{ readonly [name: string]: Json }>>) => {
  const properties = { title: { type: "string" }, employer: { type: "string" }, pay: {}, closes: {} }
  const wanted = Wanted.of({ type: "array", items: { type: "object", properties } })
  if (wanted._tag !== "Rows") throw new Error("rows are wanted")
  const parts = pages.flatMap((rows, i) => {
    const page = { url: `/${i}`, extracted: { data: [], sources: new Map(), missing: [] } }
    return rows.map((json) => ({ page, json, pointer: "" }))
  })
  return joinRows(wanted.item, parts).map((group) => group.map(({ json }) => json))
}

const clerk = { title: "Clerk", employer: "Mill", pay: 5, closes: null }

describe("rows without a property that identifies them", () => {
  it("are one where the longer says all that the shorter says, whichever comes first", () => {
    const detail = { ...clerk, closes: "2026-03-29" }
    const other = { ...clerk, pay: 9 }

    expect(joined([clerk, other], [detail])).toEqual([[clerk, detail], [other]])
    expect(joined([detail], [clerk, other])).toEqual([[detail, clerk], [other]])
  })

  it("are apart where they share one word and each says more", () => {
    const one = { title: "Clerk", employer: null, pay: 5, closes: null }
    const other = { title: "Clerk", employer: null, pay: null, closes: "2026-03-29" }

    expect(joined([one, one], [other])).toEqual([[one, one], [other]])
  })
})
