/**
 * Passes one HTML file to a reader, with elements closed as browsers close them. The file is parsed when it is complete, because
 * an end tag can affect elements far before it.
 */
import * as Dom from "#page/Dom"
import type { Opened, Reader } from "../Reader.ts"
import type { Fault, Sax } from "../Sax.ts"
import type { Element } from "../Xml.ts"

/** A page of more characters is not read. */
const maxLength = 64_000_000

export const parserFor = (reader: Reader): Sax => {
  const chunks: Array<string> = []
  let length = 0
  let fault: Fault | undefined
  return {
    write: (text) => {
      if (fault !== undefined) return undefined
      length += text.length
      if (length <= maxLength) chunks.push(text)
      else fault = { line: 1, message: `the page is more than ${maxLength} characters; it is left out` }
      return fault
    },
    end: () => {
      if (fault !== undefined) return undefined
      const html = chunks.join("")
      const page = Dom.parse(html)
      const lines = new Lines(html)
      if (page.children.every(({ _tag }) => _tag === "Text")) return { line: 1, message: "there is no element in it" }
      for (const child of page.children) if (child._tag === "Element") visit(child, [], reader, lines)
      reader.end()
      return undefined
    }
  }
}

const visit = (element: Dom.Element, within: Array<Opened>, reader: Reader, lines: Lines): void => {
  const { name } = element
  const opened = { name, attributes: Object.fromEntries(element.attributes), line: lines.at(element.from) }
  const course = reader.open(opened, within)
  if (course === "take") reader.took(treeOf(element, lines), within)
  if (course !== "walk") return
  within.push(opened)
  for (const child of element.children) if (child._tag === "Element") visit(child, within, reader, lines)
  within.pop()
  reader.close(opened, within)
}

/** As deep as the page, which `Dom.parse` limits. */
const treeOf = (element: Dom.Element, lines: Lines): Element => ({
  name: element.name,
  attributes: Object.fromEntries(element.attributes),
  line: lines.at(element.from),
  children: element.children.map((child) => (child._tag === "Text" ? child.text : treeOf(child, lines)))
})

/** Finds the line of a character. Call it in the order of the page. */
class Lines {
  private readonly html: string
  private line = 1
  private next: number

  constructor(html: string) {
    this.html = html
    this.next = html.indexOf("\n")
  }

  at(index: number): number {
    while (this.next !== -1 && this.next < index) {
      this.line++
      this.next = this.html.indexOf("\n", this.next + 1)
    }
    return this.line
  }
}
