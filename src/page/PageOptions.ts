/** How to read a page, and the page that was read. */
import type { PageKind } from "./PageKind.ts"
import type { Choice, SelectedValues } from "./Selection.ts"

export interface PageOptions {
  readonly markdown: boolean
  readonly html: boolean
  readonly rawHtml: boolean
  readonly onlyMainContent: boolean
  readonly removeBase64Images: boolean
  readonly images?: boolean
  /** Elements and attributes to select. */
  readonly choice?: Choice | undefined
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
  /** Whether its text has a list that is hidden until a script shows it. */
  readonly hasHiddenList?: boolean
  /** The versions in other languages that the page names. */
  readonly hreflang?: ReadonlyArray<{ readonly lang: string; readonly href: string }>
  /** The target of a refresh, absolute. */
  readonly refresh?: string
}
