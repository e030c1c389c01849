/**
 * Starts work in the order of its arrival, so much at a time. Work that has waited for long may use the spare places.
 * So long work holds up nothing else, and usually little runs at once.
 */
import * as Effect from "effect/Effect"

interface Options {
  readonly places: number
  /** Places for work that has waited for long. */
  readonly spare: number
  /** How long is long, by the clock of the machine. */
  readonly patienceMillis: number
}

export class Gate {
  private readonly options: Options
  private readonly waiting = new Set<Waiting>()
  private inside = 0

  constructor(options: Options) {
    this.options = options
  }

  /** Runs the work once there is a place. */
  readonly within = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.andThen(restore(this.enter), Effect.ensuring(restore(work), Effect.sync(this.leave)))
    )

  private readonly enter = Effect.callback<void>((resume) => {
    if (this.inside < this.options.places) {
      this.inside += 1
      return resume(Effect.void)
    }
    const waiting: Waiting = {
      isLong: false,
      go: () => {
        clearTimeout(timer)
        this.waiting.delete(waiting)
        this.inside += 1
        resume(Effect.void)
      }
    }
    const timer = setTimeout(() => {
      waiting.isLong = true
      if (this.inside < this.options.places + this.options.spare) waiting.go()
    }, this.options.patienceMillis).unref()
    this.waiting.add(waiting)
    return Effect.sync(() => {
      clearTimeout(timer)
      this.waiting.delete(waiting)
    })
  })

  private readonly leave = (): void => {
    this.inside -= 1
    const { places, spare } = this.options
    const [first] = this.waiting
    if (first !== undefined && this.inside < places + (first.isLong ? spare : 0)) first.go()
  }
}

interface Waiting {
  isLong: boolean
  readonly go: () => void
}
