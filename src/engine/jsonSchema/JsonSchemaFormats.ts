/**
 * The formats of JSON Schema that ajv-formats does not have, or has otherwise than the standards say.
 *
 * A format is what its standard says (RFC 3339, 3986, 3987, 4122, 5321, 5890 to 5893, 6570). A `date-time` that passes
 * here is a valid point in time for `Instant`, so every TIMESTAMP column can hold it.
 */
import { domainToASCII, domainToUnicode } from "node:url"
import * as Instant from "../Instant.ts"

type Format = (text: string) => boolean

const isInstant: Format = (text) => Instant.microsOf(text) !== undefined

const isTime: Format = (text) => /^\d\d:/.test(text) && isInstant(`1970-01-01T${text}`)

const isDuration: Format = (text) =>
  /^P(?:\d+W|(?=[\dT])(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?=\d)(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/.test(
    text
  )

const isIpv4: Format = (text) => /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text)

const isIpv6: Format = (text) => /^[0-9A-Fa-f:.]+$/.test(text) && URL.canParse(`http://[${text}]`)

/** URIs and references of a grammar: that of RFC 3986, or with the letters that RFC 3987 adds. */
const grammar = (letters: string, secret: string): { readonly whole: Format; readonly reference: Format } => {
  const plain = `A-Za-z0-9\\-._~!$&'()*+,;=${letters}`
  const coded = "%[0-9A-Fa-f]{2}"
  const step = `(?:[${plain}:@]|${coded})`
  const path = `(?:/${step}*)*`
  const authority = `//(?:(?:[${plain}:]|${coded})*@)?(?:\\[(?<literal>[^\\]]*)\\]|(?:[${plain}]|${coded})*)(?::\\d*)?${path}`
  const absolute = `/(?:${step}+${path})?`
  const tail = `(?:\\?(?:[${plain}:@/?${secret}]|${coded})*)?(?:#(?:[${plain}:@/?]|${coded})*)?`
  const whole = new RegExp(`^[A-Za-z][A-Za-z0-9+.\\-]*:(?:${authority}|${absolute}|${step}+${path})?${tail}$`, "u")
  const relative = new RegExp(`^(?:${authority}|${absolute}|(?:[${plain}@]|${coded})+${path})?${tail}$`, "u")
  const fits =
    (pattern: RegExp): Format =>
    (text) => {
      const match = pattern.exec(text)
      const literal = match?.groups?.["literal"]
      return (
        match !== null &&
        (literal === undefined || isIpv6(literal) || /^[Vv][0-9A-Fa-f]+\.[\w\-.~!$&'()*+,;=:]+$/.test(literal))
      )
    }
  const isWhole = fits(whole)
  const isRelative = fits(relative)
  return { whole: isWhole, reference: (text) => isWhole(text) || isRelative(text) }
}

const uri = grammar("", "")
const iri = grammar(
  "\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}\\u{10000}-\\u{DFFFD}\\u{E1000}-\\u{EFFFD}",
  "\\u{E000}-\\u{F8FF}\\u{F0000}-\\u{10FFFD}"
)

const variable = "(?:\\w|%[0-9A-Fa-f]{2})(?:\\.?(?:\\w|%[0-9A-Fa-f]{2}))*(?::[1-9]\\d{0,3}|\\*)?"
const template = new RegExp(
  `^(?:[^\\x00-\\x20"%<>\\\\^\`{|}\\x7f]|%[0-9A-Fa-f]{2}|\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\})*$`,
  "u"
)

const isRegex: Format = (text) => {
  try {
    return new RegExp(text, "u") instanceof RegExp
  } catch {
    return false
  }
}

/** A host in ASCII. Labels that are coded must be the code of something. */
const isHostname: Format = (text) => /^[A-Za-z0-9.-]+$/.test(text) && isIdnHostname(text)

const isIdnHostname: Format = (text) => {
  const labels = text.split(/[.。．｡]/u)
  const coded = labels.map((label) => (isAscii(label) ? label.toLowerCase() : domainToASCII(label)))
  return coded.join(".").length <= 253 && coded.every((label, at) => isLabel(labels[at] ?? "", label))
}

const isLabel = (written: string, coded: string): boolean => {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(coded)) return false
  if (!coded.startsWith("xn--")) return true
  const meant = domainToUnicode(coded)
  if (meant === "" || isAscii(meant) || domainToASCII(meant) !== coded) return false
  return (isAscii(written) || written.slice(2, 4) !== "--") && meant.slice(2, 4) !== "--" && isSpoken(meant)
}

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/** The rules of RFC 5892 for characters that are allowed only beside certain others. */
const isSpoken = (label: string): boolean =>
  !/^[-\p{M}]|-$/u.test(label) &&
  !/[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u.test(label) &&
  !/(?<!l)\u00b7|\u00b7(?!l)/u.test(label) &&
  !/\u0375(?!\p{Script=Greek})/u.test(label) &&
  !/(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u.test(label) &&
  !(
    /\u30fb/u.test(label) &&
    !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label.replaceAll("\u30fb", ""))
  ) &&
  !(/[\u0660-\u0669]/u.test(label) && /[\u06f0-\u06f9]/u.test(label))

const mailbox = (letters: string, isHost: Format): Format => {
  const atom = `[\\w!#$%&'*+/=?^\`{|}~\\-${letters}]+`
  const local = new RegExp(`^(?:${atom}(?:\\.${atom})*|"(?:[ !#-\\[\\]-~${letters}]|\\\\[ -~])*")$`, "u")
  return (text) => {
    const at = text.lastIndexOf("@")
    const [name, host] = [text.slice(0, at), text.slice(at + 1)]
    if (at < 1 || !local.test(name)) return false
    const literal = /^\[(?:IPv6:)?(.*)\]$/i.exec(host)?.[1]
    if (literal === undefined) return isHost(host)
    return /^\[IPv6:/i.test(host) ? isIpv6(literal) : isIpv4(literal)
  }
}

/** By the names that schemas call them. */
export const formats: Readonly<Record<string, Format>> = {
  "date-time": isInstant,
  time: isTime,
  duration: isDuration,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: uri.whole,
  "uri-reference": uri.reference,
  iri: iri.whole,
  "iri-reference": iri.reference,
  "uri-template": (text) => template.test(text),
  regex: isRegex,
  uuid: (text) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text),
  hostname: isHostname,
  "idn-hostname": isIdnHostname,
  email: mailbox("", isHostname),
  "idn-email": mailbox("\\u{80}-\\u{10FFFF}", isIdnHostname)
}
