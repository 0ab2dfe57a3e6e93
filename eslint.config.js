// The page's JavaScript: ES modules for browsers, no build, no package.

import js from "@eslint/js";

const BROWSER = [
  "addEventListener", "AbortSignal", "AudioContext", "Blob", "clearInterval", "clearTimeout", "console", "createImageBitmap", "crypto",
  "CSS", "document", "DOMParser", "DOMPoint", "DOMException", "Element", "EventSource", "fetch", "File", "FormData", "history", "HTMLElement", "HTMLInputElement", "KeyboardEvent", "location", "localStorage", "MutationObserver", "navigator",
  "performance", "removeEventListener", "ResizeObserver", "scrollTo", "sessionStorage", "setInterval", "setTimeout",
  "SpeechSynthesisUtterance", "speechSynthesis", "SVGElement", "URL", "URLSearchParams", "window",
];

export default [
  js.configs.recommended,
  {
    files: ["web/static/js/**/*.js"],
    languageOptions: { globals: Object.fromEntries(BROWSER.map((name) => [name, "readonly"])) },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error",
      "no-restricted-properties": ["error", { object: "Math", property: "random",
        message: "A journey must give the same pictures each time; take chance from crypto where it is wanted." }],
      "no-restricted-syntax": ["error", { selector: "AssignmentExpression[left.property.name='innerHTML']",
        message: "Set text, not markup." }],
      "no-shadow": "error",
      "no-unused-vars": ["error", { args: "all", argsIgnorePattern: "^_$" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
];
