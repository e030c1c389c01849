/**
 * The traits by which it is decided which URLs are one page.
 *
 * Computing the meaning of a page costs more than the rest of the page. So it is computed only where it will be needed:
 * for URLs with a query, for index files, and for their folders if the text itself is not kept. The template is
 * computed for URLs that could belong to an endless series, the sketch of the text for one page in eight.
 */
import * as crypto from "node:crypto"
import * as Meaning from "#base/Meaning"
import type { PageDocument } from "#contract/PageDocument"
import * as PageUrl from "#contract/PageUrl"
import { shortHash } from "#page/contentHash"
import type { CrawlPlan } from "../CrawlPlan.ts"
import type { Traits } from "../CrawlUrl.ts"
import { isSampled } from "../frontier/Babble.ts"
import { shapeOf, templateOf, weightOf } from "../frontier/Template.ts"
import { sketchOf, withSketch } from "../frontier/TextSketch.ts"

interface Read {
  readonly document: PageDocument
  /** The text, even if the document does not have it. */
  readonly markdown?: string | undefined
}

export const traitsOf = (
  requested: string,
  landed: URL,
  { document, markdown }: Read,
  { trapBudget }: Pick<NonNullable<CrawlPlan["settling"]>, "trapBudget">
): Traits => {
  const { metadata } = document
  const canonical =
    typeof metadata["canonical"] === "string" ? PageUrl.normalize(metadata["canonical"])?.href : undefined
  const text = markdown ?? document.markdown
  const isRead = text !== undefined && metadata.statusCode < 400 && metadata.unread === undefined
  const isCompared =
    landed.search !== "" ||
    PageUrl.folderOf(landed) !== undefined ||
    (document.markdown === undefined && landed.pathname.endsWith("/"))
  return {
    landed: landed.href === requested ? undefined : landed.href,
    canonical: canonical === landed.href ? undefined : canonical,
    content: typeof metadata["contentHash"] === "string" ? shortHash(metadata["contentHash"]) : undefined,
    meaning: isRead && isCompared ? meaningOf(metadata, text) : undefined,
    template: isRead ? shownOf(text, landed, trapBudget) : undefined
  }
}

/** What shows whether a page says something new, as far as that will be needed. */
const shownOf = (text: string, landed: URL, budget: number): string | undefined =>
  withSketch(
    isWatched(landed, budget) ? templateOf(text, landed) : undefined,
    budget > 0 && isSampled(landed) ? sketchOf(text) : undefined
  )

const isWatched = (url: URL, budget: number): boolean => {
  const shape = shapeOf(url)
  return shape !== undefined && weightOf(url, shape, budget) > 0
}

/** A hash of the page's meaning. */
export const meaningOf = (
  { description, title }: { readonly title?: string; readonly description?: string },
  markdown: string
): string => crypto.hash("sha256", Meaning.of({ title, description, markdown })).slice(0, 16)
