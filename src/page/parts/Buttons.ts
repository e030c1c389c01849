/**
 * Buttons that are titles: the title of a collapsible section is often a button inside a heading, or around one.
 *
 * Other buttons are controls, and their text is left out. So is the text of a button before the heading in it.
 */
import type { Element } from "../tree/Tree.ts"

export class Buttons {
  private heading: Element | undefined
  private headingHasText = false
  /** The button that is being left out, and the open elements in it, if they are left out only because of the button. */
  private chain: Array<Element> = []

  openHeading(element: Element): void {
    this.heading = element
    this.headingHasText = false
  }

  /** Whether this is a button in a heading without other text. A button after the text of a heading is a control. */
  isTitle(name: string): boolean {
    return name === "button" && this.heading !== undefined && !this.headingHasText
  }

  /** Takes text that is not left out. */
  text(value: string): void {
    if (this.heading !== undefined && !this.headingHasText && value.trim() !== "") this.headingHasText = true
  }

  /** An element is left out, inside `depth - 1` others. `hides`: it would be left out outside the button, too. */
  leaveOut(element: Element, depth: number, hides: boolean): void {
    if (depth === 1) this.chain = element.name === "button" ? [element] : []
    else if (this.chain.length === depth - 1 && !hides) this.chain.push(element)
  }

  /**
   * A heading begins in what is left out. If only a button hides it, the open elements are read after all: returns how many
   * these are.
   */
  reopen(depth: number): number {
    if (depth === 0 || this.chain.length !== depth) return 0
    for (const element of this.chain) {
      element.skipped = false
      element.silent = true
    }
    this.chain = []
    return depth
  }

  close(element: Element): void {
    if (this.heading === element) this.heading = undefined
    if (this.chain.at(-1) === element) this.chain.pop()
  }
}
