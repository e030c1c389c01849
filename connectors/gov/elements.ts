/**
 * Makes elements of the source's answers: the rows of a piece of a file, warnings of what is left out, a reject for a broken
 * file, and the state of the reading.
 */
import * as Schema from "effect/Schema"
import * as Checkpoint from "#engine/Checkpoint"
import * as Source from "#engine/Source"
import * as Table from "#engine/Table"
import type { Stand, State } from "./Reading.ts"
import * as rows from "./rows.ts"
import * as tables from "./tables.ts"

export const Broken = Schema.Struct({
  file: Schema.String,
  line: Schema.optionalKey(Schema.Int),
  message: Schema.String
})

type Elements = ReadonlyArray<Source.Element<State>>

export const elementsOf = (at: number, { file, texts }: rows.Piece): Elements => {
  const context = { at, file }
  const documents = texts.flatMap((text) => (text._tag === "Document" ? [rows.document(context, text)] : []))
  const sections = texts.flatMap((text) => (text._tag === "Section" ? [rows.section(context, text)] : []))
  return [
    ...(documents.length === 0 ? [] : [Table.batch(tables.documents, documents)]),
    ...(sections.length === 0 ? [] : [Table.batch(tables.sections, sections)]),
    ...texts.flatMap((text) => (text._tag === "Rejected" ? [twinOf(text)] : [])),
    ...Source.warnings(texts.flatMap((text) => (text._tag === "Skipped" ? [[placeOf(text), text.why] as const] : [])))
  ]
}

/** "titles/7.html:12" */
const placeOf = ({ file, line }: { readonly file: string; readonly line?: number | undefined }): string =>
  line === undefined ? file : `${file}:${line}`

/** A section whose identity another section of the corpus has. */
const twinOf = ({
  section,
  why
}: Extract<rows.Piece["texts"][number], { readonly _tag: "Rejected" }>): Source.Reject => ({
  _tag: "Reject",
  table: tables.sections,
  reason: why,
  path: "identity",
  raw: section
})

export const standOf = ({ clashes, discovered, failed, state }: Stand): Elements => [
  Source.progress({
    discovered,
    read: discovered - failed,
    failed,
    ...(clashes === undefined ? {} : { clashes })
  }),
  Checkpoint.make<State>(state)
]

export const rejectOf = (broken: typeof Broken.Type): Source.Reject => ({
  _tag: "Reject",
  table: tables.sections,
  reason: `${placeOf(broken)}: ${broken.message}`,
  raw: broken
})
