/** A `<math>` element: its text, and its TeX where an annotation has it. */
import type { Attributes } from "./Attributes.ts"
import type { Element } from "./Tree.ts"

export class Formula {
  text = ""
  private tex = ""
  private inTex = false
  private readonly element: Element

  constructor(element: Element) {
    this.element = element
  }

  /** The TeX of the formula; empty where the page has none. */
  get source(): string {
    return this.tex.trim()
  }

  open({ name }: Element, attributes: Attributes): void {
    if (name === "annotation" && /tex/i.test(attributes.get("encoding") ?? "")) this.inTex = true
  }

  /** Whether the formula ends with this element. */
  close(element: Element): boolean {
    if (element.name === "annotation") this.inTex = false
    return element === this.element
  }

  write(value: string): void {
    if (this.inTex) this.tex += value
    else this.text += value
  }
}
