/**
 * How a run ended, told by the ways that a pipeline file may name. What a way needs is loaded when it is used.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as KnownSecrets from "#base/KnownSecrets"
import { Notifier } from "#engine/ScheduleNotifier"
import { reportOf } from "#see/reportPlace"

export const notifyRun = Layer.succeed(
  Notifier,
  Notifier.of({
    send: (to, notice) => {
      const run = { ...notice.run, message: KnownSecrets.maskedTexts(notice.run.message) }
      const message = { ...notice, run, report: reportOf(notice.task, run.run_id) }
      switch (to.type) {
        case "webhook":
          return Effect.flatMap(
            Effect.promise(() => import("./notifyWebhook.ts")),
            ({ notifyWebhook }) => notifyWebhook(to, message)
          )
        case "slack":
          return Effect.flatMap(
            Effect.promise(() => import("./notifyWebhook.ts")),
            ({ notifySlack }) => notifySlack(to, message)
          )
        case "command":
          return Effect.flatMap(
            Effect.promise(() => import("./notifyCommand.ts")),
            ({ notifyCommand }) => notifyCommand(to, message)
          )
        case "email":
          return Effect.flatMap(
            Effect.promise(() => import("./notifyEmail.ts")),
            ({ notifyEmail }) => notifyEmail(to, message)
          )
      }
    }
  })
)
