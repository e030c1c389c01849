import { describe, expect, it } from "vitest"
import type { Json } from "#contract/JsonSchema"
import { merge } from "#extract/merge"

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
