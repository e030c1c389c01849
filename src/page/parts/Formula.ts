/**
 * A `<math>` element: its text in one line, and its TeX if an annotation contains it.
 *
 * The plain text of the element would mean something else: one half would be "12", and 10³ would be "103".
 */
import type { Attributes } from "../Attributes.ts"
import type { Element } from "../tree/Tree.ts"

/** An open element of the formula. */
interface Part {
  readonly name: string
  text: string
  /** The text of each child: its meaning depends on its position, as numerator and denominator do. */
  readonly children: Array<string>
}

export class Formula {
  private readonly root: Part = { name: "math", text: "", children: [] }
  private readonly parts: Array<Part> = []
  private tex = ""
  private inTex = false
  private readonly element: Element

  constructor(element: Element) {
    this.element = element
  }

  /** The TeX of the formula; empty: the page has none. */
  get source(): string {
    return this.tex.trim()
  }

  get text(): string {
    return this.root.text
  }

  open(element: Element, attributes: Attributes): void {
    if (element === this.element) return
    const { name } = element
    if (name === "annotation" && /tex/i.test(attributes.get("encoding") ?? "")) this.inTex = true
    this.parts.push({ name, text: "", children: [] })
  }

  /** Returns true if the element is the formula itself. */
  close(element: Element): boolean {
    if (element === this.element) return true
    if (element.name === "annotation") this.inTex = false
    const part = this.parts.pop()
    if (part !== undefined && !annotations.has(part.name)) {
      const text = written(part)
      const around = this.top()
      around.text += text
      around.children.push(text.trim())
    }
    return false
  }

  write(value: string): void {
    if (this.inTex) this.tex += value
    else this.top().text += value
  }

  private top(): Part {
    return this.parts.at(-1) ?? this.root
  }
}

/** They repeat the formula for programs, so they are not text. */
const annotations = new Set(["annotation", "annotation-xml"])

const written = ({ children, name, text }: Part): string => {
  const [first = "", second = "", third = ""] = children
  switch (name) {
    case "mfrac":
      return children.length === 2 ? `${together(first)}/${together(second)}` : text
    case "msqrt":
      return `√${together(text.trim())}`
    case "mroot":
      return children.length === 2 ? `${together(first)}^(1/${second})` : text
    case "msub":
    case "munder":
      return children.length === 2 ? first + raised("_", second) : text
    case "msup":
    case "mover":
      return children.length === 2 ? first + raised("^", second) : text
    case "msubsup":
    case "munderover":
      return children.length === 3 ? first + raised("_", second) + raised("^", third) : text
    case "mtd":
    case "mtr":
      return `${text} `
    default:
      return text
  }
}

/** A sub- or superscript. A mark such as a prime or a bar needs no sign before it. */
const raised = (sign: string, text: string): string => (mark.test(text) ? text : sign + together(text))

const together = (text: string): string => (text.length <= maxWord && word.test(text) ? text : `(${text})`)

const maxWord = 32
const word = /^[\p{L}\p{N}.,]+$|^.$/u
const mark = /^[′″‴¯ˉ˙¨^~→←*]$/u
