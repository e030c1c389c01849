/** A day of a calendar, and one with its place in the text that says it. */

export interface CalendarDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** `from` and `to`: characters of the text. */
export interface FoundDay extends CalendarDay {
  readonly from: number
  readonly to: number
}
