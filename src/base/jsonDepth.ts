/** Checks the nesting of a JSON text: recursive code, such as `JSON.stringify`, overflows the stack if it is too deep. */

/** Whether lists and objects are nested more than `most` levels deep. The text need not be valid JSON. */
export const isDeeperThan = (text: string, most: number): boolean => {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (isInText && char === backslash) at += 1
    else if (char === quote) isInText = !isInText
    else if (isInText) continue
    else if (char === bracket || char === brace) depth += 1
    else if (char === bracket + 2 || char === brace + 2) depth -= 1
    if (depth > most) return true
  }
  return false
}

const [quote, backslash, bracket, brace] = [0x22, 0x5c, 0x5b, 0x7b]
