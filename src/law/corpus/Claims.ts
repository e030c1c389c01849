/**
 * The names (identities and addresses) that the sections of a corpus have taken.
 *
 * Only one section of a corpus may have a name. It belongs to the section that was read first.
 */

/** The section that has a name, and its place. */
export interface Claim {
  readonly file: string
  readonly line: number | undefined
  readonly identity: string
  /** Of its heading and its text. */
  readonly digest: string
}

export interface Claims {
  /** Releases the names that this file has taken: it is read again from its start. */
  readonly begin: (file: string) => void
  /** Takes a name. Returns the section that already has it; undefined: the name was free. */
  readonly take: (name: string, claim: Claim) => Claim | undefined
}

export const empty = (): Claims => {
  const taken = new Map<string, Claim>()
  const named = new Map<string, Array<string>>()
  return {
    begin: (file) => {
      for (const name of named.get(file) ?? []) taken.delete(name)
      named.set(file, [])
    },
    take: (name, claim) => {
      const holder = taken.get(name)
      if (holder !== undefined) return holder
      taken.set(name, claim)
      const names = named.get(claim.file)
      if (names === undefined) named.set(claim.file, [name])
      else names.push(name)
      return undefined
    }
  }
}

/** "12.xml:40", or only the file if the line is not known. */
export const placeOf = ({ file, line }: { readonly file: string; readonly line?: number | undefined }): string =>
  line === undefined ? file : `${file}:${line}`
