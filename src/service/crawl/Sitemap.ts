export interface Sitemap { readonly urls: ReadonlyArray<{ readonly loc: string; readonly lastmod?: string }>; readonly sitemaps: ReadonlyArray<string>; readonly problem?: string }
export declare const parse: (bytes: Uint8Array, url: string) => Sitemap
