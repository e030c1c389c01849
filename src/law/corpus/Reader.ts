/**
 * How one format is read: the elements of an XML file come one after another, and its reader says what to do with each.
 *
 * A reader walks the elements that hold sections and takes one section at a time, so it never holds more of a file than
 * that; it reports what it finds in the order of the file.
 */

import type { Settings } from "../CorpusSettings.ts"
import type { GovText } from "../GovText.ts"
import type { Element } from "./Xml.ts"

/** What to do with an element: go on inside it, take it as a tree when it closes, or leave it out with all that is in it. */
export type Course = "walk" | "take" | "skip"

/** An element that is walked, as it opens: its children are not known. */
export interface Opened {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly line: number
}

export interface Reader {
  /** `within`: the elements that are walked around it, outermost first. */
  readonly open: (element: Opened, within: ReadonlyArray<Opened>) => Course
  readonly took: (element: Element, within: ReadonlyArray<Opened>) => void
  /** An element that was walked ends. */
  readonly close: (element: Opened, within: ReadonlyArray<Opened>) => void
  readonly end: () => void
}

/** What a reader knows of its file, and where it says what it found. */
export interface FileContext {
  /** Relative to the corpus, with `/`. */
  readonly file: string
  /** Relative to the folder whose settings say where it is published. */
  readonly beneath: string
  readonly settings: Settings
  readonly say: (text: GovText) => void
}
