/**
 * A value as a page writes it, as the type and format that a schema wants; undefined where it is none of that kind.
 */
import { isSchema, type Json, type JsonSchema, typeOf } from "./JsonSchema.ts"

export const coerce = (value: Json, schema: JsonSchema, url: string): Json | undefined => {
  if (value === null) return undefined
  const choices = schema["enum"]
  if (Array.isArray(choices)) return choiceOf(value, choices)
  if (schema["const"] !== undefined) return same(value, schema["const"]) ? schema["const"] : undefined
  const plain = scalar(value)
  switch (typeOf(schema)) {
    case "number":
      return plain === undefined ? undefined : numberOf(plain)
    case "integer": {
      const number = plain === undefined ? undefined : numberOf(plain)
      return number === undefined ? undefined : Math.round(number) === number ? number : undefined
    }
    case "boolean":
      return plain === undefined ? undefined : booleanOf(plain)
    case "string":
      return plain === undefined ? undefined : textOf(String(plain), schema["format"], url)
    case undefined:
      return plain ?? value
    default:
      return undefined
  }
}

/** The value itself, or the one that stands for an object (`{ name }`, `{ "@value" }`) or a list. */
const scalar = (value: Json): string | number | boolean | undefined => {
  if (Array.isArray(value)) return value[0] === undefined ? undefined : scalar(value[0])
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  if (!isSchema(value)) return undefined
  const inner = value["@value"] ?? value["name"] ?? value["value"] ?? value["url"] ?? value["@id"]
  return inner === undefined ? undefined : scalar(inner)
}

const same = (value: Json, other: Json): boolean =>
  String(scalar(value))
    .toLowerCase()
    .replaceAll(/[\s_-]/g, "") ===
  String(other)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, "")

/** Addresses of a vocabulary mean their last part: https://schema.org/InStock. */
const choiceOf = (value: Json, choices: ReadonlyArray<Json>): Json | undefined => {
  const text = String(scalar(value) ?? "")
  const short = text.startsWith("http") ? (text.split(/[/#]/).at(-1) ?? text) : text
  return choices.find((choice) => same(text, choice) || same(short, choice))
}

/** One number in a short text: "€ 1.299,00", "1,299.00 USD", "about 40". */
const numberOf = (value: string | number | boolean): number | undefined => {
  if (typeof value === "number") return value
  if (typeof value === "boolean" || value.length > 60) return undefined
  const found = value.match(/[-+]?\d[\d.,'’ \u00a0\u202f]*/g) ?? []
  if (found.length !== 1) return undefined
  const digits = (found[0] ?? "").replaceAll(/['’ \u00a0\u202f]/g, "").replace(/[.,]+$/, "")
  const comma = digits.lastIndexOf(",")
  const point = digits.lastIndexOf(".")
  const last = Math.max(comma, point)
  const decimals = digits.length - last - 1
  // A lone separator before three digits groups thousands; so does any that comes twice.
  const groups =
    last !== -1 && (comma === -1 || point === -1) && (decimals === 3 || digits.indexOf(digits[last] ?? "") !== last)
  const text =
    last === -1 || groups
      ? digits.replaceAll(/[.,]/g, "")
      : `${digits.slice(0, last).replaceAll(/[.,]/g, "")}.${digits.slice(last + 1)}`
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

const booleanOf = (value: string | number | boolean): boolean | undefined => {
  if (typeof value !== "string") return Boolean(value)
  const word = value
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/schema\.org\//, "")
    .replaceAll(/[\s_-]/g, "")
  return yes.has(word) ? true : no.has(word) ? false : undefined
}

const yes = new Set(["true", "yes", "1", "on", "instock", "available", "ja", "oui", "si", "sí", "✓", "✔"])
const no = new Set(["false", "no", "0", "off", "outofstock", "soldout", "unavailable", "nein", "non", "✗", "✘"])

const textOf = (text: string, format: Json | undefined, url: string): string | undefined => {
  const trimmed = text.trim()
  if (trimmed === "") return undefined
  switch (format) {
    case "uri":
    case "url":
    case "iri":
      return URL.parse(trimmed, url)?.href
    case "email":
      return /[^\s@<>:]+@[^\s@<>]+\.[a-z]{2,}/i.exec(trimmed)?.[0]
    case "date":
      return dateOf(trimmed)?.slice(0, 10)
    case "date-time":
      return dateOf(trimmed)
    default:
      return trimmed
  }
}

/** A date with its year; the day that is written stays that day, whatever the zone of this machine. */
const dateOf = (text: string): string | undefined => {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?$/.exec(text)
  if (iso?.[1] === text) return `${text}T00:00:00.000Z`
  if (!/\d{4}/.test(text) || text.length > 60) return undefined
  const millis = Date.parse(iso === null ? `${text.replaceAll(/(\d)(?:st|nd|rd|th)\b/g, "$1")} UTC` : text)
  return Number.isNaN(millis) ? undefined : new Date(millis).toISOString()
}
