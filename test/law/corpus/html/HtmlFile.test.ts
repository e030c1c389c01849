import { describe, expect, it } from "vitest"
import * as HtmlFile from "#law/corpus/html/HtmlFile"
import type { Course } from "#law/corpus/Reader"
import { textOf } from "#law/corpus/Xml"

/** What a reader hears, where names say what is done: w walks, s skips, others are taken. */
const hear = (chunks: ReadonlyArray<string>) => {
  const heard: Array<string> = []
  const file = HtmlFile.parserFor({
    open: ({ name }): Course => (name.startsWith("w") ? "walk" : name.startsWith("s") ? "skip" : "take"),
    took: (element, within) =>
      heard.push(`${within.map(({ name }) => name).join("/")}/${element.name}:${element.line}=${textOf(element)}`),
    close: ({ name }) => heard.push(`/${name}`),
    end: () => heard.push("end")
  })
  for (const chunk of chunks) file.write(chunk)
  return { heard, fault: file.end() }
}

describe("an HTML file through a reader", () => {
  it("closes as browsers close it", () => {
    const { fault, heard } = hear(["<w><p>one<p>two<br>three</i></w>"])

    expect(fault).toBeUndefined()
    expect(heard).toEqual(["w/p:1=one", "w/p:1=twothree", "/w", "end"])
  })

  it("is walked, taken and left out as the reader says, with lines, however it is cut", () => {
    const html =
      "<!doctype html>\n<w>\n<section><p>no</section>\n<p a=1>one\n<b>two</b> &amp; three</p><w2><i></i></w2></w>"

    expect(hear([...html])).toEqual(hear([html]))
    expect(hear([html]).heard).toEqual(["w/p:4=one two & three", "w/w2/i:5=", "/w2", "/w", "end"])
  })

  it("has no text of elements that hold programs for markup", () => {
    expect(hear(["<w><p>a</p><title>1 < 2</title><script>if (a < b) '<p>'</script></w>"]).heard).toEqual([
      "w/p:1=a",
      "w/title:1=1 < 2",
      "/w",
      "end"
    ])
  })

  it("without an element is a fault", () => {
    expect(hear(["words\n"])).toEqual({ heard: [], fault: { line: 1, message: "there is no element in it" } })
  })

  it("is no deeper than browsers make it, however deep it is written", () => {
    const { fault, heard } = hear([`<w>${"<div>".repeat(100_000)}x`])

    expect(fault).toBeUndefined()
    expect(heard).toEqual(["w/div:1=x", "/w", "end"])
  })

  it("that is too long is given up at once", () => {
    const file = HtmlFile.parserFor({
      open: () => "take",
      took: () => undefined,
      close: () => undefined,
      end: () => undefined
    })
    const chunk = "x".repeat(16_000_001)

    expect([chunk, chunk, chunk].map((text) => file.write(text))).toEqual([undefined, undefined, undefined])
    expect(file.write(chunk)).toEqual({ line: 1, message: "the page is more than 64000000 characters; it is left out" })
    expect([file.write(chunk), file.end()]).toEqual([undefined, undefined])
  })
})
