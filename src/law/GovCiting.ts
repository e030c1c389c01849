/**
 * The sentences by which sections cite others, and what each section is said to be where it is cited.
 *
 * A sentence belongs to the section that says it and goes with it. What is said of a section is made of such sentences at the
 * end of a load, for the keys that the load has touched: in an order that does not depend on the order of loads, each sentence
 * once, and no more of them than `maxSentences` and `maxLetters`. Keys that are still marked, as a load was killed, are
 * looked at in the next one.
 */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { withoutNul } from "#base/withoutNul"
import type { GovSection } from "./GovText.ts"
import * as Citation from "./text/Citation.ts"
import { numberedCodes, titledCodes } from "./text/titledCodes.ts"

/** The limits of the kept sentences about one section. */
const maxSentences = 16
const maxLetters = 3_000

/** Of a section that is put: its sentences, and which sections must be looked at again. */
export const put = Effect.fnUntraced(function* (
  sections: ReadonlyArray<{ readonly id: number; readonly section: GovSection; readonly keys: ReadonlyArray<string> }>
) {
  const sql = yield* SqlClient.SqlClient
  const rows = sections.flatMap(({ id, section }) =>
    citingSentences(section.text).map(({ key, text, within }) => ({
      section_id: id,
      key,
      scope: within === "anywhere" ? "" : within === "document" ? section.document : codeOf(section.document),
      text: withoutNul(text)
    }))
  )
  for (const some of Arr.chunksOf(rows, 200)) yield* sql`INSERT INTO gov_citing ${sql.insert(some)}`
  yield* mark([...rows.map(({ key }) => key), ...sections.flatMap(({ keys }) => keys)])
})

/** Removes the sentences of these sections. */
export const remove = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
  if (!Arr.isReadonlyArrayNonEmpty(ids)) return
  const sql = yield* SqlClient.SqlClient
  const cited = yield* sql<{ key: string }>`SELECT DISTINCT key FROM gov_citing WHERE section_id IN ${sql.in(ids)}`
  yield* mark(cited.map(({ key }) => key))
  yield* sql`DELETE FROM gov_citing WHERE section_id IN ${sql.in(ids)}`
  yield* sql`DELETE FROM gov_cited WHERE section_id IN ${sql.in(ids)}`
})

const mark = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const some of Arr.chunksOf([...new Set(keys)], 200)) {
    yield* sql`INSERT INTO gov_recite ${sql.insert(Arr.map(some, (key) => ({ key })))} ON CONFLICT (key) DO NOTHING`
  }
})

/** Writes what is said of the sections whose keys are marked. */
export const settle = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (;;) {
    const marked = yield* sql<{ key: string }>`SELECT key FROM gov_recite ORDER BY key LIMIT 200`
    const keys = marked.map(({ key }) => key)
    if (!Arr.isArrayNonEmpty(keys)) return
    yield* sql.withTransaction(
      Effect.gen(function* () {
        const cited = yield* sql<{ id: number }>`
          SELECT DISTINCT section_id AS id FROM gov_key WHERE key IN ${sql.in(keys)} AND is_exact = 1`
        for (const some of Arr.chunksOf(cited, 200)) yield* recite(Arr.map(some, ({ id }) => id))
        yield* sql`DELETE FROM gov_recite WHERE key IN ${sql.in(keys)}`
      })
    )
  }
})

interface CitedRow {
  readonly id: number
  readonly text: string
}

const recite = Effect.fnUntraced(function* (ids: Arr.NonEmptyReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  const sentences = yield* sql<CitedRow & { readonly scope: string; readonly document: string }>`
    SELECT k.section_id AS id, c.text, c.scope, d.identity AS document
    FROM gov_key k
    JOIN gov_section s ON s.id = k.section_id
    JOIN gov_document d ON d.id = s.document_id
    JOIN gov_citing c ON c.key = k.key
    JOIN gov_section f ON f.id = c.section_id
    WHERE k.section_id IN ${sql.in(ids)} AND k.is_exact = 1 AND f.identity <> s.identity
    ORDER BY k.section_id, CASE f.status WHEN 'in force' THEN 0 ELSE 1 END, f.url, c.key`
  const meant = sentences.filter(({ document, scope }) => isWithin(document, scope))
  const bySection = Map.groupBy(meant, ({ id }) => id)
  const citedRows = yield* sql<CitedRow>`SELECT section_id AS id, cited AS text FROM gov_cited
    WHERE section_id IN ${sql.in(ids)}`
  const before = new Map(citedRows.map(({ id, text }) => [id, text]))
  const fresh = ids
    .map((id) => ({ section_id: id, cited: joined(bySection.get(id) ?? []) }))
    .filter(({ cited, section_id }) => cited !== (before.get(section_id) ?? ""))
  if (!Arr.isArrayNonEmpty(fresh)) return
  yield* sql`DELETE FROM gov_cited WHERE section_id IN ${sql.in(fresh.map(({ section_id }) => section_id))}`
  const some = fresh.filter(({ cited }) => cited !== "")
  if (Arr.isArrayNonEmpty(some)) yield* sql`INSERT INTO gov_cited ${sql.insert(some)}`
})

const joined = (sentences: ReadonlyArray<CitedRow>): string => {
  const texts: Array<string> = []
  let letters = 0
  for (const text of new Set(sentences.map((one) => one.text))) {
    letters += text.length + 1
    if (texts.length === maxSentences || letters > maxLetters) break
    texts.push(text)
  }
  return texts.join("\n")
}

/** `scope`: a document, a code, or "" for all. */
const isWithin = (document: string, scope: string): boolean =>
  scope === "" || document === scope || codeOf(document) === scope

/** The code of a document, which is a title or a part of it: "us/cfr/t12/" for "us/cfr/t12/p1005". No document has this name. */
const codeOf = (document: string): string => document.slice(0, document.lastIndexOf("/") + 1)

interface CitingSentence {
  /** The key of the cited text. */
  readonly key: string
  /** Where it is meant: "section 5" in the same document, "10.04.010" in the same code, "17 U.S.C. 107" anywhere. */
  readonly within: "document" | "code" | "anywhere"
  /** The sentence without the citation. */
  readonly text: string
}

/** The maximum number of texts that one section cites: a list of all sections of a code describes none of them. */
const maxCited = 100

/** Characters of a sentence, and of its words beside the citation at least. */
const maxSentenceLetters = 300
const minLetters = 25

/**
 * What a text says where it cites: for each text that is cited, the sentence around the first citation of it.
 *
 * What others say when they cite a section describes it, often in other words than its own. A number alone counts inside the
 * document that says it, unless the name of another one follows it.
 */
export const citingSentences = (text: string): ReadonlyArray<CitingSentence> => {
  const found = new Map<string, CitingSentence>()
  for (const line of text.split("\n")) {
    if (!anchor.test(line)) continue
    for (const sentence of sentencesOf(line)) {
      if (!anchor.test(sentence)) continue
      for (const { end, isBare, keys, start } of Citation.find(sentence)) {
        const within = isBare ? "document" : keys.some((key) => key.startsWith("n/")) ? "code" : "anywhere"
        if (within !== "anywhere" && elsewhere.test(sentence.slice(end))) continue
        const context = around(sentence, start, end)
        if (context.length < minLetters) continue
        for (const key of keys) if (!found.has(key)) found.set(key, { key, within, text: context })
        if (found.size >= maxCited) return [...found.values()]
      }
    }
  }
  return [...found.values()]
}

/** Every citation contains one of these. Most lines do not, so they are not searched further. */
const anchor = new RegExp(
  String.raw`(?:§|\bsect?(?:ions?|s?\.)) ?\d|\b(?:u\.? ?s\.? ?c|c\.? ?f\.? ?r|pub\. ?l|public law|${[
    ...titledCodes,
    ...numberedCodes
  ]
    .map(({ books }) => books)
    .join("|")})(?!\w)`,
  "i"
)

/** "of the Clean Air Act"; "of this title" is the text's own. */
const elsewhere = /^,? (?:of|to|in) (?!this\b|such\b|that\b|these\b|the same\b)/i

/** What ends in a full stop behind a word of small letters, and what semicolons part. */
const sentencesOf = (line: string): ReadonlyArray<string> =>
  line.length <= maxSentenceLetters ? [line] : line.split(/(?<=[a-z)]{3}\.)\s+(?=[A-Z(])|(?<=;)\s+/)

/** The sentence without the citation, or of a long one what stands around it, cut at blanks. */
const around = (sentence: string, start: number, end: number): string => {
  const before = sentence.slice(0, start)
  const after = sentence.slice(end)
  const half = Math.floor(maxSentenceLetters / 2)
  const from = before.length <= half ? 0 : before.indexOf(" ", before.length - half) + 1
  const cut = after.length <= half ? after.length : after.lastIndexOf(" ", half)
  return `${before.slice(from)} ${after.slice(0, Math.max(0, cut))}`.replace(/\s+/g, " ").trim()
}
