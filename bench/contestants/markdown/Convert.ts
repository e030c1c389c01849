/** What each contestant of the Markdown claim exports as `convert`: the Markdown of a whole page, from its bytes. */
export type Convert = (body: Uint8Array, url: string) => string
