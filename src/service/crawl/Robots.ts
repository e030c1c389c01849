export interface Robots { readonly allows: (url: string, userAgent: string) => boolean; readonly crawlDelay: (userAgent: string) => number | undefined; readonly sitemaps: ReadonlyArray<string> }
export declare const parse: (text: string, url: string) => Robots
export declare const fromFetch: (outcome: { status: number; contentType: string | undefined; body: Uint8Array } | "unreachable", url: string) => Robots
