/**
 * As much of a document as Observable Plot needs to draw: elements of SVG in a tree, written as text at the end.
 *
 * Plot draws into any document. A whole one for the server takes as much room as Plot and all of D3; what Plot really calls
 * is here. Every text and every attribute is escaped when it is written, so no value of a row can become markup.
 */
import { plain } from "./html.ts"

const svgSpace = "http://www.w3.org/2000/svg"

export class SvgElement {
  readonly nodeType = 1
  readonly tagName: string
  readonly namespaceURI: string
  readonly ownerDocument: SvgDocument
  readonly style = { setProperty: () => undefined }
  readonly childNodes: Array<SvgElement | string> = []
  parentNode: SvgElement | null = null
  private readonly attributes = new Map<string, string>()

  constructor(name: string, space: string, document: SvgDocument) {
    this.tagName = name
    this.namespaceURI = space
    this.ownerDocument = document
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value))
  }
  setAttributeNS(_space: string, name: string, value: unknown): void {
    this.setAttribute(name, value)
  }
  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null
  }
  hasAttribute(name: string): boolean {
    return this.attributes.has(name)
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name)
  }
  appendChild(child: SvgElement | string): SvgElement | string {
    return this.insertBefore(child, null)
  }
  append(...children: ReadonlyArray<SvgElement | string>): void {
    for (const child of children) this.insertBefore(child, null)
  }
  insertBefore(child: SvgElement | string, next: SvgElement | string | null): SvgElement | string {
    if (child instanceof SvgElement) {
      child.parentNode?.removeChild(child)
      child.parentNode = this
    }
    const at = next === null ? -1 : this.childNodes.indexOf(next)
    if (at < 0) this.childNodes.push(child)
    else this.childNodes.splice(at, 0, child)
    return child
  }
  removeChild(child: SvgElement | string): SvgElement | string {
    const at = this.childNodes.indexOf(child)
    if (at >= 0) this.childNodes.splice(at, 1)
    return child
  }
  get firstChild(): SvgElement | string | null {
    return this.childNodes[0] ?? null
  }
  get textContent(): string {
    return this.childNodes.map((child) => (typeof child === "string" ? child : child.textContent)).join("")
  }
  set textContent(text: string) {
    this.childNodes.splice(0, this.childNodes.length, String(text))
  }
  querySelector(): null {
    return null
  }
  querySelectorAll(): ReadonlyArray<SvgElement> {
    return []
  }

  /**
   * As text. Plot's own style sheet is left out: the report has one for all charts. Labels of its groups are left out too:
   * the whole is one image with a title and a description.
   */
  toText(isInner = false): string {
    if (this.tagName === "style") return ""
    const attributes = [...this.attributes]
      .filter(([name]) => !isInner || !name.startsWith("aria-"))
      .map(([name, value]) => ` ${name}="${plain(value.replace(/\d+\.\d{3,}/g, short))}"`)
    const children = this.childNodes.map((child) => (typeof child === "string" ? plain(child) : child.toText(true)))
    return `<${this.tagName}${attributes.join("")}>${children.join("")}</${this.tagName}>`
  }
}

/** A hundredth of a pixel is enough. */
const short = (number: string): string => String(Number(Number(number).toFixed(2)))

export class SvgDocument {
  /** D3 asks it for the document, and for the namespace of names without one. */
  readonly documentElement: { readonly namespaceURI: string; readonly ownerDocument: SvgDocument } = {
    namespaceURI: "http://www.w3.org/1999/xhtml",
    ownerDocument: this
  }

  createElementNS(space: string, name: string): SvgElement {
    return new SvgElement(name, space, this)
  }
  createElement(name: string): SvgElement {
    return new SvgElement(name, svgSpace, this)
  }
  createTextNode(text: string): string {
    return String(text)
  }
}
