/** Hashes of texts by their letters and digits: white space, punctuation and the case of ASCII letters do not change them. */

export const hashStart = 0x811c9dc5 | 0

export const hashWith = (hash: number, letter: number): number => Math.imul(hash ^ letter, hashPrime)

const hashPrime = 16777619

/** The hash of a text, as blocks have it (`Block.text`). */
export const hashOfText = (text: string): number => {
  let hash = hashStart
  for (let i = 0; i < text.length; i++) {
    const letter = letterOf(text.charCodeAt(i))
    if (letter !== 0) hash = hashWith(hash, letter)
  }
  return hash
}

/** The letter or digit, in lower case if it is ASCII; 0: the character is neither. */
export const letterOf = (char: number): number => {
  if (char < 128) {
    if (char >= 65 && char <= 90) return char + 32
    return (char >= 97 && char <= 122) || (char >= 48 && char <= 57) ? char : 0
  }
  if (char < 0xc0) return char === 0xaa || char === 0xb5 || char === 0xba ? char : 0
  const isMark =
    char === 0xd7 || char === 0xf7 || (char >= 0x2000 && char < 0x2070) || (char >= 0x2190 && char < 0x2c00)
  return isMark || (char >= 0x3000 && char < 0x3005) || (char >= 0x3008 && char < 0x3021) ? 0 : char
}
