/**
 * Addresses that scripts name as plain text: `onclick="location.href='/page'"`, `href="javascript:window.open('/page')"`, and a
 * page that is only a script that goes to another page. No script is run: an address that a script builds is not found.
 */

/** The addresses, as they are written. */
export const scriptedLinks = (code: string): ReadonlyArray<string> =>
  Array.from(code.slice(0, maxCode).matchAll(going), ([, , href = ""]) => href)

/** Where the scripts in a page go; empty for a long page, of which a script is not all. */
export const redirectsIn = (html: string): ReadonlyArray<string> => {
  if (html.length > maxCode || !html.includes("location")) return []
  const scripts = Array.from(html.matchAll(script), ([, code = ""]) => scriptedLinks(code)).flat()
  return scripts.slice(0, maxRedirects)
}

const maxCode = 20_000
const maxRedirects = 10

const going =
  /\b(?:location(?:\.href)?\s{0,9}=|location\.(?:assign|replace)\s{0,9}\(|window\.open\s{0,9}\()\s{0,9}(["'])([^"'\s\\<>]{1,2000})\1(?=\s{0,9}(?:[,;)}\n]|$))/g
const script = /<script(?![^<>]*\ssrc=)[^<>]*>([^<]*)<\/script/gi
