/** SHA-256 of title, description and Markdown: the bytes of a page often contain nonces, its text seldom does. */
import * as crypto from "node:crypto"
import type { Page } from "./PageOptions.ts"

export const contentHash = ({ markdown = "", metadata: { description = "", title = "" } }: Page): string =>
  crypto.hash("sha256", `${String(title)}\n${String(description)}\n${markdown}`)

/** The part of a hash by which a crawl knows the content of a page. */
export const shortHash = (hash: string): string => hash.slice(0, 16)
