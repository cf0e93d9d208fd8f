/** The script of the documentation page: it sends the request that a form describes and shows the response. */
export const DOCS_SCRIPT = `
const SHOWN_CHARS = 20000;

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const output = form.querySelector('output');
    output.textContent = 'Sending the request.';
    try {
      output.textContent = await send(form);
    } catch (error) {
      output.textContent = 'The request failed: ' + error.message;
    }
  });
}

async function send(form) {
  const { method, path } = form.dataset;
  let filled = path;
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll('input[data-in]')) {
    if (input.dataset.in === 'path') filled = filled.replace('{' + input.name + '}', encodeURIComponent(input.value));
    else if (input.value !== '') query.set(input.name, input.value);
  }
  // The page is at api/docs, so the server's own root is one level up.
  const url = new URL('..' + filled + (query.size > 0 ? '?' + query : ''), location.href);
  const headers = method === 'GET' ? {} : { 'X-Croft': '1' };
  const body = form.querySelector('textarea');
  const file = form.querySelector('input[type=file]');
  if (body) headers['Content-Type'] = 'application/json';
  const response = await fetch(url, {
    method,
    headers,
    ...(body && { body: body.value }),
    ...(file && { body: file.files[0] ?? '' }),
  });
  const head = response.status + ' ' + (response.headers.get('Content-Type') ?? '');
  if (/event-stream|octet-stream|gzip|^image/.test(head.slice(4))) {
    await response.body.cancel();
    return head;
  }
  const text = await response.text();
  return head + '\\n\\n' + pretty(text).slice(0, SHOWN_CHARS);
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
`;
