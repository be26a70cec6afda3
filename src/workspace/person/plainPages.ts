/** The pages that need no script: the way in, the choice of a workspace, and what is not there. */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML shows it, in content and in attributes. */
const text = (words: string): string => words.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

const page = (title: string, body: string, head = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(title)} · Telic</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/page.css">
${head}</head>
<body>
<main class="plain">
<h1>${text(title)}</h1>
${body}
</main>
</body>
</html>
`;

const howIn = `<p>On the machine that serves this page, run</p>
<pre><code>telic workspace open</code></pre>
<p>It prints a link that works once, for five minutes. Your browser then stays signed in for 30 days.</p>`;

export const nobodyHere = (): string => page('You are not signed in', howIn);

/** @param signedIn whether this browser is signed in already, so that the old link is no loss */
export const codeUsed = (signedIn: boolean): string =>
  page(
    'This link no longer works',
    signedIn
      ? '<p>It was used already, or it is older than five minutes. You are signed in here all the same.</p>\n<p><a class="button" href="/">Go to your workspaces</a></p>'
      : `<p>It was used already, or it is older than five minutes.</p>\n${howIn}`,
  );

export const nothingHere = (): string =>
  page('There is no such workspace', '<p><a class="button" href="/">Go to your workspaces</a></p>');

/** Asks for the same address again, this time from a page of our own. */
export const goOn = (address: string): string =>
  page(
    'One moment',
    `<p><a class="button" href="${text(address)}">Go on to your page</a></p>`,
    `<meta http-equiv="refresh" content="0;url=${text(address)}">\n`,
  );

export interface Choice {
  readonly name: string;
  readonly label: string;
  /** Asks that wait. */
  readonly waiting: number;
}

const choice = ({ name, label, waiting }: Choice): string =>
  `<li><a class="choice" href="/w/${text(name)}/"><span class="name">${text(label)}</span> <span class="quiet">${text(name)}</span>${
    waiting === 0 ? '' : ` <span class="chip strong">${waiting} waiting for you</span>`
  }</a></li>`;

export const chooseWorkspace = (person: string, choices: readonly Choice[]): string =>
  page(
    'Workspaces',
    `<p class="quiet">Signed in as ${text(person)}.</p>\n<ul class="choices">\n${choices.map(choice).join('\n')}\n</ul>`,
  );
