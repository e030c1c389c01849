/**
 * Which work a file of the Open Law Library is of: a code, a charter, an ordinance; whose it is, and how it is cited.
 */

import type { Settings } from "../../CorpusSettings.ts"
import type { GovDocument } from "../../GovText.ts"
import * as Jurisdiction from "../Jurisdiction.ts"
import type { Heading } from "./Index.ts"
import type { Around } from "./Surroundings.ts"

export interface Work extends Pick<GovDocument, "issuer" | "level" | "jurisdiction" | "collection" | "collectionName"> {
  /** "us-dc/code", "us-ca/san-mateo/ord/2025-01". */
  readonly root: string
  /** Where it is published: what a path of the site goes behind. */
  readonly home: string
  /** What a citation begins with: "D.C. Code", "City of San Mateo, Cal., Ord. No. 2025-01". */
  readonly cited: string
  readonly version: string
}

/** `id`: the name of the work in the file: "City of San Mateo, Cal., Code". Undefined: the jurisdiction is not known. */
export const workOf = (id: string, heading: string, around: Around, settings: Settings): Work | undefined => {
  const [, owner = "", kind = "Code"] =
    /^(.*?)[,\s]*\b((?:Mun(?:icipal|\.) )?Code|Charter|Ord\. No\. .+)$/.exec(id) ?? []
  const whose = owner === "" ? (Jurisdiction.ofCode(id) ?? settings.jurisdiction) : owner
  if (whose === undefined) return undefined
  const place = Jurisdiction.parse(whose)
  const town = place.name.replace(/,.*$/, "")
  const level = place.level
  const library = around.indexes.find(({ home }) => home !== undefined)?.home
  const home =
    library ?? (place.root === "us-dc" ? "https://code.dccouncil.gov" : settings.baseUrl?.replace(/\/+$/, ""))
  const site = level === "local" ? sitePath(place.root) : place.root.replace("us-", "us/")
  const base = {
    issuer: level === "local" ? owner.replace(/,.*$/, "") || (settings.issuer ?? town) : issuerOf(place, settings),
    level,
    jurisdiction: place.name,
    version: around.indexes.find(({ through }) => through !== undefined)?.through ?? ""
  }
  const under = (part: string): string =>
    home === undefined ? `urn:x-gov:${place.root}/${part}` : `${home}/${site}/${part}`
  if (kind === "Charter") {
    const name = settings.collectionName ?? (heading || `${town} Charter`)
    return {
      ...base,
      collection: "charter",
      collectionName: name,
      root: `${place.root}/charter`,
      home: under("charter"),
      cited: name
    }
  }
  const number = /^Ord\. No\. (.+)$/.exec(kind)?.[1]
  if (number !== undefined) {
    return {
      ...base,
      collection: "ordinance",
      collectionName: `${town} Ordinances`,
      root: `${place.root}/ord/${number.replaceAll(/\s+/g, "-")}`,
      home: under("ordinances"),
      cited: id
    }
  }
  const named = around.indexes.find(({ root }) => root === "document")?.heading.replace(/^(City|Town|Village) of /, "")
  const name =
    level === "state"
      ? id || settings.collectionName || `${place.name} Code`
      : named || settings.collectionName || `${town} Municipal Code`
  return {
    ...base,
    collection: level === "state" ? "state-code" : "municipal-code",
    collectionName: name,
    root: `${place.root}/code`,
    home: under(place.root === "us-dc" ? "council/code/sections" : "code"),
    cited: name
  }
}

const sitePath = (root: string): string => {
  const [state = "", town = ""] = root.split("/")
  return `${state.replace("us-", "us/")}/cities/${town}`
}

const issuerOf = (place: Jurisdiction.Jurisdiction, settings: Settings): string =>
  place.root === "us-dc" ? "Council of the District of Columbia" : (settings.issuer ?? `State of ${place.name}`)

/** The page of an ordinance: its year, and the name of its file. */
export const urlOf = (work: Work, file: string): string => {
  const [, year, name] = /(\d{4})\/([^/]+)\.xml$/.exec(file) ?? []
  if (work.collection !== "ordinance") return work.home
  const [, cited = "", number = ""] = /(\d{4})-(\w+)$/.exec(work.root) ?? []
  return `${work.home}/${year ?? cited}/${name ?? number}`
}

/** The page of a title, behind that of its code. */
export const indexPath = (work: Work, title: Heading | undefined): string =>
  title === undefined ? "" : work.collection === "state-code" ? `titles/${title.num}` : title.num
