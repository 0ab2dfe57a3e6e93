// The file of one game, opened with no network: its facts and words stand in the page itself (web/game_file.py).

import { $ } from "./dom.js";
import { LANGUAGES, firstLanguage, language, onLanguage, speak } from "./i18n.js";
import { Replay } from "./replay.js";

const { game, report, catalogues } = JSON.parse($("facts").textContent);

// A browser may keep a file from remembering anything; then its own language counts.
function wanted() {
  try {
    return firstLanguage();
  } catch {
    return LANGUAGES[0];
  }
}

speak(wanted(), catalogues[wanted()]);
const replay = new Replay(game, null);
if (report) replay.know(report);
onLanguage(() => replay.draw());
$("language").onclick = () => {
  const next = LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length];
  speak(next, catalogues[next]);
};
