/** A corpus of files written here, read as a whole: what it says, file by file, and what is broken. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Corpus from "#law/Corpus"
import type { CorpusError, Options } from "#law/CorpusSettings"
import type { GovDocument, GovSection, GovText, Skipped } from "#law/GovText"

export interface ReadFile extends Pick<Corpus.CorpusFile, "path" | "bytes" | "sha256" | "format"> {
  readonly texts: ReadonlyArray<GovText>
  readonly error: CorpusError | undefined
}

export interface Said {
  readonly files: ReadonlyArray<ReadFile>
  readonly texts: ReadonlyArray<GovText>
  readonly documents: ReadonlyArray<GovDocument>
  readonly sections: ReadonlyArray<GovSection>
  readonly skipped: ReadonlyArray<Skipped>
  readonly errors: ReadonlyArray<CorpusError>
  /** The section of that identity. */
  readonly section: (identity: string) => GovSection
}

export type Files = Readonly<Record<string, string | Uint8Array>>

export const platform = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer)

export const withFolder = async <A>(files: Files, use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "millrace-corpus-"))
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const corpusOf = (files: Files, options: Options = {}): Promise<Said> =>
  withFolder(files, (folder) => read(folder, options))

export const read = async (path: string, options: Options = {}): Promise<Said> => {
  const found = await Corpus.files(path, options).pipe(
    Stream.mapEffect(({ bytes, format, path: file, sha256, texts }) => {
      const heard: Array<GovText> = []
      return Stream.runForEach(texts, (text) => Effect.sync(() => heard.push(text))).pipe(
        Effect.map((): CorpusError | undefined => undefined),
        Effect.catch((error) => Effect.succeed(error)),
        Effect.map((error): ReadFile => ({ path: file, bytes, sha256, format, texts: heard, error }))
      )
    }),
    Stream.runCollect,
    Effect.provide(platform),
    Effect.runPromise
  )
  const texts = found.flatMap((file) => file.texts)
  const sections = texts.filter((text) => text._tag === "Section")
  return {
    files: found,
    texts,
    documents: texts.filter((text) => text._tag === "Document"),
    sections,
    skipped: texts.filter((text) => text._tag === "Skipped"),
    errors: found.flatMap(({ error }) => (error === undefined ? [] : [error])),
    section: (identity) => {
      const section = sections.find((one) => one.identity === identity)
      if (section === undefined) {
        throw new Error(`no section ${identity}; there are ${sections.map((one) => one.identity).join(", ")}`)
      }
      return section
    }
  }
}
