/** What a pipeline file may say under a source of `type: gov_corpus`. */
import * as Schema from "effect/Schema"
import { settings } from "../../src/gov/corpus/Settings.ts"
import * as Location from "../../src/pipeline/Location.ts"

export const Options = Schema.Struct({
  path: Location.path.annotate({
    description: "a folder of government texts, or one file; relative to the pipeline file"
  }),
  ...settings
})
export type Options = typeof Options.Type
