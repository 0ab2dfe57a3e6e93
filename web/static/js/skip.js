// The link past the bar: it moves the focus, and leaves the address alone, because the address names a view.

import { $ } from "./dom.js";

document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  $("content").focus();
});
