import { describe, expect, it } from "vitest"
import { answerText, maxLength } from "#service/McpTool"

describe("answerText", () => {
  it("gives a short answer as it is", () => {
    expect(answerText("short", 0, undefined, "ask for less")).toEqual({ texts: ["short"] })
  })

  it("cuts a long answer and says how to read on, until its last part", () => {
    const text = "a".repeat(maxLength + 10)
    const first = answerText(text, 0, { of: "scrape", id: "1" }, "A selector gives less.")
    const last = answerText(text, maxLength, { of: "scrape", id: "1" }, "A selector gives less.")

    expect(first.texts[0]).toHaveLength(maxLength)
    expect(first.texts[1]).toBe(
      `This is a part of the answer: characters 0 to 60000 of 60010. For the rest, call millrace_read with {"of":"scrape","id":"1","offset":60000}. A selector gives less.`
    )
    expect(last).toEqual({
      texts: ["a".repeat(10), "This is a part of the answer: characters 60000 to 60010 of 60010. It is the last part."]
    })
  })

  it("does not cut a character in two", () => {
    const text = `${"a".repeat(maxLength - 1)}😀b`

    expect(answerText(text, 0, undefined, "").texts[0]).toHaveLength(maxLength - 1)
  })
})
