import { describe, expect, it, test } from "vitest"
import { Page } from "#extract/page/Page"
import { graphOf, read } from "#extract/read/declared/Rdfa"
import { outline, pairs } from "../outline.ts"

const rdfa = (html: string) => read(new Page(html, "https://site.test/a/b"))
const things = (html: string) => rdfa(html).things.map(outline)

describe("RDFa", () => {
  it("becomes things with their parts", () => {
    expect(
      things(`<div vocab="https://schema.org/" typeof="Product" resource="#it"><h1 property=name>Anvil</h1>
        <div property=offers typeof=Offer><meta property=priceCurrency content=EUR><b property="price lowPrice">5</b>
        <link property=availability href="https://schema.org/InStock"></div></div>`)
    ).toEqual([
      {
        type: "Product",
        id: "https://site.test/a/b#it",
        name: "Anvil",
        offers: {
          type: "Offer",
          priceCurrency: "EUR",
          price: "5",
          lowPrice: "5",
          availability: "https://schema.org/InStock"
        }
      }
    ])
  })

  it("reads what is about something elsewhere, and relations in both directions", () => {
    expect(
      things(`<div prefix="f: http://xmlns.com/foaf/0.1/"><p about="#a" typeof="f:Person"><b property="f:name">A</b></p>
        <p about="#b" typeof="f:Person" rel="f:knows" resource="#a"></p><p about="#c" rev="f:maker" resource="#d"></p></div>`)
    ).toEqual([
      {
        type: "Person",
        id: "https://site.test/a/b#b",
        knows: { type: "Person", id: "https://site.test/a/b#a", name: "A" }
      },
      { id: "https://site.test/a/b#d", maker: "https://site.test/a/b#c" }
    ])
  })

  it("gives a relation without an object what stands in it", () => {
    expect(
      things(
        '<div vocab="https://schema.org/" typeof=Event><ul rel=performer><li typeof=Person><i property=name>A</i></li><li typeof=Person><i property=name>B</i></li></ul></div>'
      )
    ).toEqual([
      {
        type: "Event",
        performer: [
          { type: "Person", name: "A" },
          { type: "Person", name: "B" }
        ]
      }
    ])
  })

  it("gives a link its text and where it leads, an address where the name says so", () => {
    const [thing] = rdfa(
      '<p vocab="https://schema.org/" typeof=Book><a property=author href=/jo>Jo</a><a property=url href=/b>b</a></p>'
    ).things

    expect(thing?.properties.map(({ value }) => value)).toMatchObject([
      { data: "Jo", href: "https://site.test/jo" },
      { data: "https://site.test/b" }
    ])
  })

  it("keeps what the page says of itself apart, what is in the head from what is not", () => {
    const {
      things: none,
      loose,
      head
    } = rdfa('<head><meta property="og:title" content=T></head><body><b property="dc:creator">Jo</b></body>')

    expect([none, pairs(loose), pairs(head)]).toEqual([[], { creator: "Jo" }, { title: "T" }])
  })

  it("is a thing where the page has a type", () => {
    expect(
      things('<html><body vocab="https://schema.org/" typeof=WebPage><h1 property=name>N</h1></body></html>')
    ).toEqual([{ type: "WebPage", id: "https://site.test/a/b", name: "N" }])
  })

  it("never puts a thing into itself, and says nothing twice", () => {
    expect(
      things(
        '<div vocab=x/><p about="#a" typeof=A><i rel=x resource="#b"></i><i rel=x resource="#b"></i></p><p about="#b" typeof=B><i rel=y resource="#a"></i></p></div>'
      )
    ).toEqual([
      {
        type: "A",
        id: "https://site.test/a/b#a",
        x: { type: "B", id: "https://site.test/a/b#b", y: "https://site.test/a/b#a" }
      }
    ])
  })

  it("reads relations of HTML as nothing", () => {
    expect(
      things('<div vocab="https://schema.org/"><a rel=nofollow href=x>x</a><a rel=next href=y>y</a></div>')
    ).toEqual([])
  })
})

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
