/**
 * Whether an answer is a check for bots, which a firewall in front of the site sends with 200 in place of the page.
 *
 * The rule: the page is short, and it runs or shows what a firewall puts on such pages and nowhere else. A word that any page may
 * say is not enough: sites write about these checks, and the pages behind such a firewall load parts of it too.
 */
import { decode } from "./Charset.ts"
import type { Page } from "./PageOptions.ts"

/** Whose check it is; undefined: it is none. */
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

/** What all of has to stand in the source. Text of a page never matches `<`: it is written `&lt;` there. */
const checks: ReadonlyArray<readonly [whose: string, marks: ReadonlyArray<RegExp>]> = [
  ["Cloudflare", [/<script[^>]*>[^<]*\b_cf_chl_opt\b/]],
  ["Imperva", [/<iframe[^>]*\ssrc="\/_Incapsula_Resource\?/, /Incapsula incident ID/]],
  ["Akamai", [/<title>Access Denied<\/title>/i, /Reference(?: |&#32;)(?:#|&#35;)[\da-f]+(?:\.|&#46;)/i]],
  ["Akamai", [/<meta[^>]*http-equiv="refresh"[^>]*[?&]bm-verify=/i]],
  ["Akamai", [/<[^>]*\sid="sec-(?:if-)?cpt-(?:if|container)"/]],
  ["HUMAN", [/<[^>]*\sid="px-captcha"/, /<script[^>]*>[^<]*\b_pxAppId\b/]],
  ["DataDome", [/<script[^>]*>\s*var dd\s*=\s*\{/, /captcha-delivery\.com/]],
  ["AWS WAF", [/<script[^>]*>[^<]*\bgokuProps\b/]],
  ["Sucuri", [/<script[^>]*>[^<]*\bsucuri_cloudproxy_js\b/]],
  ["Anubis", [/<script[^>]*\sid="anubis_challenge"/]],
  ["DDoS-Guard", [/<title>DDoS-Guard<\/title>/i]],
  ["F5", [/<title>Request Rejected<\/title>/i, /support ID is/i]],
  ["F5", [/<noscript>\s*Please enable JavaScript to view the page content/i, /support ID is/i]],
  ["SiteGround", [/<meta[^>]*http-equiv="refresh"[^>]*\/\.well-known\/(?:sg)?captcha\//i]],
  ["Imunify360", [/<script[^>]*>[^<]*\bwsidchk\b/]],
  ["LiteSpeed", [/<form[^>]*\saction="\/\.lsrecap\//]],
  ["Amazon", [/<form[^>]*\saction="\/errors\/validateCaptcha"/]]
]
