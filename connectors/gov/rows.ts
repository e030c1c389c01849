/**
 * Documents and sections as rows.
 */
import * as Schema from "effect/Schema"
import { timestampFromMillis } from "#engine/Column"
import type * as Table from "#engine/Table"
import { Census } from "#law/Corpus"
import type { GovText } from "#law/GovText"

/** Texts as they stand in an answer. */
const texts = Schema.Array(Schema.String)
const optional = Schema.optionalKey(Schema.String)

const Document = Schema.Struct({
  _tag: Schema.Literal("Document"),
  identity: Schema.String,
  title: Schema.String,
  issuer: Schema.String,
  level: Schema.String,
  jurisdiction: Schema.String,
  collection: Schema.String,
  collectionName: Schema.String,
  names: texts,
  version: Schema.String,
  versionDate: optional,
  url: Schema.String
})

const Section = Schema.Struct({
  _tag: Schema.Literal("Section"),
  document: Schema.String,
  identity: Schema.String,
  number: Schema.String,
  citation: Schema.String,
  alsoCited: texts,
  heading: Schema.String,
  path: texts,
  text: Schema.String,
  notes: Schema.String,
  status: Schema.String,
  version: Schema.String,
  versionDate: optional,
  adopted: optional,
  effective: optional,
  effectiveUntil: optional,
  url: Schema.String,
  line: Schema.optionalKey(Schema.Int)
})

const Rejected = Schema.Struct({
  _tag: Schema.Literal("Rejected"),
  file: Schema.String,
  line: Schema.optionalKey(Schema.Int),
  other: Schema.String,
  section: Section,
  why: Schema.String
})

const Skipped = Schema.Struct({
  _tag: Schema.Literal("Skipped"),
  file: Schema.String,
  line: Schema.optionalKey(Schema.Int),
  why: Schema.String,
  other: optional
})

/** A piece of a file: what it is, and what it says. */
export const Piece = Schema.Struct({
  file: Schema.String,
  texts: Schema.Array(Schema.Union([Document, Section, Skipped, Rejected, Census]))
})
export type Piece = typeof Piece.Type

/** The texts of the room of government texts are those of an answer. */
export const pieceOf = (file: string, texts: ReadonlyArray<GovText | Census>): Piece => ({ file, texts: texts })

interface Context {
  readonly file: string
  /** When it was read, in milliseconds. */
  readonly at: number
}

const system = ({ at, file }: Context) => ({ _fetched_at: timestampFromMillis(at), _file: file })

export const document = (context: Context, found: typeof Document.Type): Table.Row => ({
  identity: found.identity,
  title: found.title,
  issuer: found.issuer,
  level: found.level,
  jurisdiction: found.jurisdiction,
  collection: found.collection,
  collection_name: found.collectionName,
  names: found.names,
  version: found.version,
  version_date: found.versionDate ?? null,
  url: found.url,
  ...system(context)
})

export const section = (context: Context, found: typeof Section.Type): Table.Row => ({
  url: found.url,
  identity: found.identity,
  document: found.document,
  number: found.number,
  citation: found.citation,
  also_cited: found.alsoCited,
  heading: found.heading,
  path: found.path,
  text: found.text,
  notes: found.notes,
  status: found.status,
  version: found.version,
  version_date: found.versionDate ?? null,
  adopted: found.adopted ?? null,
  effective_from: found.effective ?? null,
  effective_until: found.effectiveUntil ?? null,
  ...system(context)
})

export const file = (context: Context, found: typeof Census.Type): Table.Row => ({
  file: found.file,
  headings: found.headings,
  sections: found.sections,
  exceptions: found.exceptions,
  words: found.words,
  words_read: found.wordsRead,
  words_furniture: found.wordsFurniture,
  words_left: found.wordsLeft,
  differences: found.differences,
  ...system(context)
})
