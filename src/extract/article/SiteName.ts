/**
 * The name of a site in the titles of its pages: "The mill turns | Valley News" of a page that calls its site so.
 *
 * What a page calls its site is its og:site_name, the name of its publisher, the name of its host. Only such a part is
 * taken from a title, at its end or, where the page names it in full, at its beginning.
 */

/** The parts of a title, between the marks that sites put there. */
export const partsOf = (title: string): ReadonlyArray<string> =>
  title.split(separators).flatMap((part) => (part === undefined ? [] : [part]))

/** Letters and digits only, so that marks and capitals make no difference. */
export const keyOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")

/** Whether a text is the name of the site. */
export const isSite = (text: string, sites: ReadonlyArray<string>): boolean => {
  const key = keyOf(text)
  return key === "" || sites.some((site) => isSame(key, keyOf(site)))
}

/** A title without the parts that are the name of its site. */
export const without = (title: string, sites: ReadonlyArray<string>): string => {
  let left = title
  for (let turn = 0; turn < maxParts; turn++) {
    const marks = [...left.matchAll(all)]
    const [first] = marks
    const last = marks.at(-1)
    if (first === undefined || last === undefined) return left
    const before = left.slice(0, last.index).trim()
    const behind = left.slice(first.index + first[0].length).trim()
    const lead = keyOf(left.slice(0, first.index))
    if (before !== "" && isSite(left.slice(last.index + last[0].length), sites)) left = before
    else if (behind !== "" && !first[0].includes(":") && sites.some((site) => keyOf(site) === lead)) left = behind
    else return left
  }
  return left
}

/** The words of a host that may be the name of its site: "valleynews" of "www.valleynews.co.uk". */
export const inHost = (address: string): ReadonlyArray<string> =>
  (URL.parse(address)?.hostname ?? "")
    .split(".")
    .slice(0, -1)
    .filter((label) => label.length > 2 && !common.has(label))

const common = new Set("www com blog shop store docs news web edu gov org net".split(" "))
const maxParts = 6

const isSame = (key: string, site: string): boolean =>
  site !== "" &&
  (key === site ||
    (site.length >= 5 && key.startsWith(site) && key.length <= site.length * 2) ||
    (site.length >= 4 && key.endsWith(site) && key.length <= site.length * 2) ||
    (key.length >= 5 && site.startsWith(key)) ||
    (key.length >= 5 && site.includes(key)))

const mark = "\\s+(?:[|\\-–—·•»«›~]|::)\\s+|\\s*\\|\\s*|:\\s+"
const separators = new RegExp(mark, "u")
const all = new RegExp(mark, "gu")
