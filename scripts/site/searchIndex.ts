/** The index of the site's search: every section of every page, by its words. The browser reads it as it is written here. */
import { Marked, type Token } from "marked"
import MiniSearch, { type Options } from "minisearch"

export interface Section {
  readonly id: number
  /** The heading of its page. */
  readonly page: string
  /** Its own heading; empty for what stands above the first one. */
  readonly heading: string
  /** From the root of the site, with the heading's anchor. */
  readonly address: string
  readonly text: string
}

export const options: Options<Section> = {
  fields: ["page", "heading", "text"],
  storeFields: ["page", "heading", "address", "text"],
  // Names are found whole and by their parts: `not_null`, `scrapeOptions`, `--as-of`.
  tokenize: (text) => wordsOf(text).flatMap((word) => [word, ...partsOf(word)]),
  searchOptions: {
    tokenize: (query) => [...wordsOf(query)],
    boost: { page: 3, heading: 4 },
    // A page that somebody wrote explains more than a list of names.
    boostDocument: (_, __, stored) => (String(stored?.["address"]).startsWith("docs/reference/api/") ? 0.3 : 1),
    combineWith: "AND",
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : 0)
  }
}

const wordsOf = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu) ?? []

const partsOf = (word: string): ReadonlyArray<string> => {
  const parts = word.split(/[_.-]|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== "")
  return parts.length === 1 ? [] : parts
}

export interface Indexed {
  readonly address: string
  readonly text: string
}

/** The index of pages of Markdown, as JSON. */
export const searchIndex = (pages: ReadonlyArray<Indexed>, anchorOf: (heading: string) => string): string => {
  const index = new MiniSearch<Section>(options)
  const sections = pages.flatMap(({ address, text }) => sectionsOf(address, text, anchorOf))
  index.addAll(sections.map((section, id) => ({ ...section, id })))
  return JSON.stringify(index)
}

const sectionsOf = (
  address: string,
  markdown: string,
  anchorOf: (heading: string) => string
): ReadonlyArray<Omit<Section, "id">> => {
  const tokens = new Marked().lexer(markdown)
  const top = tokens.find((token) => token.type === "heading" && token["depth"] === 1)
  const page = top === undefined ? address : textOf(top).trim()
  const sections: Array<{ heading: string; address: string; text: string }> = [{ heading: "", address, text: "" }]
  for (const token of tokens) {
    if (token.type === "heading" && token["depth"] > 1) {
      sections.push({
        heading: textOf(token).trim(),
        address: `${address}#${anchorOf(String(token["text"]))}`,
        text: ""
      })
    } else {
      const last = sections.at(-1)
      if (last !== undefined && token !== top) last.text += `${textOf(token)} `
    }
  }
  return sections
    .map((section) => ({ page, ...section, text: section.text.replaceAll(/\s+/g, " ").trim() }))
    .filter(({ heading, text }) => heading !== "" || text !== "")
}

/** What a reader sees of a piece of Markdown. */
const textOf = (token: Token): string => {
  const {
    header,
    items,
    rows,
    text = "",
    tokens
  } = token as {
    /** Of a table; a cell says with it whether it is of the head. */
    readonly header?: ReadonlyArray<Token> | boolean
    readonly items?: ReadonlyArray<Token>
    readonly rows?: ReadonlyArray<ReadonlyArray<Token>>
    readonly text?: string
    readonly tokens?: ReadonlyArray<Token>
  }
  const within = [
    ...(tokens ?? []),
    ...(items ?? []),
    ...(typeof header === "object" ? header : []),
    ...(rows ?? []).flat()
  ]
  if (within.length === 0) return token.type === "html" || token.type === "space" ? " " : text
  const isBlock = items !== undefined || rows !== undefined
  return within.map(textOf).join(isBlock ? " " : "")
}
