/** What a pipeline file is decoded with. */
import type * as Connector from "../pipeline/Connector.ts"
import type * as FileModules from "./FileModules.ts"
import type * as Interpolation from "./Interpolation.ts"

/**
 * What the text of a file is decoded with: the connectors, the environment, the variables, and the run that
 * `${run.date}` and `${run.id}` name.
 */
export interface LoadOptions<R> {
  /** What `type:` of a source and of a sink can name. */
  readonly connectors: ReadonlyArray<Connector.Connector<R>>
  /** How the modules that the file names are imported; absent: a file that names one is refused. */
  readonly importModule?: FileModules.ImportModule
  /** Reads the columns that a module writes down. */
  readonly readColumns?: FileModules.ReadColumns
  /** What `${env.NAME}` stands for. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The secret of a name, or what is wrong; default: MILLRACE_SECRET_NAME of the environment. */
  readonly secrets?: (name: string) => string | Interpolation.Wrong
  /** Goes before the file's own `vars:`. */
  readonly vars?: Readonly<Record<string, string>>
  /** What `${run.date}` stands for, as a day in UTC. */
  readonly runDate: Date
  /** What `${run.id}` stands for. */
  readonly runId: string
  /** What `${interval.X}` stands for. */
  readonly interval?: Interpolation.IntervalValues | undefined
}
