/**
 * Examples of code on a page, as written: each block of it is one value, and all are a list with their languages.
 *
 * White space and line breaks are part of code; line numbers beside it are not.
 */

import { type Element, textOf } from "#page/Dom"
import type { Group, Property, Thing } from "../../Candidates.ts"
import { Budget } from "../../page/Budget.ts"
import { maxText, type Page, thing } from "../../page/Page.ts"

interface Code {
  readonly properties: ReadonlyArray<Property>
  readonly groups: ReadonlyArray<Group>
}

export const read = (page: Page, most = 200): Code => {
  const room = new Budget(most)
  const properties: Array<Property> = []
  const things: Array<Thing> = []
  for (const element of page.elements) {
    if (element.name !== "pre" || !element.isVisible || page.isApart(element)) continue
    const text = writtenIn(element)
      .replace(/^(?:[ \t]*\r?\n)+/, "")
      .trimEnd()
    if (!/[^\d\s]/.test(text)) continue
    if (!room.take()) break
    const property: Property = { name: "code sample", value: page.value("text", text, element) }
    const sample = thing(page.source("text", element))
    sample.properties.push(property)
    const language = languageOf(element)
    if (language !== undefined)
      sample.properties.push({ name: "language", value: page.attribute("text", language, element) })
    properties.push(property)
    things.push(sample)
  }
  const [first] = things
  const last = things.at(-1)
  if (first === undefined || last === undefined || things.length < 2) return { properties, groups: [] }
  const source = { kind: "text", path: "", span: [first.source.span[0], last.source.span[1]] } as const
  return { properties, groups: [{ source, things, name: "code samples" }] }
}

const writtenIn = (element: Element): string => {
  let text = ""
  const visit = (parent: Element): void => {
    for (const node of parent.children) {
      if (text.length > maxText) return
      if (node._tag === "Text") text += node.text
      else if (node.name === "br") text += "\n"
      else if (node.isVisible) visit(node)
    }
  }
  visit(element)
  return text
}

/** `language-ruby` of the block, of the code in it, or of what is around it. */
const languageOf = (element: Element): string | undefined => {
  const code = element.children.find((child) => child._tag === "Element" && textOf(child, 1) !== "")
  for (const one of [code?._tag === "Element" ? code : undefined, element, element.parent, element.parent?.parent]) {
    const found = /(?:^|\s)(?:lang|language|highlight-source)-([\w+#-]{1,30})/.exec(
      one?.attributes.get("class") ?? ""
    )?.[1]
    if (found !== undefined) return found
  }
  return undefined
}
