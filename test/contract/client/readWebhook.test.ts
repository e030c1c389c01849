import { createHmac } from "node:crypto"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { readWebhook, verifyWebhook } from "#contract/readWebhook"

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

const body = Buffer.from('{"success":true,"type":"crawl.page","metadata":{"é":"🌾"}}')
const hex = createHmac("sha256", "whsec-1").update(body).digest("hex")

describe("a webhook", () => {
  it("is verified by the known answer of RFC 4231, test case 2", () => {
    const known = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"

    expect(verifyWebhook(Buffer.from("what do ya want for nothing?"), known, Redacted.make("Jefe"))).toBe(true)
  })

  it.each([`sha256=${hex}`, `sha256=${hex.toUpperCase()}`, `SHA256=${hex}`, `  sha256=${hex}\r\n`, `sha256 = ${hex}`])(
    "is verified in any case and with space around: %j",
    (signature) => {
      expect(verifyWebhook(body, signature, secret)).toBe(true)
    }
  )

  it("is refused where any one byte of the body differs", () => {
    const accepted = [...body.keys()].filter((index) => {
      const changed = Buffer.from(body)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      return verifyWebhook(changed, `sha256=${hex}`, secret)
    })

    expect(accepted).toEqual([])
  })

  it("is refused where any one digit of the signature differs", () => {
    const accepted = [...hex].filter((digit, index) => {
      const changed = hex.slice(0, index) + (digit === "0" ? "1" : "0") + hex.slice(index + 1)
      return verifyWebhook(body, `sha256=${changed}`, secret)
    })

    expect(accepted).toEqual([])
  })

  it.each([
    ["no header", undefined],
    ["no header of fetch", null],
    ["nothing in it", ""],
    ["no scheme", hex],
    ["another scheme", `sha1=${hex}`],
    ["a digit too few", `sha256=${hex.slice(1)}`],
    ["a digit too many", `sha256=${hex}0`],
    ["something else than digits", `sha256=${"z".repeat(64)}`],
    ["the signature twice", `sha256=${hex}, sha256=${hex}`],
    ["the header twice", [`sha256=${hex}`, `sha256=${hex}`]]
  ])("is refused with %s", (_what, signature) => {
    expect(verifyWebhook(body, signature, secret)).toBe(false)
  })

  it("is refused with another secret, and with an empty one that anybody could sign with", () => {
    const unsecret = `sha256=${createHmac("sha256", "").update(body).digest("hex")}`

    expect(verifyWebhook(body, `sha256=${hex}`, Redacted.make("whsec-2"))).toBe(false)
    expect(verifyWebhook(body, unsecret, Redacted.make(""))).toBe(false)
  })
})
