/**
 * The work behind `millrace shell`: reads statements, asks them, prints the answers.
 *
 * Each question opens the destination and closes it again: it sees the tables as they are then, and no run waits for a shell
 * that somebody has left open.
 */
import { createInterface, type Interface } from "node:readline"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { engine } from "../../library/services.ts"
import type * as Queries from "../../pipeline/Queries.ts"
import type * as Sink from "../../pipeline/Sink.ts"
import { failed } from "../CliFailure.ts"
import { loadPipeline } from "../pipeline/loadPipeline.ts"
import { printable } from "../printable.ts"
import { asCsv, asJson, asTable } from "./answerText.ts"
import { complete } from "./completion.ts"
import { dotCommand, type Format } from "./dotCommand.ts"
import { sinkOf } from "./sinkOf.ts"
import { cutStatements, isSaid } from "./statements.ts"

export interface Options {
  readonly file: string
  readonly vars: Readonly<Record<string, string>>
  readonly sink: Option.Option<string>
}

export const sqlShell = Effect.fn("sqlShell")(
  function* (options: Options) {
    const { pipeline } = yield* loadPipeline(options.file, options.vars)
    const { name, sink } = yield* sinkOf(pipeline, options.sink)
    const isTyped = process.stdin.isTTY
    const ask = <A>(use: (queries: Queries.Queries) => Effect.Effect<A, Sink.SinkError>) =>
      Effect.scoped(Effect.flatMap(sink.queries(pipeline.directory, {}), use))
    const names = isTyped ? yield* Effect.orElseSucceed(ask(namesIn), () => []) : []
    if (isTyped) process.stderr.write(`${pipeline.name}: sink ${name}. End a question with ; and see .help\n`)

    let format: Format = "table"
    const answer = (sql: string) =>
      ask((queries) => Effect.flatMap(queries.ask(sql), (found) => print[format](found, process.stdout)))
    /** Does what a line says; the answer is whether the shell goes on. */
    const act = Effect.fnUntraced(function* (text: string, isCommand: boolean) {
      if (!isCommand) return yield* Effect.as(answer(text), true)
      const said = dotCommand(text)
      switch (said._tag) {
        case "quit":
          return false
        case "format":
          format = said.format
          return true
        case "say":
          process.stdout.write(`${said.text}\n`)
          return true
        case "ask":
          return yield* Effect.as(answer(said.sql), true)
        case "wrong":
          return yield* failed(said.message)
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
      rest = isSaid(cut.rest) ? cut.rest : ""
      for (const statement of cut.statements) {
        const goesOn = yield* lines.stoppable(act(statement, isCommand)).pipe(
          Effect.catch((error) => {
            const message = printable(error.message)
            // Of a file of statements, what comes after a failure may count on it.
            if (!isTyped) return failed(message)
            process.stderr.write(`${message}\n`)
            return Effect.succeed(true)
          })
        )
        if (!goesOn) return
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
  /** The next line; "cleared": what was typed is thrown away; undefined: there are no more. */
  readonly next: Effect.Effect<Line>
  /** Work that Ctrl-C stops, and no more than that. */
  readonly stoppable: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A | true, E, R>
}

/** The lines of stdin, as readline has them, until the scope closes. */
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
  const come: Array<Line> = []
  let wake: (() => void) | undefined
  const offer = (line: Line): void => {
    come.push(line)
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
        if (come.length === 0) return
        wake = undefined
        resume(Effect.succeed(come.shift()))
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
        // Stopped by the reader, who has the shell again.
        return Option.isSome(Option.fromUndefinedOr(exit.cause.reasons.find(({ _tag }) => _tag !== "Interrupt")))
          ? yield* Effect.failCause(exit.cause)
          : true
      })
  }
  return lines
})
