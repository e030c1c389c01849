/**
 * Writes down what a team has used, by calendar month (UTC).
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"

export const charge = Effect.fnUntraced(function* (sql: SqlClient, teamId: string, credits: number) {
  const month = monthOf(yield* Clock.currentTimeMillis)
  yield* sql`INSERT INTO team_usage (team_id, month, credits) VALUES (${teamId}, ${month}, ${credits})
    ON CONFLICT (team_id, month) DO UPDATE SET credits = team_usage.credits + excluded.credits`
})

/** As "2026-11". */
export const monthOf = (millis: number): string => new Date(millis).toISOString().slice(0, 7)
