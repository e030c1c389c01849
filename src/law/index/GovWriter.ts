/**
 * The statements that put documents and sections into the index and take them out.
 *
 * A section that has not changed is not touched, because indexing its words is what costs; its keys come and go with it.
 * An identity in one version, and an address, has one row: the row of a file that this load has passed stays, and the
 * row of another file is replaced, because that file is read again when its turn comes.
 */
import { createHash } from "node:crypto"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { withoutNul } from "#base/withoutNul"
import { again, rejected } from "../corpus/once.ts"
import * as GovCiting from "../GovCiting.ts"
import { form } from "../GovSchema.ts"
import { type GovDocument, type GovSection, type Rejected, type Skipped, withoutVariant } from "../GovText.ts"
import * as Stems from "../rank/Stems.ts"
import * as Citation from "../text/Citation.ts"

/** What sections take from their document. */
interface Standing {
  readonly id: number
  readonly document: Pick<GovDocument, "collectionName" | "issuer" | "names" | "title" | "versionDate">
}

/** Documents by identity, as far as a file has needed them. */
export type Documents = Map<string, Standing>

interface SectionRow {
  readonly id: number
  readonly url: string
  readonly digest: string
}

/** A row with the address or the identity of a section that is being written. */
interface Known extends SectionRow {
  readonly identity: string
  readonly version: string
  readonly file_id: number
  readonly path: string
}

/** A file that is being loaded. */
interface File {
  readonly id: number
  /** Relative to its corpus. */
  readonly path: string
  /** The prefix of all paths of its corpus in the index. */
  readonly root: string
  /** The files that this load has passed: what they say is there. */
  readonly passed: ReadonlySet<number>
}

interface Put {
  /** The number of sections that are new or have changed. */
  readonly written: number
  /** The number of sections that are in the index now. */
  readonly sections: number
  readonly skipped: ReadonlyArray<Skipped>
  readonly rejected: ReadonlyArray<Rejected>
}

/** Adds a file without sections to the index. Returns its id. */
export const begin = Effect.fnUntraced(function* (path: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: number }>`INSERT INTO gov_file (path, digest, documents, sections, told, form)
    VALUES (${path}, '', 0, 0, '', ${form}) RETURNING id`
  return yield* idOf(rows)
})

/** The sections of a file in the index. */
export const sectionsOf = Effect.fnUntraced(function* (fileId: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<SectionRow>`SELECT id, url, digest FROM gov_section WHERE file_id = ${fileId}`
})

export const putDocument = Effect.fnUntraced(function* (document: GovDocument) {
  const sql = yield* SqlClient.SqlClient
  const facts = {
    identity: document.identity,
    title: withoutNul(document.title),
    issuer: document.issuer,
    level: document.level,
    jurisdiction: document.jurisdiction,
    collection: document.collection,
    collection_name: document.collectionName,
    names: JSON.stringify(document.names),
    version: document.version,
    version_date: document.versionDate ?? null
  }
  const rows = yield* sql<{ id: number }>`INSERT INTO gov_document ${sql.insert({ url: document.url, ...facts })}
    ON CONFLICT (url) DO UPDATE SET ${sql.update(facts)} RETURNING id`
  return yield* idOf(rows)
})

export const putSections = Effect.fnUntraced(function* (
  sections: ReadonlyArray<GovSection>,
  file: File,
  documents: Documents
) {
  const nothing: Put = { written: 0, sections: 0, skipped: [], rejected: [] }
  const sql = yield* SqlClient.SqlClient
  const urls = sections.map(({ url }) => url)
  const identities = sections.map(({ identity }) => withoutVariant(identity))
  if (!Arr.isArrayNonEmpty(urls) || !Arr.isArrayNonEmpty(identities)) return nothing
  const before = yield* sql<Known>`
    SELECT s.id, s.url, s.digest, s.identity, s.version, s.file_id, f.path FROM gov_section s
    JOIN gov_file f ON f.id = s.file_id WHERE s.url IN ${sql.in(urls)}
    UNION SELECT s.id, s.url, s.digest, s.identity, s.version, s.file_id, f.path FROM gov_section s
    JOIN gov_file f ON f.id = s.file_id WHERE s.identity IN ${sql.in(identities)}`
  const byUrl = new Map(before.map((one) => [one.url, one]))
  const byName = new Map(before.map((one) => [`${one.identity} ${one.version}`, one]))
  const knownOf = ({ identity, url, version }: GovSection): ReadonlyArray<Known> =>
    [byName.get(`${withoutVariant(identity)} ${version}`), byUrl.get(url)].filter((one) => one !== undefined)
  const left: Array<Skipped | Rejected> = []
  const own: Array<GovSection> = []
  for (const section of sections) {
    const other = knownOf(section).find(({ file_id }) => file_id !== file.id && file.passed.has(file_id))
    if (other === undefined) own.push(section)
    else left.push(yield* leftOut(section, file, other))
  }
  const prepared = yield* Effect.forEach(own, (section) =>
    Effect.map(rowOf(section, file.id, documents), (row) => ({ row, section, known: knownOf(section) }))
  )
  const isSame = ({ known, row }: (typeof prepared)[number]): boolean =>
    known.every(({ digest, url }) => digest === row.digest && url === row.url) && known.length > 0
  const fresh = prepared.filter((one) => !isSame(one))
  const same = prepared.filter(isSame).map(({ row }) => row.url)
  if (Arr.isArrayNonEmpty(same)) {
    yield* sql`UPDATE gov_section SET file_id = ${file.id} WHERE url IN ${sql.in(same)} AND file_id <> ${file.id}`
  }
  yield* remove(fresh.flatMap(({ known }) => known.map(({ id }) => id)))
  for (const some of Arr.chunksOf(fresh, 50)) {
    const put =
      yield* sql<SectionRow>`INSERT INTO gov_section ${sql.insert(Arr.map(some, ({ row }) => row))} RETURNING id, url`
    const ids = new Map(put.map(({ id, url }) => [url, id]))
    const keyed = some.flatMap(({ section }) => {
      const id = ids.get(section.url)
      return id === undefined ? [] : [{ id, section, keys: keysOf(section) }]
    })
    yield* putGists(some.flatMap(({ row }) => ({ ...row, id: ids.get(row.url) })))
    yield* putKeys(keyed.flatMap(({ id, keys }) => keys.map((key) => ({ ...key, section_id: id }))))
    yield* GovCiting.put(
      keyed.map(({ id, keys, section }) => ({
        id,
        section,
        keys: keys.filter(({ is_exact }) => is_exact === 1).map(({ key }) => key)
      }))
    )
  }
  const put: Put = {
    written: fresh.length,
    sections: own.length,
    skipped: left.filter((one) => one._tag === "Skipped"),
    rejected: left.filter((one) => one._tag === "Rejected")
  }
  return put
})

/** Why a section is left out: its name belongs to a section of a file that has not changed and was not read in this load. */
const leftOut = Effect.fnUntraced(function* (section: GovSection, file: File, other: Known) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ heading: string; body: string }>`
    SELECT heading, body FROM gov_section WHERE id = ${other.id}`
  const holder = {
    file: other.path.slice(file.root.length),
    line: undefined,
    identity: other.identity === withoutVariant(section.identity) ? section.identity : other.identity
  }
  const isSame =
    holder.identity === section.identity &&
    row?.heading === withoutNul(section.heading) &&
    row.body === withoutNul(section.text)
  return isSame ? again(section, file.path, holder) : rejected(section, file.path, holder)
})

export const remove = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  for (const some of Arr.chunksOf(ids, 500)) {
    yield* GovCiting.remove(some)
    yield* sql`DELETE FROM gov_key WHERE section_id IN ${sql.in(some)}`
    yield* sql`DELETE FROM gov_gist WHERE section_id IN ${sql.in(some)}`
    yield* sql`DELETE FROM gov_section WHERE id IN ${sql.in(some)}`
  }
})

const rowOf = Effect.fnUntraced(function* (section: GovSection, fileId: number, documents: Documents) {
  const { document, id } = documents.get(section.document) ?? (yield* loadedBefore(section.document, documents))
  const facts = {
    url: section.url,
    identity: withoutVariant(section.identity),
    document_id: id,
    number: section.number,
    citation: section.citation,
    heading: withoutNul(section.heading),
    context: withoutNul(contextOf(section, document)),
    body: withoutNul(section.text),
    notes: withoutNul(section.notes),
    status: section.status,
    version: section.version,
    version_date: section.versionDate ?? document.versionDate ?? null,
    adopted: section.adopted ?? null,
    effective: section.effective ?? null,
    effective_until: section.effectiveUntil ?? null
  }
  return {
    ...facts,
    file_id: fileId,
    digest: createHash("sha256")
      .update(JSON.stringify([form, facts, section.alsoCited]))
      .digest("base64url")
  }
})

/** The document of a section, from the index: a section with its own file may belong to a document of another file. */
const loadedBefore = Effect.fnUntraced(function* (identity: string, documents: Documents) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    id: number
    title: string
    issuer: string
    names: string
    collection_name: string
    version_date: string | null
  }>`SELECT id, title, issuer, names, collection_name, version_date FROM gov_document WHERE identity = ${identity}
    ORDER BY version_date DESC, id DESC LIMIT 1`
  if (row === undefined) return yield* Effect.die(`a section of ${identity} comes before its document`)
  const { id, issuer, title } = row
  const versionDate = row.version_date === null ? {} : { versionDate: row.version_date }
  const document = { title, issuer, collectionName: row.collection_name, names: namesOf(row.names), ...versionDate }
  documents.set(identity, { id, document })
  return { id, document }
})

const namesOf = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))

/** The names of everything around a section, so that a query that names its chapter or its regulation finds it. */
const contextOf = (
  { citation, path }: GovSection,
  { collectionName, issuer, names, title }: Standing["document"]
): string => [...new Set([citation, collectionName, issuer, title, ...names, ...path])].join("\n")

/** Keeps the words of sections as a query counts them. */
const putGists = Effect.fnUntraced(function* (
  rows: ReadonlyArray<
    Readonly<Record<"heading" | "context" | "body" | "notes", string | null>> & { readonly id: number | undefined }
  >
) {
  const sql = yield* SqlClient.SqlClient
  const gists = rows.flatMap(({ id, ...texts }) => {
    if (id === undefined) return []
    const [heading, context, body, notes] = [texts.heading, texts.context, texts.body, texts.notes].map(
      (one) => one ?? ""
    )
    return [
      {
        section_id: id,
        often: Stems.often(body ?? ""),
        stems: Stems.packed({ heading: heading ?? "", context: context ?? "", body: body ?? "" }),
        note_stems: Stems.bytesOf(Stems.of(notes ?? ""))
      }
    ]
  })
  if (Arr.isArrayNonEmpty(gists)) yield* sql`INSERT INTO gov_gist ${sql.insert(gists)}`
})

const putKeys = Effect.fnUntraced(function* (keys: ReadonlyArray<SectionKey & { readonly section_id: number }>) {
  const sql = yield* SqlClient.SqlClient
  for (const some of Arr.chunksOf(keys, 500)) {
    const rows = Arr.map(some, ({ is_exact, key, section_id }) => ({ key, section_id, is_exact }))
    yield* sql`INSERT INTO gov_key ${sql.insert(rows)}`
  }
})

/** The id from an INSERT with RETURNING, which returns one row. */
const idOf = (rows: ReadonlyArray<{ readonly id: number }>): Effect.Effect<number> =>
  Effect.orDie(Effect.fromNullishOr(rows[0]?.id))

/** The keys that find a section: its citations in all forms, its number, and the texts that contain it. */
interface SectionKey {
  readonly key: string
  /** 1: the key names this section; 0: it names a text that contains the section. */
  readonly is_exact: 0 | 1
}

const keysOf = (section: GovSection): ReadonlyArray<SectionKey> => {
  const { alsoCited, citation, document, identity, number, path, status } = section
  const cited = [citation, ...alsoCited].flatMap((text) =>
    Citation.find(text).map((one) => ({ ...one, isWhole: restOf(text, one.end) === "" }))
  )
  const whole = cited.filter(({ isBare, isWhole }) => isWhole && !isBare)
  const numbers = [Citation.bareKey(number), `n/${number.toLowerCase()}`]
  // An interpretation has the number of the section that it explains, but the number means the section.
  const isGuidance = status === "guidance"
  const exact = [
    `id/${identity}`,
    ...[citation, ...alsoCited].map(Citation.wholeKey),
    ...(isGuidance ? [] : numbers),
    ...wholeOf(identity),
    ...whole.flatMap(({ keys }) => keys)
  ]
  const around = path
    .flatMap((step) => /\b\d+[a-z]?(?:\.\d+[a-z]?)+/i.exec(step) ?? [])
    .map((found) => `n/${found.toLowerCase()}`)
  const within = [`id/${document}`, ...cited.flatMap(({ keys, within }) => [...keys, ...within]), ...around]
  const keys = new Map<string, 0 | 1>([
    ...[...within, ...numbers].map((key) => [key, 0] as const),
    ...exact.map((key) => [key, 1] as const)
  ])
  return [...keys].map(([key, is_exact]) => ({ key, is_exact }))
}

/** A whole number in the code of a state is cited by it under any name of the code: "us-md/21.03.04.01". */
const wholeOf = (identity: string): ReadonlyArray<string> => {
  const [, state, number] = /^(us-[a-z]{2})\/code\/(\d[^/]*)$/i.exec(identity) ?? []
  return state === undefined || number === undefined ? [] : [`${state}/${number.toLowerCase()}`]
}

/** What follows in a citation: "83 Fed. Reg. 21707 (2018-09910), part 1" is not the whole notice. */
const restOf = (text: string, end: number): string =>
  text
    .slice(end)
    .replace(/^[)\s]+|\([^)]*\)/g, "")
    .trim()
