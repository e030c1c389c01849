/** The commands of the shell itself, which begin with a dot. */
import { quote } from "../../pipeline/Column.ts"
import { didYouMean } from "../../text/didYouMean.ts"

export const formats = ["table", "csv", "json"] as const
export type Format = (typeof formats)[number]

export type Said =
  | { readonly _tag: "quit" }
  | { readonly _tag: "format"; readonly format: Format }
  | { readonly _tag: "say"; readonly text: string }
  | { readonly _tag: "ask"; readonly sql: string }
  | { readonly _tag: "wrong"; readonly message: string }

export const dotCommand = (line: string): Said => {
  const [name = "", argument = ""] = line.trim().replace(/;+$/, "").split(/\s+/)
  switch (name) {
    case ".quit":
    case ".exit":
      return { _tag: "quit" }
    case ".help":
      return { _tag: "say", text: help }
    case ".tables":
      return { _tag: "ask", sql: "SHOW TABLES" }
    case ".columns":
      return argument === ""
        ? { _tag: "wrong", message: "name a table: .columns pages" }
        : { _tag: "ask", sql: `DESCRIBE ${quote(argument)}` }
    case ".format": {
      const format = formats.find((each) => each === argument)
      return format === undefined
        ? { _tag: "wrong", message: `.format takes ${formats.join(", ")}` }
        : { _tag: "format", format }
    }
    default: {
      const near = didYouMean(name, commands)
      return {
        _tag: "wrong",
        message: `there is no ${name}; ${near === undefined ? "see .help" : `did you mean ${near}?`}`
      }
    }
  }
}

const commands = [".tables", ".columns", ".format", ".help", ".quit", ".exit"]

const help = `A question is SQL, over as many lines as it needs, and ends with ;
  .tables          the tables
  .columns TABLE   the columns of a table
  .format FORMAT   how answers are printed: table, csv or json
  .quit            end (or Ctrl-D)
Ctrl-C stops a question, or throws away what was typed. Tab completes names.`
