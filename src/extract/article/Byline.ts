/**
 * Who wrote it: the names in a line like "By Ada Lovelace and Charles Babbage, March 3, 2026".
 *
 * A name is words, and not a sentence, a date, an address, a title or an office; a line without a name gives none.
 */

/** The names of a byline, in its order. */
export const authorsIn = (line: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (const part of line.slice(0, maxLine).split(between)) {
    const name = part
      .replace(lead, "")
      .replace(/\s*[([].*$/, "")
      .replaceAll(/^[\s:.•·–—-]+|[\s:•·–—-]+$/g, "")
    const isTitle = names.length > 0 && degree.test(name)
    if (isName(name) && !isTitle && !names.includes(name)) names.push(name)
  }
  return names
}

const maxLine = 300

/** What stands between two names. */
const between = /\s*(?:[,;|•·\n/]|\s&\s|\sand\s|\sund\s|\set\s|\sy\s|\se\s|\sen\s|\soch\s|\si\s|、|，)\s*/i

/** What stands before one. */
const lead =
  /^\s*(?:(?:written|posted|reported|edited|story|words|text)\s+)?(?:by|von|par|por|di|door|av|af|autor|author|auteur|autore|作者|記者|记者|著者|文)\s*[:：]?(?:\s+|(?<=[:：者文]))/i

/** "MD" behind a name; an agency's letters may stand alone. */
const degree = /^(?:\p{Lu}{2,4}|Ph\.?D)\.?$/u

const isName = (text: string): boolean =>
  text.length >= 2 &&
  text.length <= 60 &&
  /\p{L}/u.test(text) &&
  !/\d|@|https?:|\.(?:com|org|net)\b/i.test(text) &&
  text.split(/\s+/).length <= 6 &&
  !role.test(text)

/** What a person is, and not who. */
const role =
  /\b(?:writer|editor|reporter|correspondent|journalist|columnist|contributor|photographer|redakteur(?:in)?|rédact(?:eur|rice)|redactor(?:a)?|periodista|giornalista)s?\b/i
