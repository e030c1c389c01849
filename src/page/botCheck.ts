/**
 * Whether an answer is a bot check, which a firewall in front of the site sends with status 200 instead of the page.
 *
 * The rule: the page is short, and its source contains code or text that a firewall puts only on such pages. A mere word is
 * not enough: sites write about these checks, and the pages behind a firewall also load parts of it.
 */
import { decode } from "./Charset.ts"
import type { Page } from "./PageOptions.ts"

/** The name of the firewall; undefined: the answer is not a bot check. */
export const botCheck = (
  { links, markdown = "" }: Page,
  body: Uint8Array,
  contentType: string | undefined
): string | undefined => {
  if (links.length > fewLinks || markdown.length > shortMarkdown || body.byteLength > smallBytes) return undefined
  const html = decode(body, contentType, "html")
  return checks.find(([, marks]) => marks.every((mark) => mark.test(html)))?.[0]
}

const fewLinks = 10
const shortMarkdown = 2500
const smallBytes = 200_000

/**
 * All patterns of a check must match the source. Text of a page does not match `<`, because the source has `&lt;` there. The
 * gaps in a pattern are short and end with the tag, so no page can make the search slow.
 */
const checks: ReadonlyArray<readonly [whose: string, marks: ReadonlyArray<RegExp>]> = [
  ["Cloudflare", [/<script[^<>]{0,500}>[^<]*\b_cf_chl_opt\b/]],
  ["Imperva", [/<iframe[^<>]{0,500}\ssrc="\/_Incapsula_Resource\?/, /Incapsula incident ID/]],
  ["Akamai", [/<title>Access Denied<\/title>/i, /Reference(?: |&#32;)(?:#|&#35;)[\da-f]+(?:\.|&#46;)/i]],
  ["Akamai", [/<meta[^<>]{0,500}http-equiv="refresh"[^<>]{0,2000}[?&]bm-verify=/i]],
  ["Akamai", [/<[^<>]{0,500}\sid="sec-(?:if-)?cpt-(?:if|container)"/]],
  ["HUMAN", [/<[^<>]{0,500}\sid="px-captcha"/, /<script[^<>]{0,500}>[^<]*\b_pxAppId\b/]],
  ["DataDome", [/<script[^<>]{0,500}>\s{0,9}var dd\s{0,9}=\s{0,9}\{/, /captcha-delivery\.com/]],
  ["AWS WAF", [/<script[^<>]{0,500}>[^<]*\bgokuProps\b/]],
  ["Sucuri", [/<script[^<>]{0,500}>[^<]*\bsucuri_cloudproxy_js\b/]],
  ["Anubis", [/<script[^<>]{0,500}\sid="anubis_challenge"/]],
  ["DDoS-Guard", [/<title>DDoS-Guard<\/title>/i]],
  ["F5", [/<title>Request Rejected<\/title>/i, /support ID is/i]],
  ["F5", [/<noscript>\s{0,99}Please enable JavaScript to view the page content/i, /support ID is/i]],
  ["SiteGround", [/<meta[^<>]{0,500}http-equiv="refresh"[^<>]{0,500}\/\.well-known\/(?:sg)?captcha\//i]],
  ["Imunify360", [/<script[^<>]{0,500}>[^<]*\bwsidchk\b/]],
  ["LiteSpeed", [/<form[^<>]{0,500}\saction="\/\.lsrecap\//]],
  ["Amazon", [/<form[^<>]{0,500}\saction="\/errors\/validateCaptcha"/]]
]
