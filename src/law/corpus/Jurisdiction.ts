/**
 * Whose law a text is: from a name as people and files write it to the place that identities begin with.
 *
 * A state that is not named is not guessed; such a place is local, under its own name.
 */
import type { Level } from "../GovText.ts"

export interface Jurisdiction {
  /** "United States", "District of Columbia", "San Mateo, California". */
  readonly name: string
  readonly level: Level
  /** What identities begin with: "us", "us-dc", "us-ca/san-mateo". */
  readonly root: string
}

/** Why a file is left out that does not say it. */
export const unsaid =
  'it does not name its jurisdiction; name it: --jurisdiction "Springfield, Illinois" for millrace gov load, ' +
  "jurisdiction: Springfield, Illinois in a pipeline, or for folders of it in folders"

const unitedStates: Jurisdiction = { name: "United States", level: "federal", root: "us" }

/** "San Mateo, California", "City of San Mateo, Cal.", "Utah", "Spanish Fork City". */
export const parse = (written: string): Jurisdiction => {
  const name = written.trim()
  if (/^(the )?(united states|u\.? ?s\.?)( of america)?$/i.test(name)) return unitedStates
  const whole = stateOf(name.replace(/^(state|commonwealth) of /i, ""))
  if (whole !== undefined) return { name: whole.name, level: "state", root: `us-${whole.code}` }
  const [, place = name, rest = ""] = /^(.*?),\s*([^,]+)$/.exec(name) ?? []
  const state = stateOf(rest)
  const town = townOf(state === undefined ? name : place)
  return state === undefined
    ? { name: town, level: "local", root: `us/local/${slug(town)}` }
    : { name: `${town}, ${state.name}`, level: "local", root: `us-${state.code}/${slug(town)}` }
}

/**
 * "City of San Mateo" and "Spanish Fork City" are San Mateo and Spanish Fork; a county keeps its kind, and so does a city whose
 * name needs it.
 */
const townOf = (name: string): string => {
  const plain = name.trim().replace(/^(the )?(city|town|village) of /i, "")
  return named.test(plain) ? plain : plain.replace(/ (city|town)$/i, "")
}

const named =
  /^(salt lake|kansas|oklahoma|new york|jersey|iowa|carson|atlantic|ocean|sioux|rapid|dodge|garden|park|daly|foster|union|culver|yuba|boulder|texas|league|missouri|johnson|traverse|bay|michigan|panama|plant|haines|elizabeth|morgan|ellicott|cathedral|national|redwood|suisun|studio|heber|cedar|brigham|bullhead|lake havasu|ca\u00f1on|canon|commerce|federal|virginia|west valley|[a-z]) city$/i

const slug = (name: string): string =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f'’.]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")

interface State {
  readonly name: string
  readonly code: string
}

/** The state whose code a work is by its name: "Code of Maryland Regulations", "Official Code of Vermont Annotated". */
export const ofCode = (written: string): string | undefined => {
  const [, name = ""] =
    /\bcode of (?:the )?(?:state of )?(.+?)(?: (?:annotated|regulations|laws|statutes)\b|$)/i.exec(written) ?? []
  return stateOf(name)?.name
}

/** The code of a state that a citation names, with the root of the state: "Ga. Code Ann." of "Ga. Code Ann. § 6-3-22". */
export const codeIn = (written: string): { readonly root: string; readonly name: string } | undefined => {
  for (const { 0: name, 1: before = "" } of written.matchAll(books)) {
    const parts = before.trim().split(" ")
    const state = parts.map((_, at) => stateOf(parts.slice(at).join(" "))).find((one) => one !== undefined)
    if (state !== undefined) return { root: `us-${state.code}`, name }
  }
  return undefined
}

const books =
  /((?:[A-Z][A-Za-z.]+ ){1,3})(?:(?:Official|Revised|Rev\.|General|Gen\.|Compiled|Comp\.|Consolidated|Administrative|Admin\.) )?(?:Codes?|Stat\.?|Statutes|Laws?)(?![A-Za-z])(?: Ann(?:\.|otated))?/g

/** By its name, its postal code, or how it is abbreviated in citations. */
const stateOf = (written: string): State | undefined => byName.get(written.trim().toLowerCase().replaceAll(/[. ]/g, ""))

/** Code, name, abbreviation in citations. */
const states = `al Alabama|Ala.
ak Alaska
az Arizona|Ariz.
ar Arkansas|Ark.
ca California|Cal.
co Colorado|Colo.
ct Connecticut|Conn.
de Delaware|Del.
dc District of Columbia|D.C.
fl Florida|Fla.
ga Georgia|Ga.
hi Hawaii|Haw.
id Idaho
il Illinois|Ill.
in Indiana|Ind.
ia Iowa
ks Kansas|Kan.
ky Kentucky|Ky.
la Louisiana|La.
me Maine|Me.
md Maryland|Md.
ma Massachusetts|Mass.
mi Michigan|Mich.
mn Minnesota|Minn.
ms Mississippi|Miss.
mo Missouri|Mo.
mt Montana|Mont.
ne Nebraska|Neb.
nv Nevada|Nev.
nh New Hampshire|N.H.
nj New Jersey|N.J.
nm New Mexico|N.M.
ny New York|N.Y.
nc North Carolina|N.C.
nd North Dakota|N.D.
oh Ohio
ok Oklahoma|Okla.
or Oregon|Or.
pa Pennsylvania|Pa.
ri Rhode Island|R.I.
sc South Carolina|S.C.
sd South Dakota|S.D.
tn Tennessee|Tenn.
tx Texas|Tex.
ut Utah
vt Vermont|Vt.
va Virginia|Va.
wa Washington|Wash.
wv West Virginia|W. Va.
wi Wisconsin|Wis.
wy Wyoming|Wyo.
pr Puerto Rico|P.R.
gu Guam
vi Virgin Islands|V.I.
as American Samoa|Am. Sam.
mp Northern Mariana Islands|N. Mar. I.`

const byName: ReadonlyMap<string, State> = new Map(
  states.split("\n").flatMap((line) => {
    const code = line.slice(0, 2)
    const names = line.slice(3).split("|")
    const state = { name: names[0] ?? "", code }
    return [code, ...names].map((name) => [name.toLowerCase().replaceAll(/[. ]/g, ""), state] as const)
  })
)
