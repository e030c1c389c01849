/**
 * Encrypts the fields of requests that may contain a credential, before they are stored, and decrypts them after reading.
 *
 * They are the values of headers, the URL of a webhook, and the texts that actions type into pages. Texts that were stored
 * before there was encryption are read as they are.
 */
import * as Predicate from "effect/Predicate"
import * as Seal from "./Seal.ts"
import type { Seals } from "./Seals.ts"

/** Seals the secrets in a request, or in JSON of the same shape. */
export const sealedSecrets = (json: string, { secrets }: Seals["Service"]): string =>
  secrets === undefined ? json : JSON.stringify(sealedIn(JSON.parse(json), secrets.seal))

/** Opens the secrets again. If one cannot be opened, all stay sealed: `isOpen` is false then. */
export const openedSecrets = (json: string, { secrets }: Seals["Service"]): string =>
  isOpen(json) || secrets === undefined ? json : (Seal.openWithin(secrets.open, json) ?? json)

/** Whether the JSON contains no sealed text. */
export const isOpen = (json: string): boolean => !json.includes('"sealed:')

const sealedIn = (value: unknown, seal: Seal.Seal["seal"]): unknown => {
  if (Array.isArray(value)) return value.map((item) => sealedIn(item, seal))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === "headers") return [name, stringsSealed(member, seal)]
      if (name === "webhook") return [name, webhookSealed(member, seal)]
      if (name === "actions" && Array.isArray(member)) return [name, member.map((action) => textSealed(action, seal))]
      return [name, nests.has(name) ? sealedIn(member, seal) : member]
    })
  )
}

/** Members in which such fields are sealed too. A schema or metadata may have other fields of the same names. */
const nests = new Set(["scrapeOptions", "targets", "crawlOptions"])

const stringsSealed = (member: unknown, seal: Seal.Seal["seal"]): unknown =>
  Predicate.isObject(member)
    ? Object.fromEntries(
        Object.entries(member).map(([name, value]) => [name, typeof value === "string" ? seal(value) : value])
      )
    : member

const webhookSealed = (member: unknown, seal: Seal.Seal["seal"]): unknown => {
  if (typeof member === "string") return seal(member)
  if (!Predicate.isObject(member)) return member
  return Object.fromEntries(
    Object.entries(member).map(([name, value]) => {
      if (name === "url" && typeof value === "string") return [name, seal(value)]
      return [name, name === "headers" ? stringsSealed(value, seal) : value]
    })
  )
}

const textSealed = (action: unknown, seal: Seal.Seal["seal"]): unknown =>
  Predicate.isObject(action) && "text" in action && typeof action.text === "string"
    ? { ...action, text: seal(action.text) }
    : action
