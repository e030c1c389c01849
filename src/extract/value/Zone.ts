/**
 * Zones as they stand behind a time: "UTC+2", "CET", "(MSK)". Where an abbreviation is that of several countries, the language
 * of the page decides; what is not known makes the time unknown, and is not UTC.
 */

/** As ISO offset; undefined where it is not plain which. */
export const offsetOf = (zone: string, language: string | undefined): string | undefined => {
  const upper = zone.toUpperCase()
  const own = shared[upper]
  if (own !== undefined) return own.find(([of]) => of.test(language ?? ""))?.[1]
  const named = zones[upper]
  if (named !== undefined) return named
  const offset = /([+−-])(\d{1,2}):?(\d{2})?$/.exec(zone)
  return offset === null
    ? undefined
    : `${offset[1] === "+" ? "+" : "-"}${(offset[2] ?? "").padStart(2, "0")}:${offset[3] ?? "00"}`
}

/** What stands behind a time and looks like a zone: "ET", "ACST", "Europe/Berlin". */
export const behind = (text: string): string | undefined =>
  /^\s?\(?([A-Z]{1,3}[SD]?T(?![\p{L}\d])|TSİ|[A-Z][a-z]+\/[A-Z]\w+)/u.exec(text)?.[1]

const shared: Readonly<Record<string, ReadonlyArray<readonly [language: RegExp, offset: string]>>> = {
  CST: [
    [/^zh\b/i, "+08:00"],
    [/^/, "-06:00"]
  ],
  IST: [
    [/^(?:hi|bn|ta|te|mr|gu|kn|ml|pa)\b|^en[-_]in\b/i, "+05:30"],
    [/^(?:he|iw)\b/i, "+02:00"],
    [/^ga\b|^en[-_]ie\b/i, "+01:00"]
  ]
}

const zones: Readonly<Record<string, string>> = {
  Z: "Z",
  UTC: "Z",
  GMT: "Z",
  WET: "Z",
  BST: "+01:00",
  CET: "+01:00",
  CEST: "+02:00",
  EET: "+02:00",
  EEST: "+03:00",
  MSK: "+03:00",
  EST: "-05:00",
  EDT: "-04:00",
  CDT: "-05:00",
  MST: "-07:00",
  MDT: "-06:00",
  PST: "-08:00",
  PDT: "-07:00",
  JST: "+09:00",
  KST: "+09:00",
  HKT: "+08:00",
  SGT: "+08:00",
  WIB: "+07:00",
  WITA: "+08:00",
  WIT: "+09:00",
  PKT: "+05:00",
  AEST: "+10:00",
  AEDT: "+11:00",
  NZST: "+12:00",
  NZDT: "+13:00",
  SAST: "+02:00",
  BRT: "-03:00",
  TRT: "+03:00",
  MEZ: "+01:00",
  MESZ: "+02:00",
  МСК: "+03:00"
}
