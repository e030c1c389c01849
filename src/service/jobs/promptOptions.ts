/**
 * Crawl options from a prompt (specification, POST /v2/crawl: prompt).
 *
 * Options that the caller set have priority over generated ones. Rules read the prompt: numbers of pages, depth,
 * "only ...", "without ...", subdomains, external links, sitemaps; and the answer says that rules made the options. Words
 * that no rule knows change nothing.
 */
import type { CrawlRequest } from "#contract/Crawl"

type Options = Omit<CrawlRequest, "url" | "prompt">

/** The warning of the answer. */
export const byRules = "options were made from the prompt by rules: no model is configured"

/** The request with the options of its prompt. */
export const withPrompt = (request: CrawlRequest): CrawlRequest => {
  if (request.prompt == null) return request
  const set = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null && value !== undefined))
  return { ...promptOptions(request.prompt), ...set, url: request.url }
}

export const promptOptions = (prompt: string): Options => {
  const text = prompt.toLowerCase().replace(/\s+/g, " ")
  const limit =
    /\b(?:at most|up to|max(?:imum)?(?: of)?|limit(?: of| to)?|only|first)? ?(\d{1,6}) (?:\w+ )?pages?\b/.exec(
      text
    )?.[1]
  const depth =
    /\b(\d{1,2}) (?:levels?|hops?|clicks?)\b/.exec(text)?.[1] ?? /\bdepth (?:of )?(\d{1,2})\b/.exec(text)?.[1]
  const include = sections(
    text,
    /\b(?:only|just|include|crawl|get|find|extract|all)\s+(?:the |all |every |pages? (?:under|below|in|about) )*/g
  )
  const exclude = sections(
    text,
    /\b(?:without|except(?: for)?|exclud(?:e|ing)|skip(?:ping)?|ignore|not|no|avoid)\s+(?:the |any |all )*/g
  )
  return {
    ...(limit === undefined || Number(limit) < 1 ? {} : { limit: Number(limit) }),
    ...(depth === undefined ? {} : { maxDiscoveryDepth: Number(depth) }),
    ...(include.some((pattern) => !exclude.includes(pattern))
      ? { includePaths: include.filter((pattern) => !exclude.includes(pattern)) }
      : {}),
    ...(exclude.length === 0 ? {} : { excludePaths: exclude }),
    ...(/\bsub-?domains?\b/.test(text) ? { allowSubdomains: !isDenied(text, "sub-?domains?") } : {}),
    ...(/\b(?:external|outgoing|off-?site) (?:links?|pages?|sites?)\b/.test(text)
      ? { allowExternalLinks: !isDenied(text, "(?:external|outgoing|off-?site)") }
      : {}),
    ...(/\b(?:entire|whole|complete) (?:domain|site|website)\b/.test(text) ? { crawlEntireDomain: true } : {}),
    ...(/\bonly (?:the )?sitemap\b|\bsitemap only\b/.test(text) ? { sitemap: "only" as const } : {}),
    ...(/\b(?:no|without|skip|ignore) (?:the )?sitemap\b/.test(text) ? { sitemap: "skip" as const } : {}),
    ...(/\b(?:ignore|without|drop) (?:the )?query\b/.test(text) ? { ignoreQueryParameters: true } : {})
  }
}

/** Whether the prompt excludes a thing: "without subdomains", but not "skip the blog and include subdomains". */
const isDenied = (text: string, thing: string): boolean => new RegExp(`${denial}${betweenThem} ${thing}\\b`).test(text)

const denial =
  "(?:\\b(?:no|never|without|not(?! only| just)|ignor(?:e|ing)|skip(?:ping)?|exclud(?:e|ing)|avoid(?:ing)?|except(?: for)?)|n[’']t)"
/** A few words of the same clause. */
const betweenThem = "(?: (?!(?:and|but|then|also|or)\\b)[\\w-]+){0,4}"

/** Parts of sites that people name, and the paths they usually have. */
const known: ReadonlyArray<readonly [words: RegExp, pattern: string]> = [
  [/^(?:blog|posts?|articles?)\b/, "(?i)/(blog|posts?|articles?)(/|$)"],
  [/^(?:docs?|documentation|guides?|manuals?)\b/, "(?i)/(docs?|documentation|guides?|manuals?)(/|$)"],
  [/^(?:api|reference)\b/, "(?i)/(api|reference)(/|$)"],
  [/^(?:news|press)\b/, "(?i)/(news|press)(/|$)"],
  [/^(?:products?|shop|store|catalogue?)\b/, "(?i)/(products?|shop|store|catalog(ue)?)(/|$)"],
  [/^(?:jobs?|careers?|vacanc(?:y|ies))\b/, "(?i)/(jobs?|careers?|vacanc(y|ies))(/|$)"],
  [/^(?:pricing|prices?|plans?)\b/, "(?i)/(pricing|prices?|plans?)(/|$)"],
  [/^(?:help|support|faqs?)\b/, "(?i)/(help|support|faqs?)(/|$)"],
  [/^(?:changelog|release notes|releases?)\b/, "(?i)/(changelog|release-notes|releases?)(/|$)"],
  [/^(?:tags?|categor(?:y|ies)|archives?)\b/, "(?i)/(tags?|categor(y|ies)|archives?)(/|$)"]
]

/** The patterns for what follows the lead words: known parts of sites, or paths. */
const sections = (text: string, lead: RegExp): ReadonlyArray<string> => {
  const segments = [...text.matchAll(lead)].flatMap((match) => {
    const list = text
      .slice(match.index + match[0].length)
      .split(/[.;]| but | except | without | not | excluding /, 1)
      .join("")
    return list.split(/,| and | or |\s(?=\/)/).flatMap((item) => {
      const words = item.trim().replace(/^(?:the|all|any|pages? (?:under|below|in)|only) /, "")
      const path = /^(\/[\w\-./]+)/.exec(words)?.[1]
      if (path !== undefined) return [`^${path.replace(/[.]/g, "\\.").replace(/\/$/, "")}(/|$)`]
      return known.filter(([name]) => name.test(words)).map(([, pattern]) => pattern)
    })
  })
  return [...new Set(segments)]
}
