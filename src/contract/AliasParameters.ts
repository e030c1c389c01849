/**
 * Parameters that only track visitors, and never select content: a URL with one is the same page as the URL without it. This
 * is the only list; the documentation refers to it.
 */

/** Whether this parameter of a URL does not make another page. Case does not matter. */
export const isAlias = (name: string, value: string): boolean => {
  const lower = name.toLowerCase()
  if (lower === "sid") return !isNumber(value)
  return sessions.has(lower) || clicks.has(lower) || lower.startsWith("utm_") || lower.startsWith("aspsessionid")
}

/** A session in the path: `/page;jsessionid=1A2B`, and in ASP.NET `/(S(lit3py55t21z5v55vlm25s55))/page`. */
export const pathSession = /;jsessionid=[^/?#;]*|\/\((?:[asfx]\([\w-]{1,200}\))+\)(?=\/)/i

/** A short number: on many old sites, such a `sid` is the id of a story or section, not of a session. */
const isNumber = (value: string): boolean => /^\d{1,9}$/.test(value)

const sessions = new Set(["phpsessid", "jsessionid", "sessionid", "session_id", "cfid", "cftoken"])
const clicks = new Set(
  "gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid twclid igshid mc_cid mc_eid _ga _gl".split(" ")
)
