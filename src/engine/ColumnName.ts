/**
 * Names of columns that are made from other names: valid in SQL, and unique.
 *
 * The same names give the same columns in every run, in whatever order they come. A name that is a valid column name stays as it is.
 * Other names that lead to one column are told apart by a hash of the name that they have: "Net Price" and "net-price" are
 * `net_price_0d9guid` and `net_price_1atbhag`. So is a name of which a part is lost, because it is too long or has no letters. Upper
 * and lower case are not distinguished, as in SQL. What a destination called them before is in its `ColumnRegistry`.
 */

/** Postgres cuts longer names, so that two columns could get the same name. */
const maxBytes = 63

/** snake_case: "unitPrice" and "unit-price" become unit_price, "_id" keeps its underscore. Letters of any script stay. */
export const snake = (name: string): string => cut(longSnake(name), maxBytes)

const nothing = "unnamed"

const longSnake = (name: string): string => {
  const words = name
    .normalize("NFC")
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1_$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
  const mark = name.startsWith("_") || /^\p{N}/u.test(words) ? "_" : ""
  return words === "" ? nothing : mark + words
}

/** A column name for each name, different from those that are taken. */
export const fromNames = (names: ReadonlyArray<string>, taken: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const long = names.map(longSnake)
  const wanted = long.map((name) => cut(name, maxBytes))
  const counts = new Map<string, number>()
  for (const name of wanted) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isItself = (position: number) => wanted[position] === names[position]
  const distinctive = wanted.map((name, position) => {
    const isWhole = long[position] === name && name !== nothing
    return isItself(position) || (isWhole && counts.get(name) === 1) ? name : marked(names[position] ?? "")
  })
  return distinct(distinctive, taken, isItself)
}

/** A column name that no other name leads to: "Net Price" is `net_price_0d9guid`. */
export const marked = (name: string): string => {
  const mark = `_${hash(name)}`
  return `${cut(snake(name), maxBytes - mark.length)}${mark}`
}

/** 32 bits of a text, in seven letters and digits. FNV-1a over its UTF-16 code units, which browsers can do too. */
const hash = (text: string): string => {
  let bits = 0x811c9dc5
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193) >>> 0
  return bits.toString(36).padStart(7, "0")
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
