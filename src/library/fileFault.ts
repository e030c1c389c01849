/** What the engine finds wrong with steps and checks of a pipeline file, at its line and column. */
import type * as PipelineFile from "../file/PipelineFile.ts"
import { PipelineFileError } from "../file/PipelineFileError.ts"
import type { Fault, StageError } from "../pipeline/Stage.ts"

/** Every fault of the steps and checks of a file, in the order of its lines; undefined: it is none of the file. */
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

const isStageError = (error: { readonly _tag: string }): error is StageError => error._tag === "StageError"
