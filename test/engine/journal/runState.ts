/** A run as tests of journals write it down, and an answer of its source. */
import type * as Journal from "#engine/Journal"

export const state = (runId: string, more: Partial<Journal.RunState> = {}): Journal.RunState => ({
  run_id: runId,
  pipeline: "p",
  source: "crawl",
  options: "{}",
  key: "key",
  started_at: 1000,
  ended_at: null,
  status: "reading",
  start: null,
  checkpoint: null,
  facts: {},
  rows: {},
  message: null,
  sinks: null,
  committed: [],
  ...more
})

export const answer = (text: string) => ({ kind: "pages", at: 5, text, cursor: null })
