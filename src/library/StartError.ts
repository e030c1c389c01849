/**
 * The error for everything that prevents a start.
 */
import * as Schema from "effect/Schema"

/**
 * A run or a query cannot start: a file cannot be read, or an environment variable or an option is invalid. The command line
 * then ends with exit code 2.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Engine } from "millrace"
 *
 * const started = Effect.flip(Engine.run("no-such-file.yaml"))
 * console.log((await Effect.runPromise(started)).message) // "no-such-file.yaml: cannot be read: there is no such file"
 * ```
 */
export class StartError extends Schema.TaggedError<StartError>()("StartError", {
  message: Schema.String
}) {}

export const wrong = (message: string) => new StartError({ message })
