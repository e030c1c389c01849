/** What is asked of a page, and what a page is when it has been read. */
import type { PageKind } from "./content/PageKind.ts"
import type { Choice, Found } from "./Selection.ts"

export interface PageOptions {
  readonly markdown: boolean
  readonly html: boolean
  readonly rawHtml: boolean
  readonly onlyMainContent: boolean
  readonly removeBase64Images: boolean
  readonly images?: boolean
  /** Elements and attributes that are picked by selector. */
  readonly choice?: Choice | undefined
}

export interface Page {
  /** Markdown of the main content or of all, with absolute links and images. */
  readonly markdown?: string
  /** Clean HTML: nothing that runs, main content only if asked, absolute links. */
  readonly html?: string
  /** The decoded text as it was. */
  readonly rawHtml?: string
  /** Every link of the whole page that leads to the web: absolute, unique, in the order of the page. */
  readonly links: ReadonlyArray<string>
  /** Every picture of the whole page, if asked. */
  readonly images?: ReadonlyArray<string>
  /** What was picked by selector, in the order asked for. */
  readonly attributes?: ReadonlyArray<Found>
  readonly metadata: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** What kind of page it is, where its main content was looked for. */
  readonly kind?: PageKind
  /** The versions in other languages that it names. */
  readonly hreflang?: ReadonlyArray<{ readonly lang: string; readonly href: string }>
  /** Where `<meta http-equiv=refresh>` leads, absolute. */
  readonly refresh?: string
}
