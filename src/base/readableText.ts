/** Texts that others wrote: what cannot be read is given back as it is, or not at all. */

/** A text of a URL without its escapes; as it is, if they are broken. */
export const decodedUri = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The value of a JSON text; undefined if it is none. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
