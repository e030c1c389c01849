/**
 * Texts in a CSV file that a spreadsheet would run as a formula, such as `=cmd|'/C calc'!A0`: an apostrophe before them makes
 * them texts. The texts are those of strangers' pages, and people open the file by a double click.
 *
 * Guarantee: `original(shown(text))` is `text`, whatever the text. A number such as `-5` or `+1.5%` stays as it is.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */

/** The text as a spreadsheet shows it, instead of what it would run. */
export const shown = (text: string): string => (couldRun(text) && formula.test(text) ? `'${text}` : text)

/** The text of which `shown` made this one. */
export const original = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text)

/** The same in the SQL of DuckDB. `text`: an expression that is a text. */
export const originalSql = (text: string): string => {
  const isShown = `starts_with(${text}, '''') AND regexp_matches(${text}, '${written}') AND NOT regexp_matches(${text}, '${number}')`
  return `CASE WHEN ${isShown} THEN substr(${text}, 2) ELSE ${text} END`
}

/** Most texts begin with a letter or a digit. */
const couldRun = (text: string): boolean => !/^[\dA-Za-z]/.test(text)

/**
 * A formula begins with one of these characters, also behind blanks and behind control characters, which spreadsheets drop. Those
 * that stand wide in East Asian texts count too. Both patterns mean the same to JavaScript and to DuckDB (RE2).
 */
const written = String.raw`^''*[\p{Cf}\p{Z}]*[\p{Cc}=+\-@＝＋－＠]`
const number = String.raw`^''*[+-]?[0-9][0-9.,]*([eE][+-]?[0-9]+)?%?$`
const formula = new RegExp(`(?!${number.replaceAll("''", "'")})${written.replaceAll("''", "'")}`, "u")
