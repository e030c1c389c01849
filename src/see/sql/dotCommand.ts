/** The commands of the shell, which begin with a dot. */

import { didYouMean } from "#base/didYouMean"
import { quote } from "#engine/Column"

const formats = ["table", "csv", "json"] as const
export type Format = (typeof formats)[number]

type Action =
  | { readonly _tag: "quit" }
  | { readonly _tag: "format"; readonly format: Format }
  | { readonly _tag: "print"; readonly text: string }
  | { readonly _tag: "query"; readonly sql: string }
  | { readonly _tag: "wrong"; readonly message: string }

export const dotCommand = (line: string): Action => {
  const [name = "", argument = ""] = line.trim().replace(/;+$/, "").split(/\s+/)
  switch (name) {
    case ".quit":
    case ".exit":
      return { _tag: "quit" }
    case ".help":
      return { _tag: "print", text: help }
    case ".tables":
      return { _tag: "query", sql: "SHOW TABLES" }
    case ".columns":
      return argument === ""
        ? { _tag: "wrong", message: "name a table: .columns pages" }
        : { _tag: "query", sql: `DESCRIBE ${quote(argument)}` }
    case ".format": {
      const format = formats.find((each) => each === argument)
      return format === undefined
        ? { _tag: "wrong", message: `name a format after .format: ${formats.join(", ")}` }
        : { _tag: "format", format }
    }
    default: {
      const near = didYouMean(name, commands)
      return {
        _tag: "wrong",
        message: `there is no command ${name}; ${near === undefined ? "see .help" : `did you mean ${near}?`}`
      }
    }
  }
}

const commands = [".tables", ".columns", ".format", ".help", ".quit", ".exit"]

const help = `Type a query in SQL, on one line or more, and end it with ;
  .tables          list the tables
  .columns TABLE   list the columns of a table
  .format FORMAT   print results as table, csv or json; default: table
  .quit            leave the shell (or Ctrl-D)
Ctrl-C stops a query, or clears what you have typed. Tab completes names.`
