/**
 * Elements of the page.
 *
 * Guarantee: values of tables are data. They become text nodes and attributes, and never HTML.
 */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export const el = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag)
  set(made, attributes)
  made.append(...children)
  return made
}

export const svg = (
  tag: string,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Node | string>
): SVGElement => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag)
  set(made, attributes)
  made.append(...children)
  return made
}

const set = (made: Element, attributes: Attributes): void => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    made.setAttribute(name, value === true ? "" : String(value))
  }
}

/** What a screen reader says when it changes. */
export const status = (): HTMLParagraphElement => el("p", { class: "soft", role: "status" })

export const problem = (error: unknown): HTMLParagraphElement =>
  el("p", { class: "error", role: "alert" }, error instanceof Error ? error.message : String(error))

export const button = (label: string | Node, press: () => void, attributes: Attributes = {}): HTMLButtonElement => {
  const made = el("button", { type: "button", ...attributes }, label)
  made.addEventListener("click", press)
  return made
}

/** A choice of texts, and what it is of. */
export const choice = (
  label: string,
  options: ReadonlyArray<readonly [value: string, text: string]>,
  chosen: string | undefined
): { readonly label: HTMLLabelElement; readonly select: HTMLSelectElement } => {
  const select = el("select")
  for (const [value, text] of options) select.append(el("option", { value, selected: value === chosen }, text))
  return { label: el("label", {}, label, select), select }
}

export const count = (n: number): string => n.toLocaleString("en-US")

export const counted = (rows: number): string => `${count(rows)} ${rows === 1 ? "row" : "rows"}`

/** A link that opens beside this page; undefined: the value is not the address of a web page. */
export const outerLink = (value: string, ...children: ReadonlyArray<Node | string>): HTMLAnchorElement | undefined =>
  /^https?:\/\/\S+$/i.test(value) && URL.canParse(value)
    ? el("a", { href: value, target: "_blank", rel: "noopener noreferrer" }, ...children)
    : undefined

/** A link, where a value is the address of a web page; otherwise its text. */
export const linked = (value: string): Node => outerLink(value, value) ?? document.createTextNode(value)

export const tableOf = (
  caption: string,
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Node | string | number>>
): HTMLElement => {
  const cell = (value: Node | string | number) =>
    typeof value === "number" ? el("td", { class: "number" }, count(value)) : el("td", { class: "text" }, value)
  const isNumber = (at: number) => typeof rows[0]?.[at] === "number"
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    el(
      "table",
      {},
      el("caption", {}, caption),
      el(
        "thead",
        {},
        el("tr", {}, ...heads.map((head, at) => el("th", { scope: "col", class: isNumber(at) && "number" }, head)))
      ),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map(cell))))
    )
  )
}

/** Characters of a cell before its first mark: more of them would move the mark out of sight. */
const before = 12
const seen = 24

/** More of them would let the browser stall, and nobody goes through them. */
const mostMarks = 1000

/** A text as nodes; where nothing is marked in it, it is one. */
export const markedNodes = (text: string, marks: RegExp): ReadonlyArray<Node | string> => {
  const nodes: Array<Node | string> = []
  let from = 0
  for (const { 0: word, index } of text.matchAll(marks)) {
    if (index > from) nodes.push(text.slice(from, index))
    nodes.push(el("mark", {}, word))
    from = index + word.length
    if (nodes.length > 2 * mostMarks) break
  }
  if (from < text.length) nodes.push(text.slice(from))
  return nodes
}

/** A text from shortly before its first mark, if that stands far from the beginning. */
export const fromFirstMark = (text: string, marks: RegExp, shown = seen, lead = before): string => {
  const at = text.search(marks)
  return at <= shown ? text : `…${text.slice(at - lead).toWellFormed()}`
}
