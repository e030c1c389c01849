/** Takes the lock of the path that it is given, says so, and holds it until it is killed. */
import * as Lock from "#base/Lock"

const taken = Lock.take(process.argv[2] ?? "")
process.stdout.write("release" in taken ? "taken" : `refused: ${taken.owner}`)
setInterval(() => taken, 60_000)
