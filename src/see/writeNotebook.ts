/** The work behind `millrace notebook`: the tables of a pipeline, and how they are opened, as a notebook. */
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { engine } from "#library/services"
import { notWritten, wrong } from "./CliFailure.ts"
import { type Options as Asked, tablesOfSink } from "./export/tablesOfSink.ts"
import { textOf } from "./loadPipeline.ts"
import { deno, notebookFile, python } from "./notebook/notebookFile.ts"
import { pythonCells } from "./notebook/pythonNotebook.ts"
import { questionsOf } from "./notebook/questions.ts"
import { typeScriptCells } from "./notebook/typeScriptNotebook.ts"

interface Options extends Asked {
  readonly output: Option.Option<string>
  readonly force: boolean
  /** For TypeScript and the kernel of Deno, and not for Python. */
  readonly ts: boolean
}

export const writeNotebook = Effect.fn("writeNotebook")(
  function* (options: Options) {
    const { name, pipeline, sink, tables } = yield* tablesOfSink(options)
    const readers = sink.readers?.(pipeline.directory)
    if (readers === undefined) {
      return yield* wrong(
        `${pipeline.name}: sink ${name}: a notebook opens databases and lakes, not ${sink.type}; name another sink with --sink, or ask this one with millrace sql`
      )
    }
    const path = Option.getOrElse(options.output, () => `${pipeline.name}.ipynb`)
    const to = resolve(path)
    if (existsSync(to) && !options.force) {
      return yield* wrong(`${path} is there already: --force replaces it, --output names another file`)
    }
    const subject = { pipeline: pipeline.name, file: options.file, folder: dirname(to) }
    const isPostgres = readers._tag === "Postgres"
    const questions = questionsOf(tables, readers._tag !== "SqlScript", isPostgres ? "Postgres" : "DuckDB")
    let text: string
    if (isPostgres) {
      if (options.ts) {
        return yield* wrong(
          `${pipeline.name}: sink ${name}: a TypeScript notebook cannot open ${sink.type}; leave out --ts, or name another with --sink`
        )
      }
      const written = yield* urlOf(yield* textOf(options.file), name)
      text = notebookFile(pythonCells({ ...subject, readers, written }, questions), python)
    } else {
      const whole = { ...subject, readers }
      text = options.ts
        ? notebookFile(typeScriptCells(whole, questions, tables), deno)
        : notebookFile(pythonCells(whole, questions), python)
    }
    yield* Effect.tryPromise({
      try: async () => {
        await mkdir(dirname(to), { recursive: true })
        await writeFile(to, text)
      },
      catch: (cause) => notWritten(path, cause)
    })
    process.stdout.write(`${path}: ${tables.length} tables of sink ${name}; open it with \`jupyter lab ${path}\`\n`)
  },
  Effect.scoped,
  Effect.provide(engine)
)

/** The URL of a sink as the file has it; empty if it is not a text. */
const urlOf = (file: string, sink: string) =>
  Effect.map(
    Effect.promise(() => import("yaml")),
    ({ parse }) => {
      const url = [`sinks`, sink, "url"].reduce<unknown>(
        (value, key) => (Predicate.isObject(value) ? Reflect.get(value, key) : undefined),
        parse(file, { merge: true })
      )
      return typeof url === "string" ? url : ""
    }
  )
