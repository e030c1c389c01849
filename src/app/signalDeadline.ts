/**
 * The end of a command that does not end by itself after SIGINT or SIGTERM, because it waits for a peer that says nothing.
 *
 * The first signal interrupts the command (`NodeRuntime.runMain`), which then has ten seconds. After them, or at a further
 * signal, the process ends as it is: its sockets are cut, and its threads and its own processes end with it. What was
 * committed stays, and the next run settles the rest, as after kill -9.
 */

/** The exit code of a command that a signal has stopped. */
const stopped = 130

const patienceMillis = 10_000

/** A terminal and npm may both pass on one Ctrl-C: signals within this time are one. */
const oneSignalMillis = 1000

/** Call it before the command runs. */
export const signalDeadline = (): void => {
  let first: number | undefined
  const end = () => {
    process.stderr.write(
      "millrace: stopped without waiting for what did not answer; what was committed stays, and the next run settles the rest\n"
    )
    process.exit(stopped)
  }
  const receive = () => {
    const now = performance.now()
    if (first === undefined) setTimeout(end, patienceMillis).unref()
    else if (now - first > oneSignalMillis) end()
    first ??= now
  }
  process.on("SIGINT", receive)
  process.on("SIGTERM", receive)
}
