/**
 * Query parameters for tracking and sessions, which never choose the page: a URL names the same page with and without them.
 * The documentation refers to this list.
 */

/** Whether a query parameter does not change which page a URL names. Case does not matter. */
export const isAlias = (name: string, value: string): boolean => {
  const lower = name.toLowerCase()
  if (lower === "sid") return !isNumber(value)
  return sessions.has(lower) || clicks.has(lower) || lower.startsWith("utm_") || lower.startsWith("aspsessionid")
}

/** A session in the path, as `/page;jsessionid=1A2B`, and in ASP.NET `/(S(lit3py55t21z5v55vlm25s55))/page`. */
export const pathSession = /;jsessionid=[^/?#;]*|\/\((?:[asfx]\([\w-]{1,200}\))+\)(?=\/)/i

/** In many old sites, a `sid` that is a short number names a story or a section, and not a session. */
const isNumber = (value: string): boolean => /^\d{1,9}$/.test(value)

const sessions = new Set(["phpsessid", "jsessionid", "sessionid", "session_id", "cfid", "cftoken"])
const clicks = new Set(
  "gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid twclid igshid mc_cid mc_eid _ga _gl".split(" ")
)
