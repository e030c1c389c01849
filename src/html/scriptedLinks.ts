/**
 * Where scripts lead that say it in so many words: `onclick="location.href='/page'"`, `href="javascript:window.open('/page')"`, and
 * pages that are nothing but a script that goes elsewhere. Nothing is run: an address that is put together is none.
 */

/** The addresses as they are written. */
export const scriptedLinks = (code: string): ReadonlyArray<string> =>
  Array.from(code.slice(0, maxCode).matchAll(going), ([, , href = ""]) => href)

/** What the own scripts of a page go to, where the page is short and the script may be all of it. */
export const redirectsIn = (html: string): ReadonlyArray<string> => {
  if (html.length > maxCode || !html.includes("location")) return []
  const scripts = Array.from(html.matchAll(script), ([, code = ""]) => scriptedLinks(code)).flat()
  return scripts.slice(0, maxRedirects)
}

const maxCode = 20_000
const maxRedirects = 10

const going =
  /\b(?:location(?:\.href)?\s{0,9}=|location\.(?:assign|replace)\s{0,9}\(|window\.open\s{0,9}\()\s{0,9}(["'])([^"'\s\\<>]{1,2000})\1(?=\s{0,9}(?:[,;)}\n]|$))/g
const script = /<script(?![^>]*\ssrc=)[^>]*>([^<]*)<\/script/gi
