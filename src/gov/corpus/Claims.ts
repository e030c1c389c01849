/**
 * What sections of a corpus are called, and which of them was called so first.
 *
 * In a corpus an identity in one version belongs to one section, and so does an address. The first section that is read
 * has it.
 */

/** A section that has a name, and where it stands. */
export interface Claim {
  readonly file: string
  readonly line: number | undefined
  readonly identity: string
  /** Of its heading and its text. */
  readonly digest: string
}

export interface Claims {
  /** The file is read from its beginning: what it has said before counts no more. */
  readonly begin: (file: string) => void
  /** The section that has this name already; nothing where it is free, and then it is taken. */
  readonly take: (name: string, claim: Claim) => Claim | undefined
}

export const make = (): Claims => {
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

/** "12.xml:40", or the file alone where the line is not known. */
export const placeOf = ({ file, line }: { readonly file: string; readonly line?: number | undefined }): string =>
  line === undefined ? file : `${file}:${line}`
