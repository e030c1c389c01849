/**
 * What keeps anything from starting: a file that cannot be read, a variable of the environment or an option that is wrong.
 * The command line ends with exit code 2 for it.
 */
import * as Schema from "effect/Schema"

export class StartError extends Schema.TaggedError<StartError>()("StartError", {
  message: Schema.String
}) {}

export const wrong = (message: string) => new StartError({ message })
