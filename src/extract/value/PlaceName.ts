/**
 * Recognises places as cards write them: a town with its country or its state, such as "Lisbon, Portugal" or "Austin, TX".
 *
 * Countries are known by their names in English and in the language of the page (`Intl.DisplayNames`).
 */

export const isPlace = (text: string, language: string | undefined): boolean => {
  const [, country = ""] = written.exec(text) ?? []
  const named = country.trim()
  if (named === "") return false
  return states.has(named) || shortNames.has(named) || isCountry(named, "en") || isCountry(named, tongue(language))
}

/** Whether a text says that work is possible anywhere, such as "Remote": cards have it where others have a place. */
export const isAnywhere = (text: string): boolean =>
  /^(?:(?:fully |100% )?remote|hybrid|worldwide|anywhere|home ?office|homeoffice|télétravail|teletrabajo|remoto|на удал[её]нке|удал[её]нно|リモート)\b.{0,24}$/iu.test(
    text
  )

/** One or two capitalised parts, and the country or the state. */
const written = /^(?:\p{Lu}[\p{L}\p{M}.'’ -]{1,40},\s){1,2}(\p{Lu}[\p{L}\p{M}.'’ -]{1,40})(?:\s\d{4,5}(?:-\d{4})?)?$/u

const tongue = (language: string | undefined): string => (/^[a-z]{2}/i.exec(language ?? "")?.[0] ?? "en").toLowerCase()

const known = new Map<string, ReadonlySet<string>>()

const isCountry = (name: string, language: string): boolean => {
  const before = known.get(language)
  const names = before ?? namesIn(language)
  if (before === undefined) known.set(language, names)
  return names.has(name.toLowerCase())
}

const namesIn = (language: string): ReadonlySet<string> => {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" })
  const found = new Set<string>()
  for (const a of letters)
    for (const b of letters) {
      const name = names.of(a + b)
      if (name !== undefined) found.add(name.toLowerCase())
    }
  return found
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]

const shortNames: ReadonlySet<string> = new Set(
  "UK USA US UAE England Scotland Wales DE FR ES IT NL AT CH PL PT IE".split(" ")
)

const states: ReadonlySet<string> = new Set(
  (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD " +
    "TN TX UT VT VA WA WV WI WY DC ON QC BC AB MB SK NS NB NSW VIC QLD"
  ).split(" ")
)
