/** The work behind `millrace notebook`: the tables of a pipeline, and how they are opened, as a notebook. */
import { existsSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { engine } from "../../library/services.ts"
import { failed, wrong } from "../CliFailure.ts"
import { type Options as Asked, tablesOfSink } from "../export/tablesOfSink.ts"
import { deno, notebookFile, python } from "./notebookFile.ts"
import { pythonCells } from "./pythonNotebook.ts"
import { questionsOf } from "./questions.ts"
import { typeScriptCells } from "./typeScriptNotebook.ts"

export interface Options extends Asked {
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
        `${pipeline.name}: sink ${name}: a notebook cannot open ${sink.type}; name another with --sink`
      )
    }
    const path = Option.getOrElse(options.output, () => `${pipeline.name}.ipynb`)
    const to = resolve(path)
    if (existsSync(to) && !options.force) {
      return yield* wrong(`${path} is there already: --force replaces it, --output names another file`)
    }
    const subject = { pipeline: pipeline.name, file: options.file, readers, folder: dirname(to) }
    const questions = questionsOf(tables, readers._tag === "DuckDbFile")
    const text = options.ts
      ? notebookFile(typeScriptCells(subject, questions, tables), deno)
      : notebookFile(pythonCells(subject, questions), python)
    yield* Effect.tryPromise({
      try: async () => {
        await mkdir(dirname(to), { recursive: true })
        await writeFile(to, text)
      },
      catch: (cause) => failed(`${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`)
    })
    process.stdout.write(`${path}: ${tables.length} tables of sink ${name}; open it with \`jupyter lab ${path}\`\n`)
  },
  Effect.scoped,
  Effect.provide(engine)
)
