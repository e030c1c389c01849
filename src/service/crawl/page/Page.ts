export interface PageInput { readonly url: string; readonly body: Uint8Array; readonly contentType: string | undefined }
export interface PageOptions { readonly markdown: boolean; readonly html: boolean; readonly rawHtml: boolean; readonly onlyMainContent: boolean; readonly removeBase64Images: boolean }
export interface Page { readonly markdown?: string; readonly html?: string; readonly rawHtml?: string; readonly links: ReadonlyArray<string>; readonly metadata: Readonly<Record<string, string | ReadonlyArray<string>>>; readonly refresh?: string }
export declare const parse: (input: PageInput, options: PageOptions) => Page
export type Kind = "html" | "xml" | "text" | "json" | "other"
export declare const kindOf: (contentType: string | undefined, body: Uint8Array) => Kind
