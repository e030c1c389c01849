/** Maintenance of a destination that is made of files: many small files become few large ones, and old versions go. */

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
