/**
 * What keeps anything from starting: a file that cannot be read, a variable of the environment or an option that is wrong.
 * The command line ends with exit code 2 for it.
 */
import * as Schema from "effect/Schema"

/**
 * What keeps a run from starting: a file that cannot be read, a wrong variable of the environment, or a wrong option.
 * The command line ends with exit code 2 for it.
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
