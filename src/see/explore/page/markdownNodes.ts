/**
 * Markdown as elements of the page: headings, lists, tables, quotes, code, emphasis, links.
 *
 * Guarantee: its text becomes text nodes, and nothing of it is HTML; a link leads to a web page or is text. Images are links, since
 * the page loads nothing from elsewhere. It reads each line a few times at most, however it is nested.
 */
import { el, outerLink } from "./dom.ts"

/** More depth is text. */
const deepest = 6
/** Of a longer paragraph, the rest is plain text. */
const longestInline = 20_000

interface Options {
  /** Where links begin that name no host. */
  readonly base: string | undefined
  /** A piece of text as nodes: with marks, for one. */
  readonly nodes: (text: string) => ReadonlyArray<Node | string>
}

/** Whether a text has what only Markdown has: a heading, a list, a link, a table, code. */
export const isMarkdown = (text: string): boolean =>
  !/^\s*[<{[]/.test(text) &&
  /^#{1,6} \S|^\s*[-*+] \S.*\n\s*[-*+] \S|^\d+[.)] \S.*\n|\]\((?:https?:|\/|#)|^\|.*\|\s*\n\|[\s:|-]+\|\s*$|^```/m.test(
    text
  )

export const markdownNodes = (text: string, options: Options): ReadonlyArray<Node> =>
  blocks(text.replace(/\r\n?/g, "\n").split("\n"), options, 0)

const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const fence = /^( {0,3})(`{3,}|~{3,})/
const quoteLine = /^ {0,3}> ?/
const item = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}|\t|$)/
const tableRule = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

const blocks = (lines: ReadonlyArray<string>, options: Options, depth: number): ReadonlyArray<Node> => {
  const made: Array<Node> = []
  let at = 0
  const take = (isPart: (line: string) => boolean): ReadonlyArray<string> => {
    const from = at
    while (at < lines.length && isPart(lines[at] ?? "")) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ""
    const [, signs, title = ""] = heading.exec(line) ?? []
    const [, indent = "", ticks] = fence.exec(line) ?? []
    if (line.trim() === "") at++
    else if (signs !== undefined) {
      made.push(el("p", { class: `heading level${signs.length}` }, ...inline(title, options)))
      at++
    } else if (ticks !== undefined) {
      at++
      const code = take((next) => !next.trimStart().startsWith(ticks))
      at++
      made.push(
        el("pre", {}, el("code", {}, ...options.nodes(code.map((one) => without(one, indent.length)).join("\n"))))
      )
    } else if (rule.test(line)) {
      made.push(el("hr"))
      at++
    } else if (depth < deepest && quoteLine.test(line)) {
      const quoted = take((next) => quoteLine.test(next)).map((one) => one.replace(quoteLine, ""))
      made.push(el("blockquote", {}, ...blocks(quoted, options, depth + 1)))
    } else if (depth < deepest && item.test(line)) made.push(list(take, options, depth, line))
    else if (line.includes("|") && tableRule.test(lines[at + 1] ?? "") && cellsOf(lines[at + 1] ?? "").length > 0)
      made.push(
        table(
          take((next) => next.includes("|")),
          options
        )
      )
    else {
      // A paragraph has its first line whatever that looks like, so each turn goes on.
      at++
      made.push(el("p", {}, ...inline([line, ...take((next) => !endsParagraph(next))].join("\n"), options)))
    }
  }
  return made
}

const endsParagraph = (line: string): boolean =>
  line.trim() === "" || heading.test(line) || fence.test(line) || quoteLine.test(line) || item.test(line)

const without = (line: string, spaces: number): string => line.replace(new RegExp(`^ {0,${spaces}}`), "")

const list = (
  take: (isPart: (line: string) => boolean) => ReadonlyArray<string>,
  options: Options,
  depth: number,
  first: string
): HTMLElement => {
  const isNumbered = /^\s*\d/.test(first)
  const items: Array<Array<string>> = []
  let [width, isBlank] = [0, false]
  take((line) => {
    const [whole = "", , sign = ""] = item.exec(line) ?? []
    const isInner = /^\s/.test(line) && line.search(/\S/) >= width
    if (line.trim() === "") {
      if (isBlank) return false
      isBlank = true
      items.at(-1)?.push("")
      return true
    }
    if (whole !== "" && !(isInner && items.length > 0) && !rule.test(line)) {
      if (/^\d/.test(sign) !== isNumbered) return false
      width = whole.length
      items.push([line.slice(whole.length)])
    } else if (isInner) items.at(-1)?.push(without(line, width))
    else if (isBlank || endsParagraph(line)) return false
    else items.at(-1)?.push(line)
    isBlank = false
    return true
  })
  const shown = items.map((lines) => {
    const nodes = blocks(lines, options, depth + 1)
    const [only] = nodes
    // An item of one paragraph is no paragraph of its own.
    return only instanceof HTMLParagraphElement && only.className === ""
      ? el("li", {}, ...only.childNodes, ...nodes.slice(1))
      : el("li", {}, ...nodes)
  })
  return isNumbered ? el("ol", { start: Number.parseInt(first, 10) }, ...shown) : el("ul", {}, ...shown)
}

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const table = ([head = "", , ...body]: ReadonlyArray<string>, options: Options): HTMLElement => {
  const cells = (line: string, tag: "th" | "td") => cellsOf(line).map((cell) => el(tag, {}, ...inline(cell, options)))
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...cells(head, "th"))),
      el("tbody", {}, ...body.map((line) => el("tr", {}, ...cells(line, "td"))))
    )
  )
}

/** Bounded, so that a text of signs alone takes no longer than another. */
const span =
  /\\([!-/:-@[-`{-~])|(`{1,3})([^`]{1,1000})\2|(!?)\[((?:[^[\]\\]|\\.|\[[^[\]]{0,300}\]){0,500})\]\(\s*<?([^\s()<>]{0,2000}(?:\([^\s()]{0,500}\)[^\s()<>]{0,500})?)>?(?:\s+["'][^"']{0,300}["'])?\s*\)|<(https?:\/\/[^\s<>]{1,2000})>|(https?:\/\/[^\s<>()[\]]{1,2000}[^\s<>()[\].,;:!?'"*_])|(\*\*|__)(?=\S)((?:[^*_\\]|\\.|[*_](?!\9)){1,1000}?)\9|(~~)(?=\S)([^~]{1,1000})~~|(?<![\w*])(\*|_)(?=\S)([^*_]{1,1000}?)(?<=\S)\13(?![\w*])|( {2,}|\\)\n/gu

const inline = (text: string, options: Options, depth = 0): ReadonlyArray<Node | string> => {
  const made: Array<Node | string> = []
  const read = depth < deepest ? text.slice(0, longestInline) : ""
  let from = 0
  for (const found of read.matchAll(span)) {
    if (found.index > from) made.push(...options.nodes(text.slice(from, found.index)))
    made.push(...spanNodes(found, options, depth))
    from = found.index + found[0].length
  }
  if (from < text.length) made.push(...options.nodes(text.slice(from)))
  return made
}

const spanNodes = (found: RegExpMatchArray, options: Options, depth: number): ReadonlyArray<Node | string> => {
  const [whole, escaped, , code, image, label, href = "", auto, bare, , strong, , struck, , weak, wrap] = found
  const inner = (text: string) => inline(text, options, depth + 1)
  if (escaped !== undefined) return options.nodes(escaped)
  if (code !== undefined) return [el("code", {}, ...options.nodes(code))]
  if (strong !== undefined) return [el("strong", {}, ...inner(strong))]
  if (struck !== undefined) return [el("s", {}, ...inner(struck))]
  if (weak !== undefined) return [el("em", {}, ...inner(weak))]
  if (wrap !== undefined) return [el("br")]
  const address = auto ?? bare
  if (address !== undefined) return [outerLink(address, ...options.nodes(address)) ?? whole]
  const shown = label === undefined || label === "" ? options.nodes(href) : inner(label)
  const words = image === "!" ? ["picture: ", ...shown] : shown
  const link = outerLink(URL.parse(href, options.base)?.href ?? "", ...words)
  return link === undefined ? words : [link]
}
