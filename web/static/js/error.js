// A page that cannot be shown: why not, in the page's language.

import { $ } from "./dom.js";
import { beginLanguage, language, onLanguage } from "./i18n.js";

onLanguage(() => { $("why").textContent = $("why").dataset[language] ?? $("why").textContent; });
await beginLanguage();
