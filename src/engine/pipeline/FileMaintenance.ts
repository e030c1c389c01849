/**
 * Maintenance of a destination that is made of files: many small files become few large ones, old versions go, and what is
 * damaged is found and healed.
 */

/** Which files a compaction merges. */
export interface CompactTarget {
  /** In bytes: files that are smaller are merged. */
  readonly below: number
}

/** The result of a compaction. */
export interface Compaction {
  /** Where the files are: a folder, a URL. */
  readonly location: string
  /** The number of files before and after, by table. Tables that were not compacted are left out. */
  readonly tables: Readonly<Record<string, { readonly before: number; readonly after: number }>>
}

/** Which old versions a vacuum removes. */
export interface VacuumTarget {
  /** Milliseconds: versions that were replaced longer ago are removed. */
  readonly retain: number
  /** Whether files are only counted and not removed. */
  readonly dryRun: boolean
}

/** The result of a vacuum. */
export interface Vacuumed {
  /** Where the files are: a folder, a URL. */
  readonly location: string
  /** The number of files that were removed, or would be removed. */
  readonly files: number
  /** Their total size. */
  readonly bytes: number
}

/** How a destination is verified. */
export interface VerifyTarget {
  /** Whether what is damaged is healed, and what cannot be healed is left out. Otherwise nothing is written. */
  readonly repair: boolean
  /** Is called while files are read: bytes that were read, and bytes of all files. */
  readonly onProgress?: (read: number, all: number) => void
  /** What an earlier verification, which was interrupted, has found whole. */
  readonly whole?: WholeFiles
}

/** The files that were found whole, so that a verification which begins again does not read them again. */
export interface WholeFiles {
  /** `print`: the path, the digest and the time of a file. */
  readonly has: (print: string) => boolean
  /** Notes a file that was found whole. */
  readonly add: (print: string) => void
}

/** The result of a verification. */
export interface Verified {
  /** Where the files are: a folder, a URL. */
  readonly location: string
  /** The number of files that were compared with their digests. */
  readonly files: number
  /** Their total size. */
  readonly bytes: number
  /** What is not as it was written; empty: all is right. */
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Something that is not as it was written. damaged: `repair` heals it. healed: it is as it was written again. lost: it cannot be
 * healed, and `repair` leaves it out. open: only people can decide, such as about what another program wrote.
 */
export interface Finding {
  /** The file, below `location`; or the name of a table. */
  readonly path: string
  /** What is wrong with it, or what was done, in words. */
  readonly message: string
  /** Whether it can be healed, was healed, is lost, or is for people to decide. */
  readonly outcome: "damaged" | "healed" | "lost" | "open"
  /** The runs whose rows are lost with it: a replay loads them again. */
  readonly runs?: ReadonlyArray<string>
}
