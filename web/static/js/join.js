// How phones join. The network may come or change after the page was loaded, so this part is fetched anew.

import { translate } from "./i18n.js";

export async function refreshJoin() {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return; // the server is away: what is shown stays
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [shown, fresh] = [document, page].map((each) => each.querySelector("[data-join]"));
  if (!shown || !fresh) return;
  translate(fresh);
  if (shown.innerHTML !== fresh.innerHTML) shown.replaceChildren(...fresh.childNodes);
}
