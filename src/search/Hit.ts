/** A page that answers a search, as the caller gets it. */
export interface Hit {
  readonly url: string
  readonly title: string
  readonly description: string
}

/** What a web search says of a page, or of a picture. */
export interface WebHit extends Hit {
  /** Milliseconds; as the search knows it. */
  readonly publishedAt?: number
  readonly image?: { readonly url: string; readonly width?: number; readonly height?: number }
}
