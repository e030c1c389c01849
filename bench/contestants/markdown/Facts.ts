/**
 * What a reader finds on a page of HTML: words in their order, links, headings, rows of tables, lines of code blocks.
 *
 * Nothing here is ours but the counting. Pages are parsed by parse5, Markdown is rendered by markdown-it, and both are
 * counted by the same walk. What no reader sees is not counted: scripts, styles, `hidden`, `display: none`.
 */
import { peer } from "../peer.ts"

const [{ parse }, { default: MarkdownIt }] = await Promise.all([peer("parse5"), peer("markdown-it")])
const renderer = MarkdownIt({ html: true })
// Which addresses are safe is not asked here.
renderer.validateLink = () => true

export const parts = ["words", "links", "headings", "rows", "code"] as const
export type Part = (typeof parts)[number]
/** How often each was found. */
export type Facts = Readonly<Record<Part, ReadonlyMap<string, number>>>

interface Node {
  readonly nodeName: string
  readonly value?: string
  readonly attrs?: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly childNodes?: ReadonlyArray<Node>
}

export const ofMarkdown = (markdown: string, url: string): Facts => ofNode(parse(renderer.render(markdown)), url)

/**
 * What the page shows, and what it says to one who listens: without what it marks `aria-hidden`, without the labels of its
 * buttons, and with tables of the role `presentation` as the layout that they are. Which of the two Markdown should be is a
 * matter of taste. A heading on a button or around it is a heading in both.
 */
export const ofHtml = (html: string, url: string): ReadonlyArray<Facts> => {
  const root: Node = parse(html)
  return [ofNode(root, url), ofNode(spoken(root), url)]
}

const spoken = (node: Node): Node => {
  if (node.childNodes === undefined) return node
  const children = node.childNodes.filter(
    (child) =>
      attribute(child, "aria-hidden") !== "true" &&
      (child.nodeName !== "button" || heading.test(node.nodeName) || headings.some((name) => holds(child, name)))
  )
  const isLayout = node.nodeName === "table" && attribute(node, "role") === "presentation"
  return { ...node, nodeName: isLayout ? "div" : node.nodeName, childNodes: children.map(spoken) }
}

const ofNode = (root: Node, url: string): Facts => {
  const found: Record<Part, Array<string>> = { words: [], links: [], headings: [], rows: [], code: [] }
  const visit = (node: Node): void => {
    if (isUnseen(node)) return
    const { nodeName: name } = node
    if (name === "a") {
      const href = attribute(node, "href")
      const words = wordsOf(textOf(node)).join(" ")
      if (href !== undefined && (words !== "" || holds(node, "img")))
        found.links.push(`${absolute(href, url)} ${words}`)
    } else if (heading.test(name)) {
      const words = wordsOf(textOf(node)).join(" ")
      if (words !== "") found.headings.push(`${name} ${words}`)
    } else if (name === "pre") {
      // White space is white space: some pages keep their indentation with other signs for it.
      for (const line of textOf(node, true).replaceAll("\u00a0", " ").split("\n"))
        if (line.trim() !== "") found.code.push(line.trimEnd())
    } else if (name === "table") {
      const rows = rowsOf(node)
      // One row alone is a layout.
      if (rows.length > 1) found.rows.push(...rows)
    }
    for (const child of node.childNodes ?? []) visit(child)
  }
  visit(root)
  return {
    words: counted(shingles(wordsOf(textOf(root)))),
    links: counted(found.links),
    headings: counted(found.headings),
    rows: counted(found.rows),
    code: counted(found.code)
  }
}

/** F1 of what was found against what is there; undefined where both have nothing. */
export const likeness = (
  truth: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>
): number | undefined => {
  let [wanted, got, both] = [0, 0, 0]
  for (const [key, count] of truth) {
    wanted += count
    both += Math.min(count, found.get(key) ?? 0)
  }
  for (const count of found.values()) got += count
  return wanted + got === 0 ? undefined : (2 * both) / (wanted + got)
}

/** The rows of two cells and more that say something, not those of tables inside. */
const rowsOf = (node: Node): ReadonlyArray<string> =>
  (node.childNodes ?? []).flatMap((child) => {
    if (child.nodeName !== "tr") return tableParts.has(child.nodeName) ? rowsOf(child) : []
    const cells = (child.childNodes ?? []).filter(({ nodeName }) => nodeName === "td" || nodeName === "th")
    const texts = cells.map((cell) => wordsOf(textOf(cell)).join(" ")).filter((text) => text !== "")
    return texts.length > 1 ? [texts.join(" | ")] : []
  })

const holds = (node: Node, name: string): boolean =>
  (node.childNodes ?? []).some((child) => child.nodeName === name || holds(child, name))

const isUnseen = (node: Node): boolean =>
  unseen.has(node.nodeName) ||
  (node.nodeName === "a" && isAnchor(node)) ||
  attribute(node, "hidden") !== undefined ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribute(node, "style") ?? "")

/** The sign beside a heading or a definition that links to it: an address, no words of the page. */
const isAnchor = (node: Node): boolean =>
  attribute(node, "href")?.includes("#") === true && anchors.has(rawTextOf(node).trim())

const rawTextOf = (node: Node): string => node.value ?? (node.childNodes ?? []).map(rawTextOf).join("")

const attribute = ({ attrs }: Node, name: string) => attrs?.find((each) => each.name === name)?.value

const textOf = (node: Node, isCode = false): string => {
  if (node.nodeName === "#text") return node.value ?? ""
  if (isUnseen(node)) return ""
  if (node.nodeName === "br") return "\n"
  const whole = (node.childNodes ?? []).map((child) => textOf(child, isCode)).join("")
  // A list in a cell of a Markdown table has its marks as text: no table there can hold a list.
  const text = node.nodeName === "td" ? whole.replace(/(^|\n)\s*(?:[-*•]|\d+\.)\s/g, "$1 ") : whole
  return phrasing.has(node.nodeName) || isCode ? text : ` ${text} `
}

/** Runs of letters and digits, and each other sign by itself. */
const wordsOf = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu) ?? []

/** Runs of four words, so that their order counts. */
const shingles = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.length === 0
    ? []
    : Array.from({ length: Math.max(1, words.length - 3) }, (_, at) => words.slice(at, at + 4).join(" "))

const counted = (all: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1)
  return counts
}

const absolute = (href: string, url: string): string => {
  try {
    return decodeURI(new URL(href, url).href)
  } catch {
    return href
  }
}

const heading = /^h[1-6]$/
const headings = ["h1", "h2", "h3", "h4", "h5", "h6"]
const anchors = new Set(["¶", "#", "§", "🔗"])
const tableParts = new Set(["thead", "tbody", "tfoot"])
const unseen = new Set(
  "head script style noscript template svg math iframe object audio video select datalist #comment".split(" ")
)
const phrasing = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " "
  )
)
