/**
 * The work behind `millrace shell`: reads queries, runs them, prints their results.
 *
 * Each query opens the destination and closes it again. So it sees the current tables, and an open shell does not make a run
 * wait.
 */
import { createInterface, type Interface } from "node:readline"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { didYouMean } from "#base/didYouMean"
import { quote } from "#engine/Column"
import type * as Queries from "#engine/Queries"
import type * as Sink from "#engine/Sink"
import { engine } from "#library/services"
import { failed } from "./CliFailure.ts"
import { loadPipeline } from "./loadPipeline.ts"
import { printable } from "./printable.ts"
import { asCsv, asJson, asTable } from "./sql/answerText.ts"
import { sinkOf } from "./sql/sinkOf.ts"
import { cutStatements, hasSql } from "./sql/statements.ts"

interface Options {
  readonly file: string
  readonly vars: Readonly<Record<string, string>>
  readonly sink: Option.Option<string>
}

export const sqlShell = Effect.fn("sqlShell")(
  function* (options: Options) {
    const { pipeline } = yield* loadPipeline(options.file, options.vars)
    const { name, sink } = yield* sinkOf(pipeline, options.sink)
    const isTyped = process.stdin.isTTY
    const query = <A>(use: (queries: Queries.Queries) => Effect.Effect<A, Sink.SinkError>) =>
      Effect.scoped(Effect.flatMap(sink.queries(pipeline.directory, {}), use))
    const names = isTyped ? yield* Effect.orElseSucceed(query(namesIn), () => []) : []
    if (isTyped)
      process.stderr.write(`${pipeline.name}: sink ${name}. End each query with ;. Type .help for the commands\n`)

    let format: Format = "table"
    const answer = (sql: string) =>
      query((queries) => Effect.flatMap(queries.ask(sql), (found) => print[format](found, process.stdout)))
    /** Runs a command or a query; false: the shell ends. */
    const act = Effect.fnUntraced(function* (text: string, isCommand: boolean) {
      if (!isCommand) return yield* Effect.as(answer(text), true)
      const action = dotCommand(text)
      switch (action._tag) {
        case "quit":
          return false
        case "format":
          format = action.format
          return true
        case "print":
          process.stdout.write(`${action.text}\n`)
          return true
        case "query":
          return yield* Effect.as(answer(action.sql), true)
        case "wrong":
          return yield* failed(action.message)
      }
    })

    const lines = yield* open(isTyped, names)
    let rest = ""
    while (true) {
      lines.prompt(rest === "" ? "millrace> " : "     ...> ")
      const line = yield* lines.next
      if (line === "cleared") {
        rest = ""
        continue
      }
      const isLast = line === undefined
      const isCommand = rest === "" && line?.text.startsWith(".") === true
      const cut = isCommand
        ? { statements: [line.text.trim()], rest: "" }
        : cutStatements(isLast ? `${rest};` : `${rest}${line.text}\n`)
      rest = hasSql(cut.rest) ? cut.rest : ""
      for (const statement of cut.statements) {
        const continues = yield* lines.stoppable(act(statement, isCommand)).pipe(
          Effect.catch((error) => {
            const message = printable(error.message)
            // In a file of statements, later ones may depend on the one that failed.
            if (!isTyped) return failed(message)
            process.stderr.write(`${message}\n`)
            return Effect.succeed(true)
          })
        )
        if (!continues) return
      }
      if (isLast) return
    }
  },
  Effect.scoped,
  Effect.provide(engine)
)

const print = { table: asTable, csv: asCsv, json: asJson }

/** The names of tables and columns, for completion. */
const namesIn = (queries: Queries.Queries): Effect.Effect<ReadonlyArray<string>, Sink.SinkError> =>
  Effect.flatMap(
    queries.ask(
      `SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_catalog = current_database()`
    ),
    ({ rows }) =>
      Effect.map(Stream.runCollect(rows), (chunks) => [
        ...new Set(
          chunks.flat().flatMap(({ table_name: table, column_name: column }) => [String(table), String(column)])
        )
      ])
  )

type Line = { readonly text: string } | "cleared" | undefined

interface Lines {
  readonly prompt: (text: string) => void
  /** The next line; "cleared": the user has discarded the line with Ctrl-C; undefined: there are no more lines. */
  readonly next: Effect.Effect<Line>
  /** Runs the work so that Ctrl-C stops only this work, and not the shell. */
  readonly stoppable: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A | true, E, R>
}

/** Reads the lines of stdin until the scope closes. */
const open = Effect.fnUntraced(function* (isTyped: boolean, names: ReadonlyArray<string>) {
  const input: Interface = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createInterface({
        input: process.stdin,
        ...(isTyped ? { output: process.stdout, completer: (line: string) => complete(line, names) } : {})
      })
    ),
    (opened) => Effect.sync(() => opened.close())
  )
  const waiting: Array<Line> = []
  let wake: (() => void) | undefined
  const offer = (line: Line): void => {
    waiting.push(line)
    wake?.()
  }
  let stop: (() => void) | undefined
  input.on("line", (text) => offer({ text }))
  input.on("close", () => offer(undefined))
  input.on("SIGINT", () => {
    if (stop !== undefined) return stop()
    input.write(null, { ctrl: true, name: "u" })
    process.stdout.write("\n")
    offer("cleared")
  })
  const lines: Lines = {
    prompt: (text) => {
      if (!isTyped) return
      input.setPrompt(text)
      input.prompt()
    },
    next: Effect.callback<Line>((resume) => {
      const take = (): void => {
        if (waiting.length === 0) return
        wake = undefined
        resume(Effect.succeed(waiting.shift()))
      }
      wake = take
      take()
    }),
    stoppable: (work) =>
      Effect.gen(function* () {
        const running = yield* Effect.forkChild(work)
        stop = () => running.interruptUnsafe()
        const exit = yield* Fiber.await(running).pipe(Effect.ensuring(Effect.sync(() => (stop = undefined))))
        if (exit._tag === "Success") return exit.value
        // If Ctrl-C has stopped the work, the shell continues.
        return Option.isSome(Option.fromUndefinedOr(exit.cause.reasons.find(({ _tag }) => _tag !== "Interrupt")))
          ? yield* Effect.failCause(exit.cause)
          : true
      })
  }
  return lines
})

/** The commands of the shell, which begin with a dot. */
const formats = ["table", "csv", "json"] as const
type Format = (typeof formats)[number]

type Action =
  | { readonly _tag: "quit" }
  | { readonly _tag: "format"; readonly format: Format }
  | { readonly _tag: "print"; readonly text: string }
  | { readonly _tag: "query"; readonly sql: string }
  | { readonly _tag: "wrong"; readonly message: string }

const dotCommand = (line: string): Action => {
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
