/** SQL text cut at the semicolons that end statements: not those in texts, names and comments. */

export interface Cut {
  /** The statements that have ended, without their semicolons; empty ones are left out. */
  readonly statements: ReadonlyArray<string>
  /** What has not ended yet. */
  readonly rest: string
}

export const cutStatements = (text: string): Cut => {
  const statements: Array<string> = []
  let from = 0
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token !== ";") continue
    const statement = text.slice(from, index)
    if (isSaid(statement)) statements.push(statement.trim())
    from = index + 1
  }
  return { statements, rest: text.slice(from) }
}

/** Whether a text says more than white space and comments. */
export const isSaid = (text: string): boolean => text.replaceAll(comments, "").trim() !== ""

/** Texts, names, comments, also those that have not ended, and semicolons. */
const tokens = /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|\$(\w*)\$[^]*?(?:\$\1\$|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)|;/g

const comments = /--[^\n]*|\/\*[^]*?(?:\*\/|$)/g
