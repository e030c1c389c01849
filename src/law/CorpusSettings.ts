/**
 * What files of government texts do not say about themselves, as the user says it: for a whole corpus and for folders of it.
 *
 * A setting fills what a file leaves open. What the file itself says has priority.
 */
import * as Schema from "effect/Schema"

const fields = {
  issuer: Schema.optionalKey(Schema.String).annotate({ description: "the issuer of the texts: City of Springfield" }),
  level: Schema.optionalKey(Schema.Literals(["federal", "state", "local"])).annotate({
    description: "the level of government"
  }),
  jurisdiction: Schema.optionalKey(Schema.String).annotate({
    description: "the place where the texts are law: Springfield, Illinois"
  }),
  collection: Schema.optionalKey(
    Schema.Literals([
      "us-code",
      "cfr",
      "federal-register",
      "act",
      "bill",
      "interpretation",
      "state-code",
      "municipal-code",
      "charter",
      "ordinance"
    ])
  ).annotate({ description: "the kind of the texts" }),
  collectionName: Schema.optionalKey(Schema.String).annotate({
    description: "the name of the texts in citations: Springfield Municipal Code"
  }),
  baseUrl: Schema.optionalKey(Schema.String).annotate({
    description: "the web address at which the files are published"
  })
}

export const Settings = Schema.Struct(fields)
export type Settings = typeof Settings.Type

/** What a source or a command that reads a corpus takes. */
export const settings = {
  ...fields,
  folders: Schema.optionalKey(Schema.Record(Schema.String, Settings)).annotate({
    description: "the same settings for folders of the corpus, by their path in it; the nearest folder has priority"
  })
}

export const Options = Schema.Struct(settings)
export type Options = typeof Options.Type

interface OfFile {
  readonly settings: Settings
  /** The file's path in the folder that says its `baseUrl`. */
  readonly beneath: string
}

/** The settings of a file: those of the corpus, then those of its folders, outermost first. */
export const of = ({ folders = {}, ...all }: Options, file: string): OfFile => {
  const own = Object.entries(folders)
    .map(([folder, settings]) => ({ folder: folder.replaceAll(edges, ""), settings }))
    .filter(({ folder }) => folder === "" || file === folder || file.startsWith(`${folder}/`))
    .toSorted((one, other) => one.folder.length - other.folder.length)
  const published = own.findLast(({ settings }) => settings.baseUrl !== undefined)?.folder ?? ""
  return {
    settings: own.reduce<Settings>((outer, { settings }) => ({ ...outer, ...settings }), all),
    beneath: published === "" ? file : file.slice(published.length + 1)
  }
}

const edges = /^(\.?\/)+|\/+$/g

/** A file, or a folder of files, that cannot be read: which, where in it, and why. */
export class CorpusError extends Schema.TaggedError<CorpusError>()("CorpusError", {
  /** Relative to the corpus. */
  file: Schema.String,
  /** From 1, where it is known. */
  line: Schema.optionalKey(Schema.Int),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
