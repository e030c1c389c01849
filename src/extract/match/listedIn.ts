/** The things that one text lists, where it is a list; undefined: it is one thing. */

/** "red, green and blue": a text that lists short things; of steps, a line is one however long it is. */
export const listedIn = (text: string, areLines: boolean): ReadonlyArray<string> | undefined => {
  const lines = areLines ? text.split(/\s*\n\s*/).filter((line) => line.trim() !== "") : []
  if (lines.length > 1) return lines
  const mark = [/\s*\n\s*/, /\s*;\s*/, /\s*[|•·]\s*/, /\s*,\s+|,(?=\D)/].find((one) => one.test(text))
  if (mark === undefined || text.length > 2000) return undefined
  const parts = text
    .split(mark)
    .map((part) => part.trim())
    .filter((part) => part !== "")
  return parts.length > 1 && parts.every((part) => part.length <= 80) ? parts : undefined
}
