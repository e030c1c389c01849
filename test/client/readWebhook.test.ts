import { createHmac } from "node:crypto"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { readWebhook } from "../../src/client/readWebhook.ts"

const secret = Redacted.make("whsec-1")
const read = (text: string, headers?: Record<string, string>) => {
  const signature = `sha256=${createHmac("sha256", "whsec-1").update(text).digest("hex")}`
  return readWebhook(Buffer.from(text), headers ?? { "x-service-signature": signature }, secret)
}

describe("readWebhook", () => {
  it("gives an event as it was sent", () => {
    const text = '{ "type":"monitor.page", "id":"c" }'

    expect(read(text)).toEqual({ _tag: "Event", type: "monitor.page", text, json: { type: "monitor.page", id: "c" } })
  })

  it("reads nothing of a body that is not signed, and says what is missing", () => {
    expect(read("nope", {})).toEqual({
      _tag: "Forged",
      reason: "there is no signature: x-service-signature is missing"
    })
  })

  it("counts brackets alone, and not those in texts", () => {
    const text = JSON.stringify({ type: "a", text: `\\"${"[".repeat(500)}`, list: [[[]]] })
    const deep = `{"type":"a","list":${"[".repeat(100)}${"]".repeat(100)}}`

    expect(read(text)).toMatchObject({ _tag: "Event", json: JSON.parse(text) })
    expect(read(deep)).toMatchObject({ _tag: "NoEvent", reason: "the body is nested deeper than 100" })
  })

  it("takes a mark of byte order for no JSON", () => {
    expect(read('\ufeff{"type":"a"}')).toMatchObject({ _tag: "NoEvent" })
  })
})
