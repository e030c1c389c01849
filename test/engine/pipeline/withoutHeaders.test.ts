import { expect, it } from "vitest"
import { comparableWithoutHeaders, withoutHeaders } from "#engine/withoutHeaders"

const request = (token: string) => ({
  url: "https://a.example",
  scrapeOptions: {
    headers: { "x-token": token },
    formats: [{ type: "json", schema: { properties: { headers: { type: "object" } } } }]
  },
  targets: [{ scrapeOptions: { headers: { "x-token": token } } }]
})

it("takes the values of headers out, wherever requests have them, and leaves schemas as they are", () => {
  const hidden = { headers: { "x-token": "[redacted]" } }

  expect(withoutHeaders(request("abc"))).toEqual({
    ...request("abc"),
    scrapeOptions: { ...request("abc").scrapeOptions, ...hidden },
    targets: [{ scrapeOptions: hidden }]
  })
})

it("still tells that a value was changed, and not what it was", () => {
  const [one, other] = [comparableWithoutHeaders(request("abc")), comparableWithoutHeaders(request("abd"))]

  expect(one).toEqual(comparableWithoutHeaders(request("abc")))
  expect(one).not.toEqual(other)
  expect(JSON.stringify(one)).toMatch(/"\[redacted [0-9a-f]{2}\]"/)
})
