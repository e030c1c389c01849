/** Where the reports of scheduled runs are: FOLDER/NAME/RUN.html, FOLDER as the pipeline file has it. */
import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Task } from "#engine/ScheduleTask"

export const folderOf = (path: string, folder: string, name: string): string =>
  join(resolve(dirname(path), folder), name)

/** Where the report of a run is; undefined: none was made. */
export const reportOf = (
  { name, path, timing }: Pick<Task, "name" | "path" | "timing">,
  runId: string | null
): string | undefined => {
  if (timing.report === undefined || runId === null) return undefined
  const file = join(folderOf(path, timing.report, name), `${runId}.html`)
  return existsSync(file) ? file : undefined
}
