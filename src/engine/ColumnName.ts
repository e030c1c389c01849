/**
 * Names of columns that are made from other names: valid in SQL, and unique.
 *
 * The same names give the same columns in every run. A name that is a valid column name stays as it is; if several names
 * lead to the same column, the first keeps it and the next are numbered: `unit_price`, `unit_price_2`. Upper and lower
 * case are not distinguished, as in SQL.
 */

/** Postgres cuts longer names, so that two columns could get the same name. */
const maxBytes = 63

/** snake_case: "unitPrice" and "unit-price" become unit_price, "_id" keeps its underscore. Letters of any script stay. */
export const snake = (name: string): string => {
  const words = name
    .normalize("NFC")
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1_$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
  const mark = name.startsWith("_") || /^\p{N}/u.test(words) ? "_" : ""
  return words === "" ? "unnamed" : cut(mark + words, maxBytes)
}

/** A column name for each name, different from those that are taken. */
export const fromNames = (names: ReadonlyArray<string>, taken: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const wanted = names.map(snake)
  return distinct(wanted, taken, (position) => wanted[position] === names[position])
}

/** The names, with numbers where two are the same. Positions for which `first` is true get their names before the others. */
export const distinct = (
  names: ReadonlyArray<string>,
  taken: ReadonlyArray<string> = [],
  first: (position: number) => boolean = () => false
): ReadonlyArray<string> => {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  const given = new Map<number, string>()
  const give = (position: number, name: string) => {
    let free = name
    for (let number = 2; used.has(free.toLowerCase()); number++) free = `${cut(name, maxBytes - 4)}_${number}`
    used.add(free.toLowerCase())
    given.set(position, free)
  }
  names.forEach((name, position) => first(position) && give(position, name))
  names.forEach((name, position) => given.has(position) || give(position, name))
  return names.map((name, position) => given.get(position) ?? name)
}

/** The longest beginning of a text with at most `bytes` bytes of UTF-8. */
const cut = (text: string, bytes: number): string => {
  let length = 0
  let end = 0
  for (const character of text) {
    length += bytesOf(character.codePointAt(0) ?? 0)
    if (length > bytes) return text.slice(0, end)
    end += character.length
  }
  return text
}

/** The bytes of a character in UTF-8. This also runs in browsers, which have no Buffer. */
const bytesOf = (code: number): number => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)
