/** The upkeep of a destination that is made of files: few large ones for many small ones, and old versions removed. */

/** Which files of a destination are small. */
export interface CompactTarget {
  /** In bytes: a file of fewer is small. */
  readonly below: number
}

/** What a compaction did. */
export interface Compaction {
  /** Where the files are: a folder, a URL. */
  readonly location: string
  /** Files before and after, by table; tables that were left as they are do not appear. */
  readonly tables: Readonly<Record<string, { readonly before: number; readonly after: number }>>
}

/** Which old versions of a destination may go. */
export interface VacuumTarget {
  /** Milliseconds that a version is kept after the next one came. */
  readonly retain: number
  /** Whether it is only counted what would go. */
  readonly dryRun: boolean
}

/** What a vacuum removed: files, and their bytes. */
export interface Vacuumed {
  /** Where the files are: a folder, a URL. */
  readonly location: string
  /** Files that are gone, or would go. */
  readonly files: number
  /** Their size together. */
  readonly bytes: number
}
