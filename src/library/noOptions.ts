/** The options of a source or a sink that has none: any key beside `type` is a mistake. */
import * as Schema from "effect/Schema"

const none = Schema.Struct({}).check(
  Schema.makeFilter((options: object) => {
    const [key] = Object.keys(options)
    return key === undefined || { path: [key], issue: "unknown key: there are no options" }
  })
)

/** The schema of the author, or that of no keys, which is what the options are by default. */
export const optionsOf = <Options, Encoded>(
  schema: Schema.Codec<Options, Encoded> | undefined
): Schema.Codec<Options, Encoded> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- where the author gives no schema, Options is the default of the type
  schema ?? (none as unknown as Schema.Codec<Options, Encoded>)
