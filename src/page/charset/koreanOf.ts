/**
 * Decodes Korean text as browsers do: EUC-KR with the 8,822 syllables that Windows added (똠, 펲, 뷁). The `TextDecoder` of
 * Node reads each of those as a control character and a letter.
 */

export const koreanOf = (body: Uint8Array): string => {
  let text = ""
  let from = 0
  for (let at = 0; at + 1 < body.length; at++) {
    const lead = body[at] ?? 0
    if (lead < 0x81 || lead === 0xff) continue
    const syllable = lead > 0xc6 ? undefined : syllables().get(lead * 256 + (body[at + 1] ?? 0))
    if (syllable !== undefined) {
      text += platform.decode(body.subarray(from, at)) + syllable
      from = at + 2
    }
    // Skips the second byte of a character, unless it is invalid: then it is a character itself.
    if ((body[at + 1] ?? 0) > 0x40) at++
  }
  return text + platform.decode(body.subarray(from))
}

const platform = new TextDecoder("euc-kr", { ignoreBOM: true })

let added: ReadonlyMap<number, string> | undefined

const syllables = (): ReadonlyMap<number, string> => (added ??= addedSyllables())

/** Windows assigned the syllables that the standard lacks, in Unicode order, to the codes that the standard does not use. */
const addedSyllables = (): ReadonlyMap<number, string> => {
  const codes = freeCodes()
  const standard = standardSyllables()
  const syllableByCode = new Map<number, string>()
  for (let code = 0xac00; code <= 0xd7a3; code++) {
    const syllable = String.fromCharCode(code)
    if (standard.has(syllable)) continue
    const { value } = codes.next()
    if (value !== undefined) syllableByCode.set(value, syllable)
  }
  return syllableByCode
}

const standardSyllables = (): ReadonlySet<string> => {
  const bytes: Array<number> = []
  for (let lead = 0xb0; lead <= 0xc8; lead++) for (let trail = 0xa1; trail <= 0xfe; trail++) bytes.push(lead, trail)
  return new Set(platform.decode(Uint8Array.from(bytes)))
}

function* freeCodes(): Generator<number, undefined> {
  for (let lead = 0x81; lead <= 0xc6; lead++) {
    for (let trail = 0x41; trail <= (lead <= 0xa0 ? 0xfe : 0xa0); trail++) {
      const isFree = trail <= 0x5a || (trail >= 0x61 && trail <= 0x7a) || trail >= 0x81
      if (isFree) yield lead * 256 + trail
    }
  }
  return undefined
}
