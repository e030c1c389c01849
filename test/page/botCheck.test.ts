import { expect, it } from "vitest"
import { botCheck } from "#page/botCheck"
import * as Page from "#page/Page"

const whose = (html: string) => {
  const input = { url: "https://site.test/", body: new TextEncoder().encode(html), contentType: "text/html" }
  return botCheck(Page.parse(input, Page.defaults), input.body, input.contentType)
}

const akamai =
  "<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \nYou don't have permission to access this.<P>\nReference&#32;&#35;18&#46;5f5c1402&#46;1700000000&#46;1\n</BODY>\n</HTML>"
const f5 =
  "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 123<br></body></html>"

it.each([
  [
    "Cloudflare",
    '<title>Just a moment...</title><script>(function(){window._cf_chl_opt={cType:"managed"};}());</script>'
  ],
  ["Imperva", '<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31">Incapsula incident ID: 1-2</iframe>'],
  ["Akamai", akamai],
  ["Akamai", `<meta http-equiv="refresh" content="5; URL='/?bm-verify=AAQ'" />`],
  ["HUMAN", '<div id="px-captcha"></div><script>window._pxAppId = "PX1";</script>'],
  ["DataDome", "<p id=cmsg>Please enable JS</p><script>var dd={'host':'geo.captcha-delivery.com'}</script>"],
  ["AWS WAF", '<script>window.gokuProps = {"key":"AQ"};</script><div id="challenge-container"></div>'],
  ["Sucuri", "<title>You are being redirected...</title><script>var s={},sucuri_cloudproxy_js='';</script>"],
  ["Anubis", '<script id="anubis_challenge" type="application/json">{}</script>'],
  ["F5", f5],
  ["SiteGround", '<meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F">'],
  ["Amazon", '<form method="get" action="/errors/validateCaptcha"><input name="field-keywords"></form>']
])("a check for bots: %s", (name, html) => {
  expect(whose(html)).toBe(name)
})

it.each([
  ["a page about checks", "<h1>Just a moment...</h1><pre>&lt;script>window._cf_chl_opt={}&lt;/script></pre>"],
  [
    "a page that loads a firewall's script",
    '<p>Hello</p><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'
  ],
  [
    "a page that is measured",
    '<p>Hello</p><script>window._pxAppId="PX1"</script><script src="/_Incapsula_Resource?x"></script>'
  ],
  ["a page whose own access is denied", "<title>Access Denied</title><p>Members only.</p>"],
  ["a long page", `<p>${"Words of a page. ".repeat(200)}</p><script>window._cf_chl_opt={}</script>`]
])("no check for bots: %s", (_, html) => {
  expect(whose(html)).toBeUndefined()
})

it.each(["<", "<script", "<script>", '<meta http-equiv="refresh" ', '< id="', "<noscript> "])(
  "no check for bots: a page that begins %s again and again, however often",
  (piece) => {
    expect(whose(piece.repeat(Math.floor(190_000 / piece.length)))).toBeUndefined()
  }
)
