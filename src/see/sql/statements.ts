/** Splits SQL at the semicolons that end statements, but not at those in strings, quoted names and comments. */

interface Cut {
  /** The complete statements, without their semicolons and without empty ones. */
  readonly statements: ReadonlyArray<string>
  /** The text after the last of these semicolons. */
  readonly rest: string
}

export const cutStatements = (text: string): Cut => {
  const statements: Array<string> = []
  let from = 0
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token !== ";") continue
    const statement = text.slice(from, index)
    if (hasSql(statement)) statements.push(statement.trim())
    from = index + 1
  }
  return { statements, rest: text.slice(from) }
}

/** Whether a text has more than white space and comments. */
export const hasSql = (text: string): boolean => text.replaceAll(comments, "").trim() !== ""

/** Strings, quoted names and comments, even without their end, and semicolons. */
const tokens = /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|\$(\w*)\$[^]*?(?:\$\1\$|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)|;/g

const comments = /--[^\n]*|\/\*[^]*?(?:\*\/|$)/g
