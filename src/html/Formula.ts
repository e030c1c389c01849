/**
 * A `<math>` element: its text in one line, and its TeX where an annotation has it.
 *
 * The letters alone would say something else: a half would be 12, and ten to the third 103.
 */
import type { Attributes } from "./Attributes.ts"
import type { Element } from "./Tree.ts"

/** An element that is open. */
interface Part {
  readonly name: string
  text: string
  /** What its elements say, one by one: the place of an element is its meaning. */
  readonly said: Array<string>
}

export class Formula {
  private readonly root: Part = { name: "math", text: "", said: [] }
  private readonly parts: Array<Part> = []
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

  get text(): string {
    return this.root.text
  }

  open(element: Element, attributes: Attributes): void {
    if (element === this.element) return
    const { name } = element
    if (name === "annotation" && /tex/i.test(attributes.get("encoding") ?? "")) this.inTex = true
    this.parts.push({ name, text: "", said: [] })
  }

  /** Whether the formula ends with this element. */
  close(element: Element): boolean {
    if (element === this.element) return true
    if (element.name === "annotation") this.inTex = false
    const part = this.parts.pop()
    if (part !== undefined && !annotations.has(part.name)) {
      const text = written(part)
      const around = this.top()
      around.text += text
      around.said.push(text.trim())
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

/** They say the formula once more, for a program. */
const annotations = new Set(["annotation", "annotation-xml"])

const written = ({ name, said, text }: Part): string => {
  const [first = "", second = "", third = ""] = said
  switch (name) {
    case "mfrac":
      return said.length === 2 ? `${together(first)}/${together(second)}` : text
    case "msqrt":
      return `√${together(text.trim())}`
    case "mroot":
      return said.length === 2 ? `${together(first)}^(1/${second})` : text
    case "msub":
    case "munder":
      return said.length === 2 ? first + raised("_", second) : text
    case "msup":
    case "mover":
      return said.length === 2 ? first + raised("^", second) : text
    case "msubsup":
    case "munderover":
      return said.length === 3 ? first + raised("_", second) + raised("^", third) : text
    case "mtd":
    case "mtr":
      return `${text} `
    default:
      return text
  }
}

/** A mark of its own, such as a prime or a bar, needs no sign that it is raised. */
const raised = (sign: string, text: string): string => (mark.test(text) ? text : sign + together(text))

const together = (text: string): string => (text.length <= maxWord && word.test(text) ? text : `(${text})`)

const maxWord = 32
const word = /^[\p{L}\p{N}.,]+$|^.$/u
const mark = /^[′″‴¯ˉ˙¨^~→←*]$/u
