import { describe, expect, it } from "vitest"
import type { Course } from "#law/corpus/Reader"
import * as Sax from "#law/corpus/Sax"
import { textOf } from "#law/corpus/Xml"

/** What a reader hears, where names say what is done: w walks, s skips, others are taken. */
const hear = (chunks: ReadonlyArray<string>) => {
  const heard: Array<string> = []
  const sax = Sax.parserFor({
    open: ({ name }): Course => (name.startsWith("w") ? "walk" : name.startsWith("s") ? "skip" : "take"),
    took: (element, within) =>
      heard.push(`${within.map(({ name }) => name).join("/")}/${element.name}:${element.line}=${textOf(element)}`),
    close: ({ name }) => heard.push(`/${name}`),
    end: () => heard.push("end")
  })
  let fault: Sax.Fault | undefined
  for (const chunk of chunks) fault ??= sax.write(chunk)
  return { heard, fault: fault ?? sax.end() }
}

describe("a file through a reader", () => {
  it("is walked, taken and left out as the reader says, with lines", () => {
    const { fault, heard } = hear(["<w>\n<s><t>no</t></s>\n<t a='1'>one <b>two</b></t><w2><t/></w2></w>"])

    expect(fault).toBeUndefined()
    expect(heard).toEqual(["w/t:3=one two", "w/w2/t:3=", "/w2", "/w", "end"])
  })

  it("is the same however it is cut", () => {
    const xml = "<?xml version='1.0'?>\n<w><t>a &amp; b\n<!-- c --><![CDATA[<d>]]></t>\n<t>e</t></w>\n"

    expect(hear([...xml])).toEqual(hear([xml]))
    expect(hear([xml]).heard).toEqual(["w/t:2=a & b <d>", "w/t:4=e", "/w", "end"])
  })

  it.each([
    ["<w><t>a</w>", 1, "<t>, which opens in line 1, is not closed"],
    ["<w>\n<t>a</t>", 1, "<w>, which opens in line 1, is not closed"],
    ["<w>\n</x></w>", 2, "an end tag closes nothing that is open"],
    ["<w/>\n<w/>", 2, "<w> stands after the end of the document"],
    ["<w/>\nwords", 2, "text stands outside of the document"],
    ["  \n", 1, "there is no element in it"]
  ])("that does not close as it opened is a fault with its line: %j", (xml, line, message) => {
    const { fault, heard } = hear([xml])

    expect(fault?.message).toBe(message)
    expect(heard).not.toContain("end")
    if (!message.endsWith("is not closed") && line > 1) expect(fault?.line).toBe(line)
  })

  it("says nothing more after a fault", () => {
    expect(hear(["<w></x>", "<t>a</t></w>"]).heard).toEqual([])
  })

  it("has heard what ended before a fault, in the same chunk too", () => {
    expect(hear(["<w><t>a</t></x>"]).heard).toEqual(["w/t:1=a"])
    expect(hear(["<w></w></x>"])).toEqual({
      heard: ["/w"],
      fault: { line: 1, message: "an end tag closes nothing that is open" }
    })
  })

  it("is left out where one section has more than 16 million characters", () => {
    const parts = Array.from({ length: 16 }, () => `${"a".repeat(1_000_000)}<b/>`)

    expect(hear(["<w><t>", ...parts, "</t></w>"]).fault).toBeUndefined()
    expect(hear(["<w><t>", ...parts, "a</t></w>"]).fault).toEqual({
      line: 1,
      message: "one section is more than 16000000 characters; it is left out"
    })
  })

  it("has the line of a start tag, wherever the tag goes on", () => {
    expect(hear(["<w\n a='1'\n>\r\n<t\r\n\r\n>x</t></w>"]).heard).toEqual(["w/t:4=x", "/w", "end"])
  })

  it("has references to entities that XML does not have as they are written", () => {
    const { fault, heard } = hear(["<w><t a='&x;'>&sect;&nbsp;5 &lt; &constructor; &#167;</t></w>"])

    expect(fault).toBeUndefined()
    expect(heard).toEqual(["w/t:1=&sect;&nbsp;5 < &constructor; \u00a7", "/w", "end"])
  })

  it.each([
    ["<w>\n<t a=1>x</t></w>", 2, "it is not well-formed XML: unquoted attribute value, in column 6"],
    ["<w>\n<t>a < b</t></w>", 2, "it is not well-formed XML: disallowed character in tag name, in column 7"],
    ["<w>\n<t>a & b;</t></w>", 2, "it is not well-formed XML: disallowed character in entity name, in column 9"],
    ["<w>\n<t a='1' a='2'>x</t></w>", 2, "it is not well-formed XML: duplicate attribute: a, in column 15"]
  ])("that is not well-formed is a fault with its line and column: %j", (xml, line, message) => {
    const { fault, heard } = hear([xml])

    expect(fault).toEqual({ line, message })
    expect(heard).toEqual([])
  })
})
