/**
 * Finds addresses in scripts: in `onclick="location.href='/page'"`, in `href="javascript:window.open('/page')"`, and in a
 * page that consists of a script that goes to another page. Scripts do not run: an address that a script builds is not found.
 */

/** The addresses that the code goes to, as written. */
export const scriptedLinks = (code: string): ReadonlyArray<string> =>
  Array.from(code.slice(0, maxCode).matchAll(going), ([, , href = ""]) => href)

/** The addresses that the scripts of a page go to; empty: the page is too long to consist of a script. */
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
