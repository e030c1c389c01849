/** The page of a folder that `millrace explore --export` wrote. */
import { folderAnswers } from "./folderAnswers.ts"
import { showViews } from "./showViews.ts"

showViews(folderAnswers(new URL(".", document.baseURI)))
