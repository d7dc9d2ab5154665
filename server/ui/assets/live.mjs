// SPDX-License-Identifier: Apache-2.0
// Pages are whole without this: it only keeps them fresh. Text from the server is set as text, never as markup of ours.

/** Fetches the page again every `pause` ms and puts its main part in place, until it says that nothing moves. */
function keepFresh(main) {
  const pause = Number(main.dataset.refresh);
  setTimeout(async () => {
    let next = main;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.querySelector("main");
      if (answer.ok && found && !hasSelection()) {
        main.replaceWith(found);
        next = found;
      }
    } catch {
      // The server may be away for a while: try again.
    }
    if (next.dataset.refresh) keepFresh(next);
  }, pause);
}

/** Whether the reader has marked text, which a new page would take away. */
function hasSelection() {
  return !getSelection().isCollapsed;
}

/** Control characters as the server writes them in a page. */
function shown(text) {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, (c) => "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0"));
}

/** Appends to a log as it grows, and stays at its end where the reader is there. */
function followLog(log) {
  const events = new EventSource(log.dataset.events);
  log.textContent = "";
  events.onmessage = (event) => {
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    log.append(shown(JSON.parse(event.data).text));
    if (atEnd) log.scrollTop = log.scrollHeight;
  };
  events.addEventListener("end", () => {
    events.close();
    delete log.dataset.events;
  });
}

const main = document.querySelector("main[data-refresh]");
if (main) keepFresh(main);
const log = document.querySelector("pre[data-events]");
if (log) followLog(log);
