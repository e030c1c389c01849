/** How to read a page, and the page that was read. */
import type { PageKind } from "./PageKind.ts"
import type { Choice, SelectedValues } from "./Selection.ts"
import type { Sketch, Theme } from "./Theme.ts"

export interface PageOptions {
  readonly markdown: boolean
  readonly html: boolean
  readonly rawHtml: boolean
  readonly onlyMainContent: boolean
  readonly removeBase64Images: boolean
  readonly images?: boolean
  /** Elements and attributes to select. */
  readonly choice?: Choice | undefined
  /** The theme of the page's host, which shows its main content. */
  readonly theme?: Theme | undefined
  /**
   * The hash (`shortHash`) of the content that the page had without the theme. If it has another one now, the page has changed: it is
   * read without the theme once more, so that the change is seen.
   */
  readonly unthemed?: string | undefined
  /** Whether a sketch of the page is made, from which the theme of its host is learned. */
  readonly sketches?: boolean
}

export interface Page {
  /** Markdown of the main content or of the whole page, with absolute links and images. */
  readonly markdown?: string
  /** Clean HTML of the main content or of the whole page: without scripts, with absolute links. */
  readonly html?: string
  /** The decoded source. */
  readonly rawHtml?: string
  /** All web links of the whole page: absolute, unique, in the order of the page. */
  readonly links: ReadonlyArray<string>
  /** All images of the whole page, if requested. */
  readonly images?: ReadonlyArray<string>
  /** The selected attributes, in the requested order. */
  readonly attributes?: ReadonlyArray<SelectedValues>
  readonly metadata: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** The kind of page; undefined: its main content was not searched for. */
  readonly kind?: PageKind
  /** The version of the finder of its main content, with the theme that it used; undefined: it was not searched for. */
  readonly contentVersion?: number
  readonly sketch?: Sketch
  /** What a reader should know: its only list is hidden, or its scripts have more text than it shows. */
  readonly warnings?: ReadonlyArray<string>
  /** The versions in other languages that the page names. */
  readonly hreflang?: ReadonlyArray<{ readonly lang: string; readonly href: string }>
  /** The target of a refresh, absolute. */
  readonly refresh?: string
}
