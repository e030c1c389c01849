import { expect, test } from "vitest"
import { documents, JsonLdContext } from "#extract/read/declared/JsonLd"

const context = (json: unknown, before = JsonLdContext.empty): JsonLdContext => {
  const [node] = documents(JSON.stringify({ "@context": json }), 0)
  return node?._tag === "Object" ? before.with(node) : before
}

test("terms mean what a context says, and what is added counts on", () => {
  const outer = context(["https://schema.org", { s: "https://schema.org/", titel: "s:name", id: "@id" }])
  const inner = context(
    { seite: { "@id": "s:url", "@type": "@id" }, text: { "@id": "s:text", "@container": "@language" } },
    outer
  )

  expect(["titel", "id", "s:sku", "seite", "@type", "s"].map((key) => inner.nameOf(key))).toEqual([
    "name",
    "@id",
    "sku",
    "url",
    "@type",
    "s"
  ])
  expect([inner.isAddress("seite"), inner.isAddress("titel"), inner.isMap("text"), inner.isMap("titel")]).toEqual([
    true,
    false,
    true,
    false
  ])
})

test("the context of schema.org has short forms of keywords, others have not", () => {
  expect(["type", "id", "name"].map((key) => context("https://schema.org/").nameOf(key))).toEqual([
    "@type",
    "@id",
    "name"
  ])
  expect(context("https://schema.org.evil.test/").nameOf("type")).toBe("type")
})

test("a context that is only an address is not fetched and says nothing", () => {
  expect(context("https://evil.test/context.json")).toBe(JsonLdContext.empty)
})
