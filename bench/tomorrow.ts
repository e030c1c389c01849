/**
 * Loaded before a program, lets it believe that a day has passed: on SIGUSR2 its clock jumps by 25 hours, and whoever
 * sleeps for minutes wakes up.
 */
const now = Date.now.bind(Date)
const sleep = globalThis.setTimeout
const sleepers = new Set<() => void>()
let ahead = 0

Date.now = () => now() + ahead
globalThis.setTimeout = Object.assign((...[call, millis, ...args]: Parameters<typeof sleep>) => {
  if ((millis ?? 0) >= 60_000) sleepers.add(() => call(...args))
  return sleep(call, millis, ...args)
}, sleep)

process.on("SIGUSR2", () => {
  ahead += 25 * 3_600_000
  const woken = [...sleepers]
  sleepers.clear()
  for (const wake of woken) wake()
})
