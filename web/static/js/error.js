// A page that cannot be shown: why not, in the page's language.

import { $ } from "./dom.js";
import { firstLanguage, language, loadLanguage, onLanguage, switchLanguage } from "./i18n.js";

$("language").onclick = switchLanguage;
onLanguage(() => { $("why").textContent = $("why").dataset[language] ?? $("why").textContent; });
await loadLanguage(firstLanguage());
