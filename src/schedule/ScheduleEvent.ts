/** The events that a scheduler reports while it works. */
import type { Event } from "../pipeline/Notify.ts"
import type { Outcome } from "./Runner.ts"
import type * as ScheduleStore from "./ScheduleStore.ts"

export type ScheduleEvent =
  /** Another machine runs the schedule, and this one waits for it to die. */
  | { readonly _tag: "StandingBy"; readonly holder: string }
  /** `resumed`: a scheduler before this one died while it was under way. */
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
  /** The receiver, and whether the delivery succeeded; `undefined`: unknown, because the scheduler died meanwhile. */
  | {
      readonly _tag: "Told"
      readonly task: string
      readonly event: Event
      readonly to: string
      readonly failure: string | undefined
    }
