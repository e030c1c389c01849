/**
 * The texts of a corpus in memory, and what the evaluation asks of them: which section an address is of, which versions a
 * section has, what it stands in.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Corpus from "../../src/law/Corpus.ts"
import type { Options } from "../../src/law/CorpusSettings.ts"
import { type GovDocument, type GovSection, type GovText, withoutVariant } from "../../src/law/GovText.ts"
import * as Dice from "../../src/site/Dice.ts"

/** A section with its document. */
export interface Placed {
  readonly section: GovSection
  readonly document: GovDocument
}

export interface Texts {
  readonly all: ReadonlyArray<GovText>
  readonly sections: ReadonlyArray<Placed>
  /** The section that an address is of. */
  readonly at: (url: string) => Placed | undefined
  /** All versions of a section, in the order of the corpus. */
  readonly versionsOf: (identity: string) => ReadonlyArray<Placed>
  /** Files that are broken, and how. */
  readonly broken: ReadonlyArray<string>
}

export const read = async (path: string, settings: Options): Promise<Texts> => {
  const all: Array<GovText> = []
  const broken: Array<string> = []
  await Effect.runPromise(
    Stream.runForEach(Corpus.files(path, settings), (file) =>
      Stream.runForEach(file.texts, (text) => Effect.sync(() => all.push(text))).pipe(
        Effect.catchTag("CorpusError", ({ message }) => Effect.sync(() => broken.push(`${file.path}: ${message}`)))
      )
    ).pipe(Effect.provide(NodeServices.layer))
  )
  return of(all, broken)
}

/** Addresses are said to be unique in a corpus; of two sections at one address the later counts, as in an index. */
const of = (all: ReadonlyArray<GovText>, broken: ReadonlyArray<string>): Texts => {
  const documents = new Map<string, GovDocument>()
  const byUrl = new Map<string, Placed>()
  for (const text of all) {
    if (text._tag === "Document") documents.set(text.identity, text)
    if (text._tag !== "Section") continue
    const document = documents.get(text.document)
    if (document === undefined) throw new Error(`${text.identity} comes before its document ${text.document}`)
    byUrl.set(text.url, { section: { ...text, identity: withoutVariant(text.identity) }, document })
  }
  const sections = [...byUrl.values()]
  const versions = Map.groupBy(sections, ({ section }) => section.identity)
  return {
    all,
    sections,
    broken,
    at: (url) => byUrl.get(url),
    versionsOf: (identity) => versions.get(identity) ?? []
  }
}

/** At most so many of them, the same for the same seed, in the order that they had. */
export const sampled = <A>(
  list: ReadonlyArray<A>,
  most: number,
  ...keys: ReadonlyArray<string | number>
): ReadonlyArray<A> => {
  if (list.length <= most) return list
  const dice = Dice.make(...keys)
  const chosen = list.map((one, at) => ({ one, at, fell: dice.next() })).toSorted((a, b) => a.fell - b.fell)
  return chosen
    .slice(0, most)
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
