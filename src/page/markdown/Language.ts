/**
 * The programming language that an element names, in `data-lang` or in a class: `language-js`, `lang-js`,
 * `highlight-source-js`, `brush: js`, `highlight js`, `sourceCode js`.
 */
import type { Attributes } from "../Attributes.ts"

export const languageOf = (attributes: Attributes): string | undefined => {
  const named = attributes.get("data-lang") ?? attributes.get("data-language")
  if (named !== undefined) return known(named)
  const classes = attributes.get("class")
  if (classes === undefined || !hint.test(classes)) return undefined
  for (const pattern of patterns) {
    const className = pattern.exec(classes)?.[1]
    if (className !== undefined) return known(className)
  }
  return undefined
}

const hint = /lang|highlight|brush|source/i

const patterns = [
  /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/i,
  /(?:^|\s)highlight-(?:source|text)-([\w+#-]+)/i,
  /(?:^|\s)highlight-(?!source\b|text\b)([\w+#]+)(?:\s|$)/i,
  /(?:^|\s)brush:\s*([\w+#-]+)/i,
  /^(?:highlight|sourceCode)\s+([\w+#-]+)$/
]

/** The language; empty: the name is not a language, such as "plain". */
const known = (name: string): string | undefined => {
  const lower = name.trim().toLowerCase()
  return /^[\w+#.-]{1,30}$/.test(lower) && !nothing.has(lower) ? lower : ""
}

const nothing = new Set([
  "none",
  "plaintext",
  "plain",
  "text",
  "txt",
  "default",
  "nohighlight",
  "no-highlight",
  "undefined",
  "null",
  "auto"
])
