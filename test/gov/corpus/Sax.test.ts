import { describe, expect, it } from "vitest"
import type { Course } from "../../../src/gov/corpus/Reader.ts"
import * as Sax from "../../../src/gov/corpus/Sax.ts"
import { textOf } from "../../../src/gov/corpus/Xml.ts"

/** What a reader hears, where names say what is done: w walks, s skips, others are taken. */
const hear = (chunks: ReadonlyArray<string>, options: Sax.Options = {}) => {
  const heard: Array<string> = []
  const sax = Sax.make(
    {
      open: ({ name }): Course => (name.startsWith("w") ? "walk" : name.startsWith("s") ? "skip" : "take"),
      took: (element, within) =>
        heard.push(`${within.map(({ name }) => name).join("/")}/${element.name}:${element.line}=${textOf(element)}`),
      close: ({ name }) => heard.push(`/${name}`),
      end: () => heard.push("end")
    },
    options
  )
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

  it("in HTML closes as browsers close it", () => {
    const { fault, heard } = hear(["<w><p>one<p>two<br>three</i></w>"], { html: true })

    expect(fault).toBeUndefined()
    expect(heard).toEqual(["w/p:1=one", "w/p:1=twothree", "/w", "end"])
  })
})
