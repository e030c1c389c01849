/** The colours of code, as they are when the site is made: a browser has no work with them. */
import { createHighlighter } from "shiki"
import { escape } from "#base/HtmlPage"

/** Code as HTML for within a `code` element. A language that is not known is shown as it is. */
export type Highlight = (code: string, language: string | undefined) => string

const languages = ["bash", "yaml", "typescript", "javascript", "json", "sql", "python", "html", "xml", "toml"] as const
const names: Readonly<Record<string, string>> = { sh: "bash", ts: "typescript", js: "javascript" }
/** Their colours are far enough from the ground of the site for every reader. */
const themes = { light: "github-light-high-contrast", dark: "github-dark-high-contrast" } as const

export const highlighter = async (): Promise<Highlight> => {
  const shiki = await createHighlighter({ langs: [...languages], themes: Object.values(themes) })
  return (code, language = "") => {
    const lang = languages.find((one) => one === (names[language] ?? language))
    if (lang === undefined) return escape(code)
    return shiki
      .codeToTokens(code, { lang, themes, defaultColor: "light-dark()" })
      .tokens.map((line) => line.map(({ content, htmlStyle }) => coloured(content, htmlStyle?.["color"])).join(""))
      .join("\n")
  }
}

const coloured = (text: string, colour: string | undefined): string =>
  colour === undefined || text.trim() === "" ? escape(text) : `<span style="color:${colour}">${escape(text)}</span>`
