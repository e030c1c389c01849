import { expect, test } from "vitest"
import { Page } from "#extract/page/Page"
import { graphOf } from "#extract/read/declared/Rdfa"

const graph = (html: string) => graphOf(new Page(html, "https://site.test/"))

test("the page is the node that all is about which names nothing", () => {
  const { self } = graph("<b property=name>A</b><b property=name>A</b><time property=date datetime=2024>x</time>")

  expect(self.id).toBe("https://site.test/")
  expect(self.statements.map(({ name, object }) => [name, "data" in object ? object.data : object.id])).toEqual([
    ["name", "A"],
    ["date", "2024"]
  ])
})

test("a value with a data type is the text of its element, and says what the address of the element is", () => {
  const { nodes } = graph("<b property=code datatype=xsd:string resource=/a>A</b><b property=maker resource=/b>B</b>")

  const said = nodes.map(({ id, statements }) => [
    id,
    statements.map(({ name, object }) => [name, "data" in object ? object.data : object.id])
  ])
  expect(said).toContainEqual(["https://site.test/a", [["code", "A"]]])
  expect(said).toContainEqual(["https://site.test/", [["maker", "https://site.test/b"]]])
})

test("prefixes that a page declares make addresses, and types may be stated as relations", () => {
  const { nodes } = graph(
    '<div prefix="x: https://x.test/"><p about="[x:a]" rel="rdf:type" resource="[x:B]"></p></div>'
  )

  expect(nodes.map(({ id, types }) => [id, [...types]])).toContainEqual(["https://x.test/a", ["B"]])
})

test("a page that nests without end is read", () => {
  expect(graph("<div typeof=A property=b>".repeat(5000)).nodes.length).toBeGreaterThan(100)
})
