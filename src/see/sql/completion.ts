/** Completion with Tab: names of tables and columns, and keywords of SQL. */

/** In the form of readline: the words that fit, and the part of the line that they complete. */
export const complete = (line: string, names: ReadonlyArray<string>): [Array<string>, string] => {
  const word = /[\w.]*$/.exec(line)?.[0] ?? ""
  // After a dot comes a column: "pages.ti".
  const begun = word.slice(word.lastIndexOf(".") + 1)
  if (begun === "") return [[], begun]
  const lower = begun.toLowerCase()
  const found = names.filter((name) => name.toLowerCase().startsWith(lower))
  const isUpper = begun !== lower
  const sql = words.filter((each) => each.startsWith(lower)).map((each) => (isUpper ? each.toUpperCase() : each))
  return [[...found, ...sql], begun]
}

const words = (
  "select from where group by order limit having with as join left on using and or not null is in like ilike between case " +
  "when then else end distinct count sum avg min max describe summarize show tables union all desc asc nulls last first"
).split(" ")
