/**
 * The rules of a style sheet that always apply: those in `@layer` count, those of a media query, a feature query or a
 * state do not.
 *
 * A sheet is untrusted text: nothing in it is followed, and a broken sheet gives the rules that could be read.
 */

export interface Rule {
  /** As written, `:root, body` as two; of a font face `@font-face`. */
  readonly selectors: ReadonlyArray<string>
  /** By lower-case name; custom properties keep their case. The last value of a name counts. */
  readonly declarations: ReadonlyMap<string, string>
}

export const read = (css: string): ReadonlyArray<Rule> => {
  const text = css.slice(0, maxText).replaceAll(comment, " ")
  const rules: Array<Rule> = []
  const open: Array<Block> = []
  let from = 0
  for (const { 0: mark, index } of text.matchAll(marks)) {
    if (mark.length > 1) continue
    const before = text.slice(from, index).trim()
    from = index + 1
    if (mark === "{") {
      open.push(blockOf(before, open.at(-1)))
    } else {
      open.at(-1)?.declare(before)
      if (mark === ";") continue
      const { declarations, selectors } = open.pop() ?? none
      if (selectors.length > 0 && declarations.size > 0) rules.push({ selectors, declarations })
      if (rules.length === maxRules) break
    }
  }
  return rules
}

const maxText = 1_000_000
const maxRules = 20_000
const maxDeclaration = 2000

const comment = /\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)/g
/** Marks that end something, and texts that may contain such a mark. No character is scanned twice. */
const marks = /"(?:[^"\\\n]|\\[\s\S])*(?:"|\n|$)|'(?:[^'\\\n]|\\[\s\S])*(?:'|\n|$)|url\([^()"']*\)|[{};]/gi

interface Block extends Rule {
  readonly isOpenAlways: boolean
  readonly declare: (text: string) => void
}

const none: Rule = { selectors: [], declarations: new Map() }

/** The block that this prelude begins: a rule, a layer around rules, or a condition. */
const blockOf = (prelude: string, around: Block | undefined): Block => {
  const isFree = around === undefined || around.isOpenAlways
  const isLayer = /^@layer\b/i.test(prelude)
  const isFace = /^@font-face\b/i.test(prelude)
  const isRule = isFree && (isFace || !prelude.startsWith("@"))
  const declarations = new Map<string, string>()
  return {
    selectors: !isRule ? [] : isFace ? ["@font-face"] : prelude.split(",").map((one) => one.trim().toLowerCase()),
    declarations,
    isOpenAlways: isFree && isLayer,
    declare: (text) => {
      const colon = text.indexOf(":")
      if (!isRule || colon < 1 || text.length > maxDeclaration) return
      const written = text.slice(0, colon).trim()
      const name = written.startsWith("--") ? written : written.toLowerCase()
      const value = text
        .slice(colon + 1)
        .replaceAll(/\s+/g, " ")
        .replace(/ ?! ?important ?$/i, "")
        .trim()
      if (value !== "") declarations.set(name, value)
    }
  }
}
