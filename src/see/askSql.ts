/** The work behind `millrace sql`: finds the destination, runs the query there, and prints the result. */
import { createReadStream } from "node:fs"
import { join } from "node:path"
import type { Writable } from "node:stream"
import { text } from "node:stream/consumers"
import { pipeline as piped } from "node:stream/promises"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Queries from "#engine/Queries"
import type * as Sink from "#engine/Sink"
import { temporaryFolder } from "#engine/temporaryFolder"
import { engine } from "#library/services"
import { failed, notWritten, wrong } from "./CliFailure.ts"
import { namedLoad } from "./diff/namedLoad.ts"
import { loadPipeline } from "./loadPipeline.ts"
import { asCsv, asJson, asTable } from "./sql/answerText.ts"
import type { Formulas } from "./sql/csvField.ts"
import { sinkOf } from "./sql/sinkOf.ts"
import { cutStatements } from "./sql/statements.ts"
import { writingFile } from "./writingFile.ts"

interface Options {
  readonly file: string
  readonly query: string
  readonly vars: Readonly<Record<string, string>>
  readonly sink: Option.Option<string>
  readonly asOf: Option.Option<string>
  readonly format: "table" | "csv" | "json" | "arrow" | "parquet"
  readonly formulas: Option.Option<Formulas>
  readonly output: Option.Option<string>
}

export const askSql = Effect.fn("askSql")(
  function* (options: Options) {
    const { format } = options
    const given = options.query === "-" ? yield* Effect.promise(() => text(process.stdin)) : options.query
    if (format !== "csv" && Option.isSome(options.formulas)) {
      return yield* wrong(`--formulas is of --format csv, and this is ${format}; leave it out`)
    }
    const { statements } = cutStatements(`${given}\n;`)
    // A comment after the semicolon is not a second statement.
    const sql = statements.length === 1 ? (statements[0] ?? given) : given
    if (statements.length === 0) return yield* wrong('the query is empty: give one, such as "SHOW TABLES"')
    if (format === "parquet" || format === "arrow") {
      if (Option.isNone(options.output) && process.stdout.isTTY) {
        return yield* wrong(
          `--format ${format} is not for a terminal: name a file with --output, or pipe it to a program`
        )
      }
    }
    const { pipeline } = yield* loadPipeline(options.file, options.vars)
    const { name, sink } = yield* sinkOf(pipeline, options.sink)
    const where = `${pipeline.name}: sink ${name}`
    const failing = Effect.mapError((error: Sink.SinkError) => failed(`${where}: ${error.message}`))
    const asOf = Option.isNone(options.asOf)
      ? undefined
      : yield* namedLoad(
          options.asOf.value,
          (yield* failing(sink.runs(pipeline.directory))).filter((run) => run.pipeline === pipeline.name),
          where
        )
    if (format === "parquet") {
      const folder = yield* Effect.mapError(temporaryFolder("sql"), ({ message }) => failed(message))
      const file = join(folder, "answer.parquet")
      const queries = yield* failing(sink.queries(pipeline.directory, { asOf, file }))
      yield* failing(queries.toParquet(sql))
      const path = Option.getOrElse(options.output, () => "stdout")
      const copied = (out: Writable) =>
        Effect.tryPromise({
          try: () => piped(createReadStream(file), out, { end: false }),
          catch: (cause) => notWritten(path, cause)
        })
      return yield* written(options.output, copied)
    }
    const queries = yield* failing(sink.queries(pipeline.directory, { asOf }))
    const answer = yield* failing(queries.ask(sql))
    yield* written(options.output, (out) =>
      failing(print(answer, format, out, Option.getOrUndefined(options.formulas)))
    )
  },
  Effect.scoped,
  Effect.provide(engine)
)

const written = <E, R>(output: Option.Option<string>, to: (out: Writable) => Effect.Effect<void, E, R>) =>
  Option.match(output, { onNone: () => to(process.stdout), onSome: (path) => writingFile(path, to) })

const print = Effect.fnUntraced(function* (
  answer: Queries.QueryResult,
  format: "table" | "csv" | "json" | "arrow",
  out: Writable,
  formulas?: Formulas
) {
  switch (format) {
    case "arrow": {
      const { asArrow } = yield* Effect.promise(() => import("./answerArrow.ts"))
      return yield* asArrow(answer, out)
    }
    case "table":
      return yield* asTable(answer, out)
    case "csv":
      return yield* asCsv(answer, out, formulas)
    case "json":
      return yield* asJson(answer, out)
  }
})
