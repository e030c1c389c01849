/** What a pipeline file may say under a source of `type: gov_corpus`. */
import * as Schema from "effect/Schema"
import * as Location from "#engine/Location"
import { settings } from "#law/CorpusSettings"

export const Options = Schema.Struct({
  path: Location.path.annotate({
    description: "a folder of government texts, or one file; relative to the pipeline file"
  }),
  ...settings
})
export type Options = typeof Options.Type
