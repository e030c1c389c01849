import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import * as Wanted from "#extract/match/Wanted"
import { joinRows, merge } from "#extract/merge"

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

const page = (url: string, data: Json, missing: ReadonlyArray<string> = []) => {
  const source = { kind: "text", path: "p", span: [0, 1] } as const
  const sources = new Map(["/answers/0/answer", "/answers/1/answer"].map((pointer) => [pointer, source]))
  return { url, extracted: { data, sources, missing } }
}
const answer = (question: string, text: string | null, relevance: number) => ({ question, answer: text, relevance })

describe("answers of several pages", () => {
  it("are the most relevant one for each question, with the page that gave it", () => {
    const { data, sources } = merge(
      [
        page("/a", { answers: [answer("Who?", "Ada", 0.9), answer("When?", "soon", 0.5)] }),
        page("/b", { answers: [answer("Who?", "Bo", 0.6), answer("When?", "in May", 0.8)] })
      ],
      undefined
    )

    expect(data).toEqual({ answers: [answer("Who?", "Ada", 0.9), answer("When?", "in May", 0.8)] })
    expect(sources.get("/answers/1/answer")?.map(({ url }) => url)).toEqual(["/b"])
  })

  it("are no part of a list that another page has", () => {
    const lamps = { lamps: [{ name: "Ash lamp" }] }

    expect(merge([page("/a", { answers: [answer("Which?", "x", 1)] }), page("/b", lamps)], undefined).data).toEqual(
      lamps
    )
  })

  it("stay missing where no page has one", () => {
    expect(merge([page("/a", { answers: [answer("Who?", null, 0)] })], undefined).missing).toEqual([
      "/answers/0/answer"
    ])
  })
})
