/**
 * The journal of one run in its folder, open until the scope closes: its answers, the segments that they name, its state.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Segment } from "#base/Segment"
import * as Journal from "../Journal.ts"
import type { SourceResponse } from "../SourceElement.ts"
import * as AnswerFile from "./AnswerFile.ts"
import { attempt } from "./attempt.ts"
import * as Known from "./Known.ts"
import * as RunFolder from "./RunFolder.ts"
import * as SegmentFiles from "./SegmentFiles.ts"

export const openRun = Effect.fnUntraced(function* (
  folder: string,
  begun: Journal.RunState
): Effect.fn.Return<Journal.RunJournal, Journal.JournalError, Scope.Scope> {
  const path = RunFolder.answersOf(folder)
  const file = yield* Effect.acquireRelease(
    attempt(`cannot open ${path}`, () => AnswerFile.open(path)),
    ({ close }) => Effect.promise(close)
  )
  const files = yield* Effect.acquireRelease(
    Effect.sync(() => SegmentFiles.make(folder)),
    ({ close }) => Effect.promise(close)
  )
  const opened = (file: () => Promise<Segment>) => attempt(`cannot open the segments in ${folder}`, file)
  /** An answer with the blocks that it names. */
  const whole = Effect.fnUntraced(function* (answer: SourceResponse) {
    if (answer.blocks === undefined) return answer
    const blocks = yield* opened(files.blocks)
    const contents: Array<Uint8Array> = []
    for (const number of answer.blocks) {
      const place = blocks.places[number]
      const block =
        place === undefined ? undefined : yield* attempt(`cannot read run ${begun.run_id}`, () => blocks.read(place))
      if (block === undefined) {
        return yield* new Journal.JournalError({
          message: `block ${number} of run ${begun.run_id} is not in ${folder}; run the pipeline with --full-refresh`
        })
      }
      contents.push(block.bytes)
    }
    return { ...answer, contents }
  })
  let state = begun
  return {
    get state() {
      return state
    },
    get length() {
      return file.length
    },
    folder,
    answers: Stream.paginate(0, (at) =>
      Effect.map(
        attempt(`cannot read ${path}`, () => file.read(at)),
        (found): readonly [ReadonlyArray<SourceResponse>, Option.Option<number>] =>
          found === undefined ? [[], Option.none()] : [[found.answer], Option.some(found.next)]
      )
    ).pipe(Stream.mapEffect(whole)),
    segments: Effect.all({
      blocks: opened(files.blocks),
      progress: opened(files.progress),
      known: opened(files.known)
    }),
    append: (answer) => attempt(`cannot append to ${path}`, () => file.append(answer)),
    keepKnown: (print) =>
      attempt(`cannot keep what run ${begun.run_id} knows`, () => Known.keep(folder, begun.run_id, print)),
    save: (more) =>
      Effect.suspend(() => {
        const changed = { ...state, ...more }
        state = changed.status === "reading" ? changed : { ...changed, answers: file.length }
        return attempt(`cannot write the state of run ${state.run_id}`, async () => {
          await RunFolder.writeState(folder, state)
          // When the source is completely read, it is not read again for this run.
          if (state.status !== "reading") await files.endReading(vain.has(state.status))
        })
      })
  }
})

/** The statuses of runs that have ended without a commit of the whole run. */
const vain: ReadonlySet<Journal.RunStatus> = new Set(["failed", "stopped", "dropped"])
