/** The options with which a pipeline file is decoded. */
import type * as Connector from "../Connector.ts"
import type * as FileModules from "../FileModules.ts"
import type * as Interpolation from "../Interpolation.ts"

/**
 * The options with which the text of a pipeline file is decoded: the connectors, the environment, the variables, and the
 * run of `${run.date}` and `${run.id}`.
 */
export interface LoadOptions<R> {
  /** The connectors, whose sources and sinks `type:` can name. */
  readonly connectors: ReadonlyArray<Connector.Connector<R>>
  /** Imports the modules that the file names; absent: a file that names modules is refused. */
  readonly importModule?: FileModules.ImportModule
  /** Reads the columns that a module exports. */
  readonly readColumns?: FileModules.ReadColumns
  /** The values of `${env.NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The secret of a name, or why there is none; default: MILLRACE_SECRET_NAME of `env`. */
  readonly secrets?: (name: string) => string | Interpolation.Wrong
  /** Variables that override the file's own `vars:`. */
  readonly vars?: Readonly<Record<string, string>>
  /** The moment of the run: `${run.date}` is its day in the time zone of the file's schedule, otherwise in UTC. */
  readonly runDate: Date
  /** The value of `${run.id}`. */
  readonly runId: string
  /** The values of `${interval.X}`; absent: there is no interval. */
  readonly interval?: Interpolation.IntervalValues | undefined
}
