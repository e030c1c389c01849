/** A result of a search, as the caller gets it. */
export interface Hit {
  readonly url: string
  readonly title: string
  readonly description: string
}

/** A result of a web search: a page, or a picture. */
export interface WebHit extends Hit {
  /** Milliseconds since the epoch, as the web search reports it. */
  readonly publishedAt?: number
  readonly image?: { readonly url: string; readonly width?: number; readonly height?: number }
}
