/**
 * Parameters that say who came and from where, and never what is asked for: a URL with one names the page that it names
 * without. The list that the documentation speaks of is here, and nowhere else.
 */

/** Whether this parameter of an address names no page of its own. Case does not matter. */
export const isAlias = (name: string, value: string): boolean => {
  const lower = name.toLowerCase()
  if (lower === "sid") return !isNumber(value)
  return sessions.has(lower) || clicks.has(lower) || lower.startsWith("utm_") || lower.startsWith("aspsessionid")
}

/** A session that stands in the path, as `/page;jsessionid=1A2B`, and in ASP.NET `/(S(lit3py55t21z5v55vlm25s55))/page`. */
export const pathSession = /;jsessionid=[^/?#;]*|\/\((?:[asfx]\([\w-]{1,200}\))+\)(?=\/)/i

/** `sid` of a short number is the name of a story or a section in many old sites, and not a session. */
const isNumber = (value: string): boolean => /^\d{1,9}$/.test(value)

const sessions = new Set(["phpsessid", "jsessionid", "sessionid", "session_id", "cfid", "cftoken"])
const clicks = new Set(
  "gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid twclid igshid mc_cid mc_eid _ga _gl".split(" ")
)
