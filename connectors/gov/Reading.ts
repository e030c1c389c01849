/**
 * Which files of a corpus a run has read, and which it does not have to read again.
 *
 * A checkpoint says that a file is known only when all of it was answered in its present form. A file with sections
 * whose names other files have is read again whenever another file has changed.
 */
import { createHash } from "node:crypto"
import * as Schema from "effect/Schema"
import type { CorpusFile } from "#law/Corpus"
import type { GovText } from "#law/GovText"

/** The files that are done, by their paths, each as `Reading.done` has it. */
export const State = Schema.Struct({ files: Schema.Record(Schema.String, Schema.String) })
export type State = typeof State.Type

export const Cursor = Schema.Struct({
  file: Schema.String,
  digest: Schema.String,
  /** The number of the piece of the file, from 0. */
  piece: Schema.Int,
  /** Of the paths and digests of all files before it: whether they are still what was read. */
  before: Schema.String
})
export type Cursor = typeof Cursor.Type

/** A state as it is answered, with how many files there were so far, and how many sections are not loaded for their names. */
export const Stand = Schema.Struct({
  state: State,
  discovered: Schema.Int,
  failed: Schema.Int,
  clashes: Schema.optionalKey(Schema.Int)
})
export type Stand = typeof Stand.Type

/** Whether what a file contains depends on another file. */
export const isClash = (text: GovText): boolean =>
  text._tag === "Rejected" || (text._tag === "Skipped" && text.other !== undefined)

/** Tracks which files are done. Files come in their order. */
export class Reading {
  /**
   * Digests of files that are read, or were known. Behind the digest of one with sections whose names other files have stand
   * their number and a digest of them: it is looked at again whenever another file has changed.
   */
  private marked: Record<string, string> = {}
  private chain = ""
  private read = 0
  private since = 0
  private files = 0
  private broken = 0
  private readonly documents = new Set<string>()
  private readonly known: State["files"]
  private readonly marks = new Map<string, string>()
  /** Where reading continues; undefined once that is reached. */
  private after: Cursor | undefined
  private sections = 0
  /** The reason for the first text that was left out. */
  leftOut: string | undefined
  last: Cursor | undefined
  /** Whether this run reads a file, or a file was removed: then names may be free that were taken. */
  isStirred = false

  constructor(known: State["files"], after: Cursor | undefined) {
    this.known = known
    this.after = after
    this.last = after
  }

  /** The piece from which a file is read; undefined: it is not read. */
  begin({
    path,
    sha256
  }: CorpusFile): { readonly cursor: Cursor; readonly from: number; readonly known?: string } | undefined {
    const cursor = { file: path, digest: sha256, piece: 0, before: this.chain }
    const { after } = this
    const known = this.known[path]
    const isKnown = known === sha256 || known?.startsWith(`${sha256} `) === true
    this.files++
    this.chain = createHash("sha256")
      .update(JSON.stringify([this.chain, path, sha256]))
      .digest("base64url")
    this.marked[path] = this.marks.get(path) ?? (isKnown && known !== undefined ? known : sha256)
    if (after === undefined) {
      if (!isKnown) return { cursor, from: 0 }
      return known === sha256 || !this.isStirred ? undefined : { cursor, from: 0, known }
    }
    if (path !== after.file) return undefined
    this.after = undefined
    // Files before this one have changed since they were read: no checkpoint may say that they are known.
    if (after.before !== cursor.before) this.marked = { [path]: sha256 }
    return { cursor, from: after.digest === sha256 ? after.piece + 1 : 0 }
  }

  took(text: GovText): void {
    if (text._tag === "Section" || text._tag === "Rejected") this.sections++
    else if (text._tag === "Skipped") this.leftOut ??= text.why
  }

  /** Whether the files that were read have no section, and none of them is broken. */
  get isEmpty(): boolean {
    return this.sections === 0 && this.broken === 0
  }

  /** Records what was found in a file that depends on other files. */
  record({ path, sha256 }: CorpusFile, texts: ReadonlyArray<GovText>): void {
    for (const text of texts) if (text._tag === "Document") this.isNew(text)
    const mark = markOf(sha256, texts)
    this.marks.set(path, mark)
    if (this.marked[path] !== undefined) this.marked[path] = mark
  }

  /** Returns false if this run has seen this document before. */
  isNew(text: GovText): boolean {
    if (text._tag !== "Document") return true
    const name = `${text.identity} ${text.version}`
    if (this.documents.has(name)) return false
    this.documents.add(name)
    return true
  }

  /** Call after a file. Returns the state if it is time to answer it: rarely, because it grows with the number of files. */
  ended(): Stand | undefined {
    this.read++
    this.since++
    if (this.since * 4 < this.read) return undefined
    this.since = 0
    return this.stand()
  }

  failed(): void {
    this.broken++
  }

  stand(): Stand {
    const clashes = Object.values(this.marked).reduce((sum, mark) => sum + Number(mark.split(" ")[1] ?? 0), 0)
    const state = { files: { ...this.marked } }
    return { state, discovered: this.files, failed: this.broken, ...(clashes === 0 ? {} : { clashes }) }
  }
}

export const markOf = (sha256: string, texts: ReadonlyArray<GovText>): string => {
  const clashes = texts.filter(isClash)
  if (clashes.length === 0) return sha256
  const reasons = clashes.map((text) => (text._tag === "Rejected" || text._tag === "Skipped" ? text.why : ""))
  const digest = createHash("sha256").update(JSON.stringify(reasons)).digest("base64url")
  return `${sha256} ${clashes.filter(({ _tag }) => _tag === "Rejected").length} ${digest}`
}
