// The script of all pages: copies texts, sends forms only once, gives a new key to the explorer.

export const SCRIPT = `
const copy = async (source) => {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    // Browsers offer the clipboard API only on secure origins. Copying the selection also works on others.
    getSelection().selectAllChildren(source);
    return document.execCommand('copy');
  }
};
for (const button of document.querySelectorAll('button[data-copies]')) {
  const said = document.getElementById(button.dataset.says);
  button.hidden = false;
  button.addEventListener('click', async () => {
    const copied = await copy(document.getElementById(button.dataset.copies));
    said.textContent = '';
    setTimeout(() => {
      said.textContent = copied ? button.dataset.done : 'Could not copy: select the text and copy it by hand.';
    }, 50);
  });
}
for (const link of document.querySelectorAll('a[data-hands-over]')) {
  // The explorer reads the key from the storage of this tab. The key is never part of an address.
  link.addEventListener('click', () => {
    try {
      sessionStorage.setItem('api-key', document.getElementById(link.dataset.handsOver).textContent);
    } catch {
      // The browser blocks storage. The explorer asks for the key.
    }
  });
}
for (const form of document.querySelectorAll('form[method="post"]')) {
  let sent = false;
  form.addEventListener('submit', (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
  addEventListener('pageshow', () => { sent = false; });
}
`;
