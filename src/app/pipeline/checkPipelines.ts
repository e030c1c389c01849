/**
 * The work behind `millrace check`: reads every file, tries its steps and checks on empty tables, and reports all problems.
 * Nothing is run.
 */
import * as Effect from "effect/Effect"
import { engine } from "#library/services"
import { wrong } from "#see/CliFailure"
import { layoutOf, refuseMisplaced, refuseTaken } from "#see/layoutOf"
import { loadPipeline } from "#see/loadPipeline"

export const checkPipelines = Effect.fn("checkPipelines")(function* (options: {
  readonly files: ReadonlyArray<string>
  readonly vars: Readonly<Record<string, string>>
}) {
  const problems: Array<string> = []
  for (const path of options.files) {
    const message = yield* loadPipeline(path, options.vars).pipe(
      Effect.tap(refuseMisplaced),
      Effect.flatMap((loaded) =>
        Effect.scoped(Effect.flatMap(layoutOf(loaded), (layout) => refuseTaken(loaded, layout)))
      ),
      Effect.provide(engine),
      Effect.match({ onSuccess: () => undefined, onFailure: (error) => error.message })
    )
    if (message === undefined) process.stdout.write(`${path}: OK\n`)
    else problems.push(message)
  }
  if (problems.length > 0) return yield* wrong(problems.join("\n\n"))
})
