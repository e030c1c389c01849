/**
 * One answer of what a source asks, as it came: the unit of the journal.
 *
 * The text is what the source answered, before any code interpreted it. A run makes everything from such answers, so the
 * same answers give the same rows, today and from the journal next year.
 */

export interface SourceResponse {
  /** What was asked, in the source's own words: "started", "pages". */
  readonly kind: string
  /** When it came, in milliseconds since the epoch. */
  readonly at: number
  /** What was said, unparsed. */
  readonly text: string
  /** Where the source goes on from behind this answer: its cursor, encoded to JSON. */
  readonly cursor: unknown
}
