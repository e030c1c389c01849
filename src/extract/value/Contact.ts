/**
 * E-mail addresses, telephone numbers and web addresses as a page writes them. A text that is not plainly one of them
 * does not count.
 */
import { asciiDigits } from "./asciiDigits.ts"

export const email = (text: string): string | undefined => {
  const found = text.slice(0, 500).match(mails)
  const [first] = found ?? []
  return first !== undefined && found?.every((one) => one === first) === true ? first : undefined
}

/** Digits, as ASCII, with what groups them as written; a sum, a date or a lone short number is none. */
export const phone = (text: string): string | undefined => {
  const plain = asciiDigits(text.slice(0, 300))
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .replace(/^tel:/i, "")
  const [first, second] = plain.slice(0, 200).matchAll(phones)
  if (first === undefined || second !== undefined || /^,\d/.test(plain.slice(first.index + first[0].length)))
    return undefined
  const [found] = first
  const digits = found.replaceAll(/\D/g, "")
  const isDay = /^\d{4}-\d{2}-\d{2}$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(found.trim())
  return digits.length >= 6 && digits.length <= 15 && !isDay ? found.trim() : undefined
}

/** An address on the web, absolute: what has blanks in it is text and no address. */
export const url = (text: string, page: string): string | undefined => {
  const plain = text.trim()
  if (plain === "" || /\s/.test(plain)) return undefined
  const isBare =
    /^(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:\/\S*)?$/i.test(plain) && /^www\.|\.[a-z]{2,}\//i.test(plain)
  const address = URL.parse(isBare ? `https://${plain}` : plain, page)
  return address === null || !allowed.has(address.protocol) ? undefined : address.href
}

/** Whether a text is written as an address, so that a plain word is none. */
export const looksLikeUrl = (text: string): boolean =>
  /^(?:https?:)?\/\/\S+$|^(?:\/|\.{1,2}\/)\S*$|^www\.\S+$|^\S+\/\S*\.\w{2,5}$|^\S+\.(?:html?|php|pdf|png|jpe?g|gif|svg|webp)$/i.test(
    text.trim()
  )

const allowed = new Set(["http:", "https:", "mailto:", "tel:", "ftp:"])
const mails = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,6}\.[a-z]{2,24}/gi
/** Blanks and dashes of all widths group digits. */
const phones = /(?:\+|\(\+?|\b)\d[\d\p{Zs}\p{Pd}()./]{4,24}\d/gu
