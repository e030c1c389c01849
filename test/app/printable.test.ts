import { expect, it } from "vitest"
import { jsonLine, printable, printableLine } from "#see/printable"

const hostile = "a\u001b]0;title\u0007\u009b31m\u007f\u202e\u2066\u200f b\r\nc\rd\te"

it("shows control characters instead of sending them, and keeps lines and tabs", () => {
  expect(printable(hostile)).toBe("a\\u001b]0;title\\u0007\\u009b31m\\u007f\\u202e\\u2066\\u200f b\nc\\u000dd\te")
  expect(printableLine("a\n\tb\u0007")).toBe("a b\\u0007")
})

it("writes JSON that says the same and steers no terminal", () => {
  const line = jsonLine({ text: hostile })

  expect(JSON.parse(line)).toEqual({ text: hostile })
  expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u200f\u202e\u2066]/u)
})

it("leaves what people write in any language as it is", () => {
  const text = "Grüße, 你好, שלום, 👩‍👩‍👧 – “quoted”"

  expect(printable(text)).toBe(text)
})
