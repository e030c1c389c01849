import { expect, it } from "vitest"
import { maskedHeaders, maskedRequest } from "#service/store/jsonColumns"

it("masks the values of headers and nothing else, and the text stays as long as it was", () => {
  const text = JSON.stringify({
    url: "https://a.example",
    headers: { a: "json" },
    scrapeOptions: {
      headers: { authorization: 'Bearer "ü"\n', empty: "" },
      formats: [{ type: "json", schema: { properties: { headers: { type: "json" } } } }]
    },
    webhook: { url: "https://b.example", headers: { "x-a": "1" } }
  })

  const masked = maskedRequest(text)

  expect(Buffer.byteLength(masked ?? "")).toBe(Buffer.byteLength(text))
  expect(JSON.parse(masked ?? "")).toEqual({
    ...JSON.parse(text),
    headers: { a: "****" },
    scrapeOptions: { ...JSON.parse(text).scrapeOptions, headers: { authorization: "***************", empty: "" } },
    webhook: { url: "https://b.example", headers: { "x-a": "*" } }
  })
  expect(maskedRequest(masked ?? "")).toBeUndefined()
  expect(maskedRequest('{"url":"https://a.example"}')).toBeUndefined()
  expect(maskedHeaders({ a: "bc" })).toBe('{"a":"**"}')
})
