/**
 * Writes elements as Markdown while they open and close: CommonMark with the tables, task lists and strikethrough of GitHub.
 *
 * `Flow` writes blocks, `Phrasing` writes the elements inside a line, and `Pre` writes code blocks.
 */
import type { Attributes } from "../Attributes.ts"
import type { Keeps } from "../content/MainContent.ts"
import { BLOCK } from "../Elements.ts"
import type { Budget } from "../tree/Budget.ts"
import type { Element } from "../tree/Tree.ts"
import { Flow } from "./Flow.ts"
import { Inline } from "./Inline.ts"
import { Phrasing } from "./Phrasing.ts"
import { Pre } from "./Pre.ts"

export class Markdown {
  private readonly inline = new Inline()
  private readonly flow: Flow
  private readonly phrasing = new Phrasing(this.inline)
  private pre: Pre | undefined

  constructor(budget: Budget) {
    this.flow = new Flow(this.inline, budget)
  }

  /** The following text is in this block of the page. */
  place(block: number): void {
    this.flow.place(block)
  }

  text(value: string): void {
    if (this.pre === undefined) this.phrasing.text(value)
    else this.pre.text(value)
  }

  /** Ends the paragraph. */
  separate(): void {
    if (this.pre !== undefined) return
    this.phrasing.endCode()
    this.flow.paragraph()
  }

  /** Writes the TeX of a formula between dollar signs. */
  math(source: string): void {
    if (this.pre === undefined) this.inline.put(`$${source}$`)
  }

  /** `address`: the absolute address of a link or an image; undefined: it has none, or one that is not useful. */
  open(element: Element, attributes: Attributes, address: string | undefined): void {
    if (this.pre !== undefined) return this.pre.open(element, attributes)
    if ((element.kind.flags & BLOCK) === 0) return this.openPhrase(element, attributes, address)
    this.phrasing.endCode()
    if (this.flow.open(element, attributes) && codeBlocks.has(element.name)) {
      this.pre = new Pre(element, attributes, this.flow.language)
    }
  }

  close(element: Element): void {
    if (this.pre !== undefined) {
      if (this.pre.element !== element) return
      this.flow.code(this.pre.finish())
      this.pre = undefined
    } else if ((element.kind.flags & BLOCK) !== 0) {
      this.phrasing.endCode()
      this.flow.close(element)
    } else this.phrasing.close(element)
  }

  finish(keeps: Keeps): string {
    this.phrasing.endCode()
    return this.flow.finish(keeps)
  }

  private openPhrase(element: Element, attributes: Attributes, address: string | undefined): void {
    switch (element.name) {
      case "br":
        if (this.flow.inHeading) this.inline.space()
        else if (!this.phrasing.break()) this.flow.paragraph()
        return
      case "input":
        if (attributes.get("type")?.toLowerCase() === "checkbox") this.flow.task(attributes.has("checked"))
        return
      case "code":
        this.flow.noteLanguage(element, attributes)
    }
    this.phrasing.open(element, attributes, address, this.flow.inHeading)
  }
}

const codeBlocks = new Set(["pre", "listing", "xmp"])
