/** The page of `millrace explore`. */
import { serverAnswers } from "./serverAnswers.ts"
import { showViews } from "./showViews.ts"

showViews(serverAnswers(new URLSearchParams(location.search).get("token") ?? ""))
