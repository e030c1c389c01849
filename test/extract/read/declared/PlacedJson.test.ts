import { describe, expect, it } from "vitest"
import { documents } from "#extract/read/declared/JsonLd"
import type { Node } from "#extract/read/declared/JsonParser"

const plain = (node: Node): unknown =>
  node._tag === "Plain"
    ? node.data
    : node._tag === "List"
      ? node.items.map(plain)
      : Object.fromEntries(node.entries.map(([name, value]) => [name, plain(value)]))

const read = (text: string): ReadonlyArray<unknown> => documents(text, 0).map(plain)

describe("JSON with places", () => {
  it("reads what is JSON as JSON.parse does", () => {
    const text = ' {"a": [1, -2.5e3, true, null, {}], "b\\u00e9\\n\\"": {"c": "\\/ d, \\"e\\": f"}, "": []} '

    expect(read(text)).toEqual([JSON.parse(text)])
  })

  it("knows where each value stands", () => {
    const text = '{"a": ["one", 2]}'
    const [root] = documents(text, 100)
    const list = root?._tag === "Object" ? root.entries[0]?.[1] : undefined
    const items = list?._tag === "List" ? list.items : []

    expect([root, list, ...items].map((node) => text.slice((node?.from ?? 0) - 100, (node?.to ?? 0) - 100))).toEqual([
      text,
      '["one", 2]',
      '"one"',
      "2"
    ])
  })

  it.each([
    ["a byte order mark", '\ufeff{"a": 1}'],
    ["comments", '// one { \n{"a": /* two */ 1} // three'],
    ["commas too many", '{"a": 1,,},'],
    ["CDATA", '<![CDATA[{"a": 1}]]>'],
    ["CDATA in comments", '//<![CDATA[\n{"a": 1}\n//]]>'],
    ["CDATA in comments on its line", '/*<![CDATA[*/{"a": 1}/*]]>*/'],
    ["an HTML comment around it", '<!-- {"a": 1} -->'],
    ["an HTML comment before it", '<!-- what {this} is -->\n{"a": 1}'],
    ["names without quotes", "{a: 1}"],
    ["a semicolon", '{"a": 1};'],
    ["an end that is missing", '{"a": 1']
  ])("mends %s", (_, text) => {
    expect(read(text)).toEqual([{ a: 1 }])
  })

  it("keeps what looks like a comment in a text", () => {
    expect(read('{"a": "// <!-- b --> /* c */"}')).toEqual([{ a: "// <!-- b --> /* c */" }])
  })

  it("reads raw line ends in a text", () => {
    expect(read('{"a": "one\n\ttwo"}')).toEqual([{ a: "one\n\ttwo" }])
  })

  it("reads quotes in a text where the text cannot end there", () => {
    expect(read('{"a": "the "best", they say", "b": ["4" wide", "c"]}')).toEqual([
      { a: 'the "best", they say', b: ['4" wide', "c"] }
    ])
  })

  it("reads a text that was escaped for HTML", () => {
    expect(read("{&quot;a&quot;: &quot;b&quot;}")).toEqual([{ a: "b" }])
  })

  it("reads on where a comma is missing, and values without quotes", () => {
    expect(read(`{"a": "b" "c": 'd', "e": 12 EUR, "f": undefined, "g": 5}`)).toEqual([
      { a: "b", c: "d", e: "12 EUR", f: null, g: 5 }
    ])
  })

  it("reads several documents in a row", () => {
    expect(read('{"a": 1}{"b": 2}\n[3]')).toEqual([{ a: 1 }, { b: 2 }, [3]])
  })

  it("keeps what came before the break, and leaves out the text that has no end", () => {
    expect(read('{"a": "b", "c": {"d": 1, "e": "f')).toEqual([{ a: "b", c: { d: 1 } }])
  })

  it.each(["", "   ", "window.x", "]", "<p>none</p>"])("finds no object in %j", (text) => {
    expect(read(text).filter((value) => typeof value === "object")).toEqual([])
  })

  it.each([
    ["[".repeat(200_000)],
    ['{"a":'.repeat(100_000)],
    ["<!--{}".repeat(100_000)],
    ['"'.repeat(200_000)],
    [`{"a": "${'", "'.repeat(100_000)}`],
    ["/*".repeat(100_000)],
    ['{"a": 1 '.repeat(100_000)]
  ])("ends soon on an attack", (text) => {
    expect(documents(text, 0).length).toBeLessThan(200_001)
  })
})
