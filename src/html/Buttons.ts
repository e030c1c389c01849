/**
 * Buttons that are headings: a part of a page that folds has its title on one, inside a heading or around it.
 *
 * Other buttons are controls, and nothing of them is text of the page. What a button says before its heading is left out.
 */
import type { Element } from "./Tree.ts"

export class Buttons {
  private heading: Element | undefined
  private headingSays = false
  /** The button that is left out, and the elements in it that are open, if nothing but the button hides them. */
  private chain: Array<Element> = []

  openHeading(element: Element): void {
    this.heading = element
    this.headingSays = false
  }

  /** Whether this button is the title of a heading: one that says something already has a control beside it. */
  isTitle(name: string): boolean {
    return name === "button" && this.heading !== undefined && !this.headingSays
  }

  /** Text that is not left out. */
  text(value: string): void {
    if (this.heading !== undefined && !this.headingSays && value.trim() !== "") this.headingSays = true
  }

  /** An element was left out, so many deep; `hides`: it would be for its own sake. */
  leaveOut(element: Element, depth: number, hides: boolean): void {
    if (depth === 1) this.chain = element.name === "button" ? [element] : []
    else if (this.chain.length === depth - 1 && !hides) this.chain.push(element)
  }

  /** A heading stands in what is left out: how many of the elements that are open are not, after all. */
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
