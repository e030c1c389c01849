/**
 * What the engine finds wrong with steps and checks: of a file at its line and column, of a program at its place in the
 * pipeline.
 */
import type * as PipelineFile from "#engine/PipelineFile"
import { PipelineFileError } from "#engine/PipelineFileError"
import { type Fault, StageError } from "#engine/Stage"

/** Every fault of the steps and checks of a file, in the order of its lines; undefined: it is not a fault of the file. */
export const fileFault = (
  file: Pick<PipelineFile.PipelineFile<never>, "problemAt">,
  error: { readonly _tag: string }
): PipelineFileError | undefined => {
  if (!isStageError(error) || error.path.length === 0) return undefined
  const faults: ReadonlyArray<Fault> = [error, ...(error.others ?? [])]
  const issues = faults.flatMap(({ at, hint, message, path }) => {
    const more = { ...(at === undefined ? {} : { at }), ...(hint === undefined ? {} : { hint }) }
    return file.problemAt(path, message, more).issues
  })
  return new PipelineFileError({ issues: issues.toSorted((a, b) => a.line - b.line || a.column - b.column) })
}

/** The same error with every fault in its message, each with its place: "steps.0.where: ...". */
export const placed = <E extends { readonly _tag: string }>(error: E): E | StageError => {
  if (!isStageError(error) || error.path.length === 0) return error
  const faults: ReadonlyArray<Fault> = [error, ...(error.others ?? [])]
  const lines = faults.map(
    ({ hint, message, path }) => `${path.join(".")}: ${message}${hint === undefined ? "" : `; ${hint}`}`
  )
  return new StageError({ ...error, message: lines.join("\n") })
}

const isStageError = (error: { readonly _tag: string }): error is StageError => error._tag === "StageError"
