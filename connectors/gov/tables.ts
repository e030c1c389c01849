/**
 * The tables that a corpus of government texts fills.
 */
import * as Schema from "effect/Schema"
import * as Column from "#engine/Column"
import * as Table from "#engine/Table"

const { described } = Column
const day = Schema.NullOr(Column.Day)
const texts = Schema.Array(Schema.String)

/** What every row carries: when it was read, and from which file of the corpus. */
const system = {
  _fetched_at: described(Column.Timestamp, "when it was read"),
  _file: described(Schema.String, "the file of the corpus that it is from")
}
/** A text that stands in another file is the same text. */
const visit = { _file: true } as const

/**
 * The table of documents: one row per text, such as a title of a code.
 *
 * @example
 * ```ts
 * import { tables } from "millrace/connectors/gov"
 *
 * console.log(tables.documents.key) // ["identity", "version"]
 * ```
 */
export const documents = Table.make({
  name: "gov_documents",
  suffix: "_documents",
  description: "one row per code title, regulation, Act, bill or notice, in one version",
  key: ["identity", "version"],
  visit,
  schema: Schema.Struct({
    identity: described(Schema.String, "the name of the document in all its versions"),
    title: described(Schema.String, "its title"),
    issuer: described(Schema.String, "who issued it"),
    level: described(Schema.String, "federal, state or local"),
    jurisdiction: described(Schema.String, "whose law it is"),
    collection: described(Schema.String, "its collection"),
    collection_name: described(Schema.String, "the name of that collection"),
    names: described(texts, "other names that it is known by"),
    version: described(Schema.String, "the version, as its publisher names it"),
    version_date: described(day, "the day of that version"),
    url: described(Schema.String, "the URL of the document"),
    ...system
  })
})

/**
 * The table of sections: one row per section of a text, in one version.
 *
 * @example
 * ```ts
 * import { tables } from "millrace/connectors/gov"
 *
 * console.log(tables.sections.key) // ["url"]
 * ```
 */
export const sections = Table.make({
  name: "gov_sections",
  description: "one row per section of a government text, in one version",
  key: ["url"],
  visit,
  schema: Schema.Struct({
    url: described(Schema.String, "the URL of the section"),
    identity: described(Schema.String, "the name of its document in all versions"),
    document: described(Schema.String, "the title of its document"),
    number: described(Schema.String, "the number of the section"),
    citation: described(Schema.String, "how it is cited"),
    also_cited: described(texts, "other ways in which it is cited"),
    heading: described(Schema.String, "its heading"),
    path: described(texts, "the headings above it, from the top"),
    text: described(Schema.String, "its text"),
    notes: described(Schema.String, "its notes"),
    status: described(Schema.String, "whether it is in force"),
    version: described(Schema.String, "the version of its document"),
    version_date: described(day, "the day of that version"),
    adopted: described(day, "when it was adopted"),
    effective_from: described(day, "the first day on which this text is in force"),
    effective_until: described(day, "the first day on which it is not in force any more"),
    ...system
  })
})

/**
 * The table of files: one row per file of law, with the census of its tags.
 *
 * @example
 * ```ts
 * import { tables } from "millrace/connectors/gov"
 *
 * console.log(tables.files.key) // ["file"]
 * ```
 */
export const files = Table.make({
  name: "gov_files",
  suffix: "_files",
  description: "one row per file of law: what its tags say that it has, and what was read",
  key: ["file"],
  schema: Schema.Struct({
    file: described(Schema.String, "the file of the corpus"),
    headings: described(
      Schema.Int,
      "the headings of sections, counted from its tags; a range is one, and what repeats a section is none"
    ),
    sections: described(Schema.Int, "the headings that are sections"),
    exceptions: described(Schema.Int, "the headings that are left out or rejected, each with a warning or a reject"),
    words: described(Schema.Int, "all its words, counted from its tags"),
    words_read: described(
      Schema.Int,
      "the words that are in its sections, their notes and paths, and in titles of documents"
    ),
    words_furniture: described(Schema.Int, "the words in elements that have no law, such as a table of contents"),
    words_left: described(Schema.Int, "the words that are left out or rejected, each text with a warning or a reject"),
    differences: described(texts, "the lines of other words and headings, which are lost: empty if all was read"),
    ...system
  })
})
