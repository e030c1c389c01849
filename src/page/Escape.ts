/**
 * Writes text as Markdown: a character gets a backslash only if it would otherwise be read as markup.
 */

/** Escapes text inside a line. `before`: the code of the character before the text; 0: the text begins the line. */
export const escapeText = (text: string, before: number, inLink: boolean): string => {
  const first = text.search(special)
  if (first === -1) return text
  let out = ""
  let copied = 0
  for (let i = first; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 126 || !isSpecial(code)) continue
    const previous = i === 0 ? before : text.charCodeAt(i - 1)
    if (!isMarkup(text, i, code, previous, text.charCodeAt(i + 1), inLink)) continue
    out += `${text.slice(copied, i)}\\`
    copied = i
  }
  return out + text.slice(copied)
}

/** Escapes the lines of a paragraph that would otherwise begin another block, such as a list or a heading. */
export const escapeLines = (text: string): string => {
  let out = startsLikeBlock(text.charCodeAt(0)) ? escapeStart(text) : text
  if (out.includes("\n")) out = out.replace(laterLine, (_, line: string) => `\n${escapeStart(line)}`)
  return out
}

/** Escapes the alternative text of an image. */
export const escapeLabel = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\[\]`*_<]/g, "\\$&")

/** Escapes the address of a link. */
export const escapeUrl = (url: string): string =>
  suspectInUrl.test(url) && !isPlainUrl(url)
    ? url.replace(/[\s()<>\\]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    : url

const special = /[\\`*_<&[\]~]/
const suspectInUrl = /[\s<>\\()]/
const laterLine = /\n(.+)/g

/** Whether an address needs no escaping. Pairs of parentheses are allowed, but not nested ones. */
const isPlainUrl = (url: string): boolean => {
  let open = 0
  for (let i = 0; i < url.length && open >= 0 && open <= 1; i++) {
    const code = url.charCodeAt(i)
    if (code === 40) open++
    else if (code === 41) open--
    else if (code === 32 || code === 60 || code === 62 || code === 92 || code < 32) return false
  }
  return open === 0
}

const isSpecial = (code: number): boolean =>
  code === 92 ||
  code === 96 ||
  code === 42 ||
  code === 95 ||
  code === 60 ||
  code === 38 ||
  code === 91 ||
  code === 93 ||
  code === 126

/** `next` is NaN at the end of the text. The next character is unknown there, so the character is escaped. */
const isMarkup = (text: string, at: number, code: number, before: number, next: number, inLink: boolean): boolean => {
  switch (code) {
    case 92: // backslash
      return Number.isNaN(next) || isPunctuation(next)
    case 42: // *
      return !((before === 0 || isBlank(before)) && isBlank(next))
    case 95: // _
      return !(isWord(before) && isWord(next)) && !(isBlank(before) && isBlank(next))
    case 60: // <
      return Number.isNaN(next) || next === 47 || next === 33 || next === 63 || isLetter(next)
    case 38: // &
      reference.lastIndex = at
      return reference.test(text)
    case 91: // [
      return inLink
    case 93: // ]
      return inLink || Number.isNaN(next) || next === 40 || next === 91 || next === 58
    case 126: // ~
      return next === 126 || before === 126
    default:
      return true
  }
}

const reference = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy

const isBlank = (code: number): boolean => code === 32 || code === 10
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122
const isWord = (code: number): boolean => isLetter(code) || (code >= 48 && code <= 57) || code > 127
const isPunctuation = (code: number): boolean =>
  code > 32 && code < 127 && !isLetter(code) && !(code >= 48 && code <= 57)

/** # + - = > * digit */
const startsLikeBlock = (code: number): boolean =>
  code === 35 || code === 43 || code === 45 || code === 61 || code === 62 || code === 42 || (code >= 48 && code <= 57)

const escapeStart = (line: string): string => {
  if (!startsLikeBlock(line.charCodeAt(0))) return line
  const number = numbered.exec(line)
  if (number !== null) return `${number[1]}\\${line.slice(number[1]?.length ?? 0)}`
  return blockStart.test(line) ? `\\${line}` : line
}

const numbered = /^(\d{1,9})[.)](?:\s|$)/
const blockStart = /^(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|-{2,}\s*(?:\n|$)|=+\s*(?:\n|$))/
