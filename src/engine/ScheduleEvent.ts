/** The events that a scheduler reports while it works. */
import type { Event } from "./Notify.ts"
import type { Outcome } from "./ScheduleRunner.ts"
import type * as ScheduleStore from "./ScheduleStore.ts"

export type ScheduleEvent =
  /** Another machine runs the schedule, and this machine waits until that one stops. */
  | { readonly _tag: "StandingBy"; readonly holder: string }
  /** `resumed`: an earlier scheduler died while the run was under way. */
  | { readonly _tag: "Began"; readonly run: ScheduleStore.Run; readonly resumed: boolean }
  | {
      readonly _tag: "Ended"
      readonly run: ScheduleStore.Run
      readonly state: ScheduleStore.State
      readonly outcome: Outcome
      readonly millis: number
    }
  | { readonly _tag: "Retrying"; readonly run: ScheduleStore.Run; readonly at: number; readonly message: string | null }
  | { readonly _tag: "Busy"; readonly run: ScheduleStore.Run; readonly message: string | null }
  | { readonly _tag: "Skipped"; readonly task: string; readonly due: number; readonly message: string }
  | { readonly _tag: "Missed"; readonly task: string; readonly count: number; readonly last: number }
  /** A row of the schedule's database was damaged, and is set aside: what it was, and what is wrong with it. */
  | { readonly _tag: "Lost"; readonly message: string }
  /** A notice was sent to a receiver. `failure`: why it was not, or may not have been, delivered; undefined: it was. */
  | {
      readonly _tag: "Notified"
      readonly task: string
      readonly event: Event
      readonly to: string
      readonly failure: string | undefined
    }
